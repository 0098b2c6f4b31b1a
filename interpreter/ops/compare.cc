#include "interpreter/ops/common/compare_rules.h"
#include "interpreter/ops/common/elementwise.h"
#include "interpreter/ops/common/legality.h"
#include "interpreter/ops/common/total_order.h"
#include "interpreter/ops/plain/element_wise.h"

namespace assay {
namespace {

// Infers pred. Floats may be compared by IEEE 754 or by their total order; each other type has one comparison.
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

// Makes a kernel. The total order compares numbers of the wider type by their positions in it.
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

// Returns the comparison type of an instruction that names none.
std::string_view DefaultType(PrimitiveType operand) {
  if (IsInexactType(operand)) return "FLOAT";
  return IsSignedIntegralType(operand) ? "SIGNED" : "UNSIGNED";
}

// Rewrites order=TOTAL, the newer spelling, to type=TOTALORDER. Removes an order or type that equals the default. Keeps
// one that does not fit the operands for the verifier.
Status NormalizeCompare(HloInstruction& compare) {
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

}  // namespace

const Op op_compare = {
    .name = "compare",
    .meaning = "True where the comparison holds, element by element.",
    .syntax =
        {
            .attributes = {OneOf("direction", {"EQ", "NE", "GE", "GT", "LE", "LT"}, /*required=*/true),
                           OneOf("type", {"FLOAT", "TOTALORDER", "SIGNED", "UNSIGNED"}, /*required=*/false),
                           ReadOnly("order", AttributeKind::kEnum, {"PARTIAL", "TOTAL"})},
            .normalize = NormalizeCompare,
        },
    .legality = {.arity = Exactly(2), .types = kArrays, .infer = InferCompare},
    .evaluation = {.kernel = Compare},
};

}  // namespace assay
