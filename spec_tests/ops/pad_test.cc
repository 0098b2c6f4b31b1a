// pad (XLA, Operation Semantics: Pad).
#include <algorithm>

#include "spec_tests/ops/graph.h"
#include "spec_tests/ops/index_formula.h"
#include "spec_tests/property.h"

namespace assay::testing {
namespace {

Literal Pad(const Literal& operand, const Literal& value, PaddingConfig padding) {
  Graph g;
  return Evaluate(
      g.Add(op_pad, {&g.Parameter(operand.shape()), &g.Parameter(value.shape())}, {{"padding", std::move(padding)}}),
      {operand, value});
}

TEST_CASE("pad: the widest interior, and the largest edges that cut or pad") {
  const Literal nine = Array(S32, {}, {9}), one = Array(S32, {1}, {1}), two = Array(S32, {2}, {1, 2});
  CHECK(Numbers(Pad(one, nine, {{1, 0, INT64_MAX}})) == std::vector<double>{9, 1});
  CHECK(Numbers(Pad(one, nine, {{-1, 2, INT64_MAX}})) == std::vector<double>{9, 9});
  CHECK(Numbers(Pad(two, nine, {{INT64_MIN, INT64_MAX, 0}})) == std::vector<double>{9});
}

// Returns the operand index of an index of the result in one dimension, or -1 for padding.
std::int64_t PositionBeforePadding(std::int64_t i, std::int64_t size, const PaddingConfigDimension& padding) {
  for (std::int64_t k = 0; k < size; ++k) {
    if (padding.edge_padding_low + k * (padding.interior_padding + 1) == i) return k;
  }
  return -1;
}

TEST_CASE("pad: every element by its formula, and the inverse padding gives the operand back") {
  Holds([] {
    const Dimensions sizes = AnyDimensions(InRange(0, 4), 0, 5);
    const Literal operand = AnyArray(AnyStorage(), sizes);
    const Literal value = AnyArray(operand.element_type(), {});
    PaddingConfig padding;
    SliceConfig inverse;
    Dimensions result;
    bool cuts = false;
    for (std::int64_t size : sizes) {
      PaddingConfigDimension p;
      p.interior_padding = InRange(0, 4);
      const std::int64_t spread = size == 0 ? 0 : (size - 1) * (p.interior_padding + 1) + 1;
      p.edge_padding_low = InRange(-spread, 4);
      p.edge_padding_high = InRange(-spread - std::min<std::int64_t>(p.edge_padding_low, 0), 4);
      padding.push_back(p);
      result.push_back(spread + p.edge_padding_low + p.edge_padding_high);
      cuts |= p.edge_padding_low < 0 || p.edge_padding_high < 0 || result.back() < 0;
      inverse.push_back({p.edge_padding_low, p.edge_padding_low + spread, p.interior_padding + 1});
      Presume(result.back() >= 0);
    }
    const Literal expected = ByFormula(ShapeUtil::MakeShape(operand.element_type(), result), [&](const Index& i) {
      Index from;
      for (std::size_t d = 0; d < i.size(); ++d) from.push_back(PositionBeforePadding(i[d], sizes[d], padding[d]));
      return IsInside(from, sizes) ? ElementAt(operand, from) : ElementAt(value, {});
    });
    const Literal padded = Pad(operand, value, padding);
    ENSURE(padded.BitwiseEqual(expected));
    if (!cuts) {
      Graph g;
      HloInstruction& slice = g.Add(op_slice, {&g.Parameter(padded.shape())}, {{"slice", inverse}});
      ENSURE(Evaluate(slice, {padded}).BitwiseEqual(operand));
    }
  });
}

}  // namespace
}  // namespace assay::testing
