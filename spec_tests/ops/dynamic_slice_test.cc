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

Literal Scalar(PrimitiveType type, std::uint64_t value) {
  Literal literal(ShapeUtil::MakeScalarShape(type));
  std::memcpy(literal.mutable_data(), &value, literal.byte_size());
  return literal;
}

const std::vector<double> kMatrix = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};

TEST_CASE("dynamic-slice: examples of XLA's documentation") {
  CHECK(Numbers(DynamicSlice(Array(F32, {5}, {0, 1, 2, 3, 4}), {Array(S32, {1}, {2})}, {2})) ==
        std::vector<double>{2, 3});
  const Literal b = Array(F32, {4, 3}, kMatrix);
  const Literal expected = Array(F32, {2, 2}, {7, 8, 10, 11});
  CHECK(DynamicSlice(b, {Array(S32, {2}, {2, 1})}, {2, 2}).BitwiseEqual(expected));
  CHECK(DynamicSlice(b, {Array(S32, {}, {2}), Array(S32, {}, {1})}, {2, 2}).BitwiseEqual(expected));
}

TEST_CASE("dynamic-update-slice: examples of XLA's documentation") {
  CHECK(Numbers(DynamicUpdateSlice(Array(F32, {5}, {0, 1, 2, 3, 4}), Array(F32, {2}, {5, 6}),
                                   {Array(S32, {1}, {2})})) == std::vector<double>{0, 1, 5, 6, 4});
  CHECK(Numbers(DynamicUpdateSlice(Array(F32, {4, 3}, kMatrix), Array(F32, {3, 2}, {12, 13, 14, 15, 16, 17}),
                                   {Array(S32, {2}, {1, 1})})) ==
        std::vector<double>{0, 1, 2, 3, 12, 13, 6, 14, 15, 9, 16, 17});
}

// XLA:CPU and IREE clamp in the same way, and for signed starts StableHLO's interpreter too.
TEST_CASE("dynamic-slice and dynamic-update-slice: starts are clamped, unsigned ones as unsigned numbers") {
  const Literal iota = Array(S32, {6}, {0, 1, 2, 3, 4, 5});
  struct Case {
    PrimitiveType type;
    std::uint64_t start;
    std::vector<double> slice, updated;
  };
  const std::vector<double> low = {0, 1, 2}, high = {3, 4, 5};
  const std::vector<double> updated_low = {90, 91, 92, 3, 4, 5}, updated_high = {0, 1, 2, 90, 91, 92};
  for (const Case& c : std::vector<Case>{
           {S32, static_cast<std::uint64_t>(-1), low, updated_low},
           {S32, 2, {2, 3, 4}, {0, 1, 90, 91, 92, 5}},
           {S32, 5, high, updated_high},
           {S32, 100, high, updated_high},
           {U8, 200, high, updated_high},
           {S8, 200, low, updated_low},  // -56
           {U32, 0xffffffff, high, updated_high},
           {S32, 0xffffffff, low, updated_low},
           {U64, ~std::uint64_t{0}, high, updated_high},
           {S64, ~std::uint64_t{0}, low, updated_low},
           {S64, INT64_MAX, high, updated_high},
           {S64, std::uint64_t{1} << 63, low, updated_low},
           {U64, std::uint64_t{1} << 63, high, updated_high},
           {U16, 65535, high, updated_high},
           {S4, static_cast<std::uint64_t>(-8), low, updated_low},
           {U4, 15, high, updated_high},
       }) {
    CAPTURE(PrimitiveTypeName(c.type), c.start);
    CHECK(Numbers(DynamicSlice(iota, {Scalar(c.type, c.start)}, {3})) == c.slice);
    const Literal update = Array(S32, {3}, {90, 91, 92});
    CHECK(Numbers(DynamicUpdateSlice(iota, update, {Scalar(c.type, c.start)})) == c.updated);
  }
}

TEST_CASE("dynamic-slice: empty, whole and of rank 0") {
  const Literal iota = Array(S32, {3}, {0, 1, 2});
  CHECK(DynamicSlice(iota, {Array(S32, {}, {1})}, {0}).element_count() == 0);
  CHECK(DynamicSlice(iota, {Array(S32, {}, {1})}, {3}).data() == iota.data());
  const Literal scalar = Array(S32, {}, {7});
  CHECK(DynamicSlice(scalar, {}, {}).BitwiseEqual(scalar));
  CHECK(DynamicUpdateSlice(scalar, Array(S32, {}, {8}), {}).BitwiseEqual(Array(S32, {}, {8})));
  CHECK(DynamicUpdateSlice(iota, Array(S32, {0}, {}), {Array(S32, {}, {1})}).BitwiseEqual(iota));
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
