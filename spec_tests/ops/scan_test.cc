// scan: a fold along one dimension that returns each step.
#include "spec_tests/ops/graph.h"

namespace assay::testing {
namespace {

Shape F32Of(Dimensions d) { return ShapeUtil::MakeShape(F32, std::move(d)); }

// (input, carry) -> (output = carry + 10 * input, carry + input)
Literal Step(const std::vector<Literal>& arguments) {
  Literal output = arguments[0], carry = arguments[1];
  const auto in = arguments[0].values<float>(), before = arguments[1].values<float>();
  for (std::size_t i = 0; i < in.size(); ++i) {
    output.mutable_values<float>()[i] = before[i] + 10 * in[i];
    carry.mutable_values<float>()[i] = before[i] + in[i];
  }
  return Literal::MakeTuple({output, carry});
}

struct Scan {
  Graph g;
  FakeEvaluation evaluation;

  HloInstruction& Make(const Shape& input, const Shape& carry, std::int64_t dimension, bool reverse) {
    Shape slice = input;
    slice.delete_dimension(dimension);
    HloComputation& body = g.Computation(op_tuple, {slice, carry}, ShapeUtil::MakeTupleShape({slice, carry}));
    evaluation.DefineCall(body, Step);
    return g.Add(op_scan, {&g.Parameter(input), &g.Parameter(carry)},
                 {{"dimensions", Int64List{dimension}},
                  {"num_carries", std::int64_t{1}},
                  {"is_reverse", reverse},
                  {"to_apply", &body}});
  }
};

TEST_CASE("scan: outputs of every step, and the last carry") {
  Scan scan;
  const Literal input = Array(F32, {3}, {1, 2, 3}), carry = Array(F32, {}, {100});
  const Literal forward = Evaluate(scan.Make(F32Of({3}), F32Of({}), 0, false), {input, carry}, scan.evaluation);
  CHECK(forward.shape().ToStringWithoutLayout() == "(f32[3], f32[])");
  CHECK(Numbers(forward.elements()[0]) == std::vector<double>{110, 121, 133});
  CHECK(Numbers(forward.elements()[1]) == std::vector<double>{106});
  const Literal reverse = Evaluate(scan.Make(F32Of({3}), F32Of({}), 0, true), {input, carry}, scan.evaluation);
  CHECK(Numbers(reverse.elements()[0]) == std::vector<double>{115, 123, 130});
  CHECK(Numbers(reverse.elements()[1]) == std::vector<double>{106});
}

}  // namespace
}  // namespace assay::testing
