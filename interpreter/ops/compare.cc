#include <algorithm>
#include <cmath>

#include "interpreter/ops/common/compare_rules.h"
#include "interpreter/ops/common/elementwise.h"
#include "interpreter/ops/common/images.h"
#include "interpreter/ops/common/legality.h"
#include "interpreter/ops/common/total_order.h"
#include "interpreter/ops/plain/element_wise.h"

namespace assay {
namespace {

// Floats may be compared as IEEE 754 does or by their total order; everything else in the one way that it has.
Result<Shape> InferCompare(const HloInstruction& instruction) {
  ASSAY_TRY(Shape shape, InferPredicate(instruction));
  const PrimitiveType element_type = instruction.operand(0).shape.element_type();
  const bool is_float = IsFloatingPointType(element_type);
  const bool is_complex = IsComplexType(element_type);
  const std::string_view own_type = is_float || is_complex               ? "FLOAT"
                                    : IsSignedIntegralType(element_type) ? "SIGNED"
                                                                         : "UNSIGNED";
  const std::string_view type = instruction.String("type");
  if (!type.empty() && type != own_type && !(is_float && type == "TOTALORDER")) {
    return Illegal(instruction, "type={} does not fit {} (rule: comparison types), which compares as {}", type,
                   PrimitiveTypeName(element_type), is_float ? "FLOAT or TOTALORDER" : own_type);
  }
  const std::string_view order = instruction.String("order");
  if (!order.empty() && (is_float ? type == "TOTALORDER" && order == "PARTIAL" : is_complex == (order == "TOTAL"))) {
    return Illegal(instruction, "order={} does not fit {} (rule: comparison types)", order,
                   type.empty() ? own_type : type);
  }
  const std::string_view direction = instruction.String("direction");
  if (is_complex && direction != "EQ" && direction != "NE") {
    return IllegalOperands(instruction, "complex numbers compare with EQ and NE only", "complex numbers have no order");
  }
  return shape;
}

// The total order compares numbers of the wider type by their places in it.
template <auto holds, TypeSet types = kPred | kIntegral | kFloats>
Kernel Comparing(const HloInstruction& compare) {
  using namespace plain;
  const PrimitiveType a = compare.operand(0).shape.element_type(), b = compare.operand(1).shape.element_type();
  if (!IsFloatingPointType(a) || !IsTotalOrder(compare)) return ElementWise<holds, types>(compare);
  return ElementByElement(compare, [type = *WiderType(compare, a, b)](const Row& row) {
    const auto place = [&](const Element& x) {
      return TotalOrderKey(FloatFormatOf(type), BitsOf(ConvertedTo(type, x)));
    };
    return WithBits(PRED, holds(place(row[0]), place(row[1])) ? 1 : 0);
  });
}

Kernel Compare(const HloInstruction& compare) {
  const std::string_view direction = compare.String("direction");
  if (direction == "EQ") return Comparing<[](auto a, auto b) { return a == b; }, kArrays>(compare);
  if (direction == "NE") return Comparing<[](auto a, auto b) { return !(a == b); }, kArrays>(compare);
  if (direction == "LT") return Comparing<[](auto a, auto b) { return a < b; }>(compare);
  if (direction == "LE") return Comparing<[](auto a, auto b) { return a <= b; }>(compare);
  if (direction == "GT") return Comparing<[](auto a, auto b) { return (a > b); }>(compare);
  return Comparing<[](auto a, auto b) { return (a >= b); }>(compare);
}

// The comparison that is meant when none is written.
std::string_view DefaultType(PrimitiveType operand) {
  if (IsFloatingPointType(operand) || IsComplexType(operand)) return "FLOAT";
  return IsSignedIntegralType(operand) ? "SIGNED" : "UNSIGNED";
}

// Newer text says order=TOTAL for type=TOTALORDER. An order or type that says what is meant anyway goes; one that does
// not fit the operands stays for the verifier.
Status Normalize(HloInstruction& compare) {
  const PrimitiveType operand = compare.operand(0).shape.element_type();
  const std::string_view default_type = DefaultType(operand);
  const std::string_view order = compare.String("order");
  if (!order.empty() && compare.Has("type")) {
    return Error{ErrorCode::kParse, "compare takes type or order, not both"};
  }
  const bool is_default_order = order == (default_type == "FLOAT" ? "PARTIAL" : "TOTAL");
  const bool is_total_order = IsFloatingPointType(operand) && order == "TOTAL";
  if (is_total_order) compare.Set("type", std::string("TOTALORDER"));
  const bool is_default = compare.String("type") == default_type;
  std::erase_if(compare.attributes, [&](const Attribute& attribute) {
    return attribute.name == "order" ? is_default_order || is_total_order : attribute.name == "type" && is_default;
  });
  return {};
}

// What the comparison may give, by where the intervals lie.
Reals ComparisonOfIntervals(const HloInstruction& compare, std::span<const Reals> x) {
  const Reals undecided = {0, 1, false};
  const bool may_be_nan = x[0].may_be_nan || x[1].may_be_nan;
  const bool is_complex = IsComplexType(compare.operand(0).shape.element_type());
  if (is_complex || (may_be_nan && IsTotalOrder(compare))) return undecided;
  const std::string_view direction = compare.String("direction");
  const double if_unordered = direction == "NE" ? 1 : 0;
  if (x[0].IsEmpty() || x[1].IsEmpty()) return {if_unordered, if_unordered, false};
  if (compare.operands[0] == compare.operands[1]) {  // NaN alone differs from itself
    const double if_ordered = direction == "NE" || direction == "LT" || direction == "GT" ? 0 : 1;
    return may_be_nan ? undecided : Reals{if_ordered, if_ordered, false};
  }
  const bool is_disjoint = x[0].high < x[1].low || x[1].high < x[0].low;
  // One number on both sides. Zeros differ in the total order; integers beyond 2^53 are known rounded.
  const bool is_one = !may_be_nan && x[0].low == x[1].high && x[0].high == x[1].low && std::fabs(x[0].low) < 0x1p53 &&
                      (x[0].low != 0 || !IsTotalOrder(compare));
  if (is_one && (direction == "EQ" || direction == "NE")) {
    const double answer = direction == "EQ" ? 1 : 0;
    return {answer, answer, false};
  }
  if (direction == "EQ") return {0, is_disjoint ? 0.0 : 1.0, false};
  if (direction == "NE") return {is_disjoint ? 1.0 : 0.0, 1, false};
  const bool is_less = direction == "LT" || direction == "LE";
  const Reals& a = is_less ? x[0] : x[1];
  const Reals& b = is_less ? x[1] : x[0];
  // a < b or a <= b. Zeros of either sign touch in the total order.
  const bool is_strict = direction == "LT" || direction == "GT";
  const bool holds = is_strict || IsTotalOrder(compare) ? a.high < b.low : a.high <= b.low;
  const bool fails = is_strict && !IsTotalOrder(compare) ? a.low >= b.high : a.low > b.high;
  if (fails) return {0, 0, false};
  return {holds && !may_be_nan ? 1.0 : 0.0, 1, false};
}

}  // namespace

const Op op_compare = {
    .name = "compare",
    .meaning = "Whether the comparison holds, element by element.",
    .syntax =
        {
            .attributes = {OneOf("direction", {"EQ", "NE", "GE", "GT", "LE", "LT"}, /*required=*/true),
                           OneOf("type", {"FLOAT", "TOTALORDER", "SIGNED", "UNSIGNED"}, /*required=*/false),
                           ReadOnly("order", AttributeKind::kEnum, {"PARTIAL", "TOTAL"})},
            .normalize = Normalize,
        },
    .legality = {.arity = Exactly(2), .types = kArrays, .infer = InferCompare},
    .evaluation = {.kernel = Compare},
    .acceptance = {.image = ByElement<ComparisonOfIntervals>},
};

}  // namespace assay
