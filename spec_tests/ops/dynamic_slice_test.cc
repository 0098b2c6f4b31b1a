// dynamic-slice and dynamic-update-slice (XLA, Operation Semantics: DynamicSlice and DynamicUpdateSlice).
#include <algorithm>
#include <cstring>

#include "interpreter/kernels/kernels.h"
#include "spec_tests/ops/graph.h"
#include "spec_tests/ops/index_formula.h"
#include "spec_tests/property.h"

namespace assay::testing {
namespace {

// Evaluates a dynamic-slice with one start index for each dimension, or with one vector of them.
Literal DynamicSlice(const Literal& operand, const std::vector<Literal>& starts, Int64List sizes) {
  Graph g;
  std::vector<HloInstruction*> operands = {&g.Parameter(operand.shape())};
  std::vector<Literal> values = {operand};
  for (const Literal& start : starts) {
    operands.push_back(&g.Parameter(start.shape()));
    values.push_back(start);
  }
  return Evaluate(g.Add(op_dynamic_slice, operands, {{"dynamic_slice_sizes", std::move(sizes)}}), values);
}

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

const std::vector<double> kMatrix = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};

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

TEST_CASE("dynamic-slice and dynamic-update-slice: every element by its formula") {
  Holds([] {
    const Dimensions sizes = AnyDimensions(InRange(0, 5), 0, 5);
    const Literal operand = AnyArray(AnyStorage(), sizes);
    Dimensions part;
    std::vector<Literal> starts;
    Index clamped;
    for (std::int64_t size : sizes) {
      part.push_back(InRange(0, size + 1));
      const auto start = InRange(-3, size + 3);
      starts.push_back(Array(S16, {}, {static_cast<double>(start)}));
      clamped.push_back(std::min(std::max<std::int64_t>(start, 0), size - part.back()));
    }
    const Literal expected = ByFormula(ShapeUtil::MakeShape(operand.element_type(), part), [&](Index i) {
      for (std::size_t d = 0; d < i.size(); ++d) i[d] += clamped[d];
      return ElementAt(operand, i);
    });
    ENSURE(DynamicSlice(operand, starts, part).BitwiseEqual(expected));

    const Literal update = AnyArray(operand.element_type(), part);
    const Literal updated = ByFormula(operand.shape(), [&](const Index& i) {
      Index in_update = i;
      for (std::size_t d = 0; d < i.size(); ++d) in_update[d] -= clamped[d];
      return IsInside(in_update, part) ? ElementAt(update, in_update) : ElementAt(operand, i);
    });
    ENSURE(DynamicUpdateSlice(operand, update, starts).BitwiseEqual(updated));
  });
}

}  // namespace
}  // namespace assay::testing
