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
