// concatenate (XLA, Operation Semantics: ConcatInDim).
#include "spec_tests/ops/graph.h"
#include "spec_tests/ops/index_formula.h"
#include "spec_tests/property.h"

namespace assay::testing {
namespace {

Literal Concatenate(const std::vector<Literal>& parts, std::int64_t dimension) {
  Graph g;
  std::vector<HloInstruction*> operands;
  for (const Literal& part : parts) operands.push_back(&g.Parameter(part.shape()));
  return Evaluate(g.Add(op_concatenate, operands, {{"dimensions", Int64List{dimension}}}), parts);
}

TEST_CASE("concatenate: examples of XLA's documentation") {
  CHECK(Numbers(Concatenate({Array(S32, {2}, {2, 3}), Array(S32, {2}, {4, 5}), Array(S32, {2}, {6, 7})}, 0)) ==
        std::vector<double>{2, 3, 4, 5, 6, 7});
  const Literal a = Array(S32, {3, 2}, {1, 2, 3, 4, 5, 6});
  const Literal b = Array(S32, {1, 2}, {7, 8});
  CHECK(Concatenate({a, b}, 0).BitwiseEqual(Array(S32, {4, 2}, {1, 2, 3, 4, 5, 6, 7, 8})));
}

TEST_CASE("concatenate: one operand is shared, empty parts vanish") {
  const Literal a = Array(S32, {2}, {1, 2});
  const Literal empty = Array(S32, {0}, {});
  CHECK(Concatenate({a}, 0).data() == a.data());
  CHECK(Concatenate({empty, a, empty}, 0).BitwiseEqual(a));
  CHECK(Concatenate({empty, empty}, 0).BitwiseEqual(empty));
}

TEST_CASE("concatenate: floats of different widths become the widest") {
  const Literal result = Concatenate({Array(BF16, {1}, {1.5}), Array(F32, {1}, {0.1f}), Array(F16, {1}, {2})}, 0);
  CHECK(result.BitwiseEqual(Array(F32, {3}, {1.5, 0.1f, 2})));
}

TEST_CASE("concatenate: every element by its formula, and slices give the parts back") {
  Holds([] {
    Dimensions sizes = AnyDimensions(InRange(1, 5), 0, 4);
    const auto dimension = InRange(0, sizes.size());
    const PrimitiveType type = AnyStorage();
    std::vector<Literal> parts;
    std::vector<std::pair<std::size_t, std::int64_t>> place;  // of each result index: part, and index in it
    const int count = InRange(1, 5);
    for (int k = 0; k < count; ++k) {
      sizes[dimension] = InRange(0, 4);
      for (std::int64_t i = 0; i < sizes[dimension]; ++i) place.emplace_back(k, i);
      parts.push_back(AnyArray(type, sizes));
    }
    sizes[dimension] = place.size();
    const Literal expected = ByFormula(ShapeUtil::MakeShape(type, sizes), [&](Index i) {
      const auto [part, index] = place[i[dimension]];
      i[dimension] = index;
      return ElementAt(parts[part], i);
    });
    const Literal result = Concatenate(parts, dimension);
    ENSURE(result.BitwiseEqual(expected));

    std::int64_t start = 0;
    for (const Literal& part : parts) {
      Graph g;
      SliceConfig slice;
      for (std::int64_t size : sizes) slice.push_back({0, size, 1});
      slice[dimension] = {start, start + part.shape().dimensions(dimension), 1};
      start = slice[dimension].limit;
      ENSURE(
          Evaluate(g.Add(op_slice, {&g.Parameter(result.shape())}, {{"slice", slice}}), {result}).BitwiseEqual(part));
    }
  });
}

}  // namespace
}  // namespace assay::testing
