// Rule R of the legality rules: what a reducer must look like.
#include "interpreter/ops/reducer_rules.h"

#include "spec_tests/ops/graph.h"

namespace assay::testing {
namespace {

Shape Scalar(PrimitiveType type) { return ShapeUtil::MakeScalarShape(type); }
Shape Scalars(PrimitiveType a, PrimitiveType b) { return ShapeUtil::MakeTupleShape({Scalar(a), Scalar(b)}); }

std::string Check(Graph& graph, HloComputation& reducer, const std::vector<PrimitiveType>& inputs,
                  const std::vector<PrimitiveType>& inits) {
  const HloInstruction& reduce = graph.Add(op_reduce, {});
  const auto result = CheckReducer(reduce, reducer, inputs, inits);
  if (!result) {
    CHECK(result.error().code == ErrorCode::kIllegal);
    return result.error().message;
  }
  return result->WithDimensions(ShapeUtil::MakeShape(F32, {3})).ToStringWithoutLayout();
}

TEST_CASE("A reducer of one array returns a scalar or a tuple of one") {
  Graph g;
  CHECK(Check(g, g.Binary(op_add, F32), {F32}, {F32}) == "f32[3]");
  auto& tuple = g.Computation(op_tuple, {Scalar(S32), Scalar(S32)}, ShapeUtil::MakeTupleShape({Scalar(S32)}));
  CHECK(Check(g, tuple, {S32}, {S32}) == "(s32[3])");
  auto& pair = g.Computation(op_tuple, {Scalar(S32), Scalar(S32)}, Scalars(S32, S32));
  CHECK(Check(g, pair, {S32}, {S32}) ==
        "reduce: the reducer computation.3 of 1 array must return a scalar, found (s32[], s32[])");
  auto& vector = g.Computation(op_add, {Scalar(F32), Scalar(F32)}, ShapeUtil::MakeShape(F32, {1}));
  CHECK(Check(g, vector, {F32}, {F32}) ==
        "reduce: the reducer computation.4 of 1 array must return a scalar, found f32[1]");
}

TEST_CASE("A reducer of N arrays takes 2 N parameters and returns N scalars") {
  Graph g;
  auto& argmax = g.Computation(op_tuple, {Scalar(F32), Scalar(S32), Scalar(F32), Scalar(S32)}, Scalars(F32, S32));
  CHECK(Check(g, argmax, {F32, S32}, {F32, S32}) == "(f32[3], s32[3])");
  CHECK(Check(g, argmax, {F32}, {F32}) ==
        "reduce: the reducer computation.1 of 1 array must have 2 parameters, found 4");
  auto& one = g.Computation(op_add, {Scalar(F32), Scalar(S32), Scalar(F32), Scalar(S32)}, Scalar(F32));
  CHECK(Check(g, one, {F32, S32}, {F32, S32}) ==
        "reduce: the reducer computation.2 of 2 arrays must return a tuple of 2 scalars, found f32[]");
}

TEST_CASE("Parameter i is exactly the type of result i") {
  Graph g;
  auto& widening = g.Computation(op_add, {Scalar(BF16), Scalar(BF16)}, Scalar(F32));
  CHECK(Check(g, widening, {BF16}, {BF16}) ==
        "reduce: parameter 0 of the reducer computation.1 must have the shape of its result f32[], found bf16[]");
  auto& vector = g.Computation(op_add, {Scalar(F32), ShapeUtil::MakeShape(F32, {2})}, Scalar(F32));
  CHECK(Check(g, vector, {F32}, {F32}) ==
        "reduce: parameter 1 of the reducer computation.2 must be a scalar, found f32[2]");
}

TEST_CASE("Arrays, initial values and parameters agree up to the width of floats") {
  Graph g;
  auto& mixed = g.Computation(op_add, {Scalar(F32), Scalar(BF16)}, Scalar(F32));
  CHECK(Check(g, mixed, {F16}, {F64}) == "f32[3]");
  CHECK(Check(g, mixed, {S32}, {F32}) ==
        "reduce: array 0 of type s32 does not fit parameter 1 of type bf16 in the reducer computation.1");
  CHECK(Check(g, mixed, {F32}, {S32}) ==
        "reduce: initial value 0 of type s32 does not fit the result of type f32 in the reducer computation.1");
  auto& unlike = g.Computation(op_add, {Scalar(F32), Scalar(S32)}, Scalar(F32));
  CHECK(Check(g, unlike, {S32}, {F32}) ==
        "reduce: result 0 of type f32 does not fit parameter 1 of type s32 in the reducer computation.2");
  // Integers must agree exactly.
  auto& integer = g.Binary(op_add, S32);
  CHECK(Check(g, integer, {S8}, {S32}) ==
        "reduce: array 0 of type s8 does not fit parameter 1 of type s32 in the reducer computation.3");
}

TEST_CASE("A reduction takes arrays of one shape and scalar initial values of exactly the reducer's types") {
  Graph g;
  auto& add = g.Binary(op_add, F32);
  const auto check = [&](std::vector<HloInstruction*> operands) {
    const auto result = CheckReduction(g.Add(op_reduce, std::move(operands), {{"to_apply", &add}}));
    return result ? std::string() : result.error().message;
  };
  auto* matrix = &g.Parameter(F32, {2, 3});
  auto* scalar = &g.Parameter(F32, {});
  CHECK(check({matrix, scalar}) == "");
  CHECK(check({matrix}) == "reduce: takes N arrays and N initial values, found 1 operands");
  CHECK(check({matrix, matrix}) == "reduce: initial value 0 must be a scalar, found f32[2,3]");
  CHECK(check({&g.Parameter(ShapeUtil::MakeTokenShape()), scalar}) ==
        "reduce: operand 0 must be an array, found token[]");
  CHECK(check({matrix, &g.Parameter(F32, {3, 2}), scalar, scalar}) ==
        "reduce: all arrays must have the same dimensions, found f32[2,3] and f32[3,2]");
  CHECK(check({&g.Parameter(BF16, {2, 3}), scalar}) ==
        "reduce: operand 0 must have the type f32 of parameter 1 of the reducer computation.1, found bf16");
  CHECK(check({matrix, &g.Parameter(F64, {})}) ==
        "reduce: operand 1 must have the type f32 of parameter 0 of the reducer computation.1, found f64");
}

}  // namespace
}  // namespace assay::testing
