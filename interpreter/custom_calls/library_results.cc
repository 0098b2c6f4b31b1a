#include "interpreter/custom_calls/library_results.h"

#include <utility>

#include "interpreter/custom_calls/stand_in.h"
#include "interpreter/types/join_text.h"

namespace assay {
namespace {

bool IsScratch(const Shape& shape) {
  return shape.IsArray() && shape.rank() == 1 && (shape.element_type() == S8 || shape.element_type() == U8);
}

}  // namespace

const Shape& FirstResult(const Shape& result) {
  return result.IsTuple() && result.tuple_shapes().size() > 0 ? result.tuple_shapes(0) : result;
}

const Literal& ResultAt(const Literal& result, std::size_t i) {
  return result.shape().IsTuple() ? result.elements()[i] : result;
}

Status CheckDimensions(const HloInstruction& call, std::string_view what, const Shape& found, const Shape& expected) {
  if (ShapeUtil::CompatibleIgnoringElementType(found, expected)) return {};
  return BadCall(call, "{} must have the dimensions of {}, found {}", what, expected.ToStringWithoutLayout(),
                 found.ToStringWithoutLayout());
}

Status CheckResults(const HloInstruction& call, const std::vector<Shape>& expected) {
  const Shape& shape = call.shape;
  if (!shape.IsTuple() && expected.size() == 1 && ShapeUtil::Compatible(shape, expected[0])) return {};
  const std::size_t n = expected.size();
  const auto count = shape.IsTuple() ? shape.tuple_shapes().size() : 0;
  bool fits = count == n || (count == n + 1 && IsScratch(shape.tuple_shapes(n)));
  for (std::size_t i = 0; fits && i < n; ++i) fits = ShapeUtil::Compatible(shape.tuple_shapes(i), expected[i]);
  if (fits) return {};
  std::vector<std::string> names;
  for (const Shape& each : expected) names.push_back(each.ToStringWithoutLayout());
  return BadCall(call, "the result must be ({}), with or without scratch memory, found {}", JoinText(names, ", "),
                 shape.ToStringWithoutLayout());
}

Literal WithScratch(const Shape& shape, std::vector<Literal> results) {
  if (!shape.IsTuple()) return std::move(results[0]).WithShape(shape);
  for (std::size_t i = 0; i < results.size(); ++i) {
    results[i] = std::move(results[i]).WithShape(shape.tuple_shapes(i));
  }
  while (results.size() < shape.tuple_shapes().size()) {
    results.emplace_back(shape.tuple_shapes(results.size()));
  }
  return Literal::MakeTuple(std::move(results));
}

}  // namespace assay
