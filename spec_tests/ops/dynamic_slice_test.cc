// dynamic-slice and dynamic-update-slice (XLA, Operation Semantics: DynamicSlice and DynamicUpdateSlice).
#include "interpreter/kernels/kernels.h"
#include "spec_tests/ops/graph.h"

namespace assay::testing {
namespace {

Literal DynamicUpdateSlice(Literal operand, const Literal& update, const std::vector<Literal>& starts) {
  Graph g;
  std::vector<HloInstruction*> operands = {&g.Parameter(operand.shape()), &g.Parameter(update.shape())};
  std::vector<Literal> values;
  values.push_back(std::move(operand));
  values.push_back(update);
  for (const Literal& start : starts) {
    operands.push_back(&g.Parameter(start.shape()));
    values.push_back(start);
  }
  HloInstruction& instruction = g.Add(op_dynamic_update_slice, operands);
  const Result<Shape> shape = op_dynamic_update_slice.legality.infer(instruction);
  REQUIRE(shape.has_value());
  instruction.shape = *shape;
  FakeEvaluation none;
  std::vector<Literal> copies = values;
  for (Literal& copy : copies) copy.mutable_data();  // so that the kernel's operands are not shared
  Literal result = WithKernel(op_dynamic_update_slice).evaluation.evaluate(instruction, values, none);
  REQUIRE(op_dynamic_update_slice.evaluation.evaluate(instruction, copies, none).BitwiseEqual(result));
  return result;
}

TEST_CASE("dynamic-update-slice: in place if nothing else holds the operand, else a copy") {
  Literal operand = Array(S32, {3}, {0, 1, 2});
  const std::byte* buffer = operand.data();
  const Literal shared = operand;
  const Literal first = DynamicUpdateSlice(shared, Array(S32, {1}, {9}), {Array(S32, {}, {1})});
  CHECK(Numbers(shared) == std::vector<double>{0, 1, 2});
  CHECK(first.data() != buffer);
  const std::byte* unshared = first.data();
  Literal moved = first.WithShape(first.shape());
  CHECK(Numbers(DynamicUpdateSlice(std::move(moved), Array(S32, {1}, {8}), {Array(S32, {}, {0})})) ==
        std::vector<double>{8, 9, 2});
  CHECK(Numbers(first) == std::vector<double>{0, 9, 2});
  Literal alone = Array(S32, {3}, {0, 1, 2});
  const std::byte* own = alone.data();
  CHECK(DynamicUpdateSlice(std::move(alone), Array(S32, {1}, {9}), {Array(S32, {}, {1})}).data() == own);
  CHECK(unshared == first.data());
}

}  // namespace
}  // namespace assay::testing
