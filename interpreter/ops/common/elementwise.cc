#include "interpreter/ops/common/elementwise.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "interpreter/numerics/round.h"
#include "interpreter/ops/common/legality.h"

namespace assay {
namespace {

// Formats a set of types: "pred, integral or complex".
std::string DescribeTypes(TypeSet types) {
  static constexpr std::pair<TypeSet, std::string_view> kClasses[] = {{kPred, "pred"},
                                                                      {kIntegral, "integral"},
                                                                      {kSignedIntegral, "signed integral"},
                                                                      {kFloats, "float"},
                                                                      {kComplex, "complex"}};
  std::vector<std::string_view> words;
  for (const auto& [members, name] : kClasses) {
    if ((types.bits & members.bits) != members.bits) continue;
    words.push_back(name);
    types.bits &= ~members.bits;
  }
  for (const PrimitiveType type : ArrayTypes()) {
    if (types.contains(type)) words.push_back(PrimitiveTypeName(type));
  }
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (i > 0) text += i + 1 < words.size() ? ", " : " or ";
    text += words[i];
  }
  return text;
}

}  // namespace

void MergeDynamicDimensions(Shape& shape, const Shape& other) {
  for (std::int64_t i = 0; i < shape.rank(); ++i) {
    if (other.is_dynamic_dimension(i)) shape.set_dynamic_dimension(i, true);
  }
}

Error IllegalOperands(const HloInstruction& instruction, std::string_view problem, std::string_view rule) {
  std::string found;
  for (std::size_t i = 0; i < instruction.operands.size(); ++i) {
    if (i > 0) found += i + 1 < instruction.operands.size() ? ", " : " and ";
    found += instruction.operands[i]->shape.ToStringWithoutLayout();
  }
  return Illegal(instruction, "{} (rule: {}), found {}", problem, rule, found);
}

Status CheckElementType(const HloInstruction& instruction) {
  if (instruction.op->legality.types.contains(instruction.operand(0).shape.element_type())) return {};
  return IllegalOperands(instruction,
                         fmt::format("the element type must be {}", DescribeTypes(instruction.op->legality.types)),
                         "element types of the op");
}

Status CheckOperandsAgree(const HloInstruction& instruction, std::size_t first) {
  const Shape& model = instruction.operands[first]->shape;
  for (std::size_t i = first; i < instruction.operands.size(); ++i) {
    const Shape& shape = instruction.operands[i]->shape;
    if (!shape.IsArray()) return IllegalOperands(instruction, "operands must be arrays", "element by element");
    if (!ShapeUtil::SameElementTypeIgnoringFpPrecision(model, shape)) {
      return IllegalOperands(instruction, "operands must have equal element types", "equal types, or all floating");
    }
    if (!ShapeUtil::SameDimensions(model, shape)) {
      return IllegalOperands(instruction, "operands must have equal dimensions", "no implicit broadcast");
    }
  }
  return {};
}

Result<PrimitiveType> WiderType(const HloInstruction& instruction, PrimitiveType a, PrimitiveType b) {
  if (a == b) return a;
  const auto width = [](PrimitiveType type) {
    const FloatFormat& format = FloatFormatOf(type);
    int range = 0;
    std::frexp(ToDouble(format, format.max_finite_bits()), &range);
    return std::tuple(range, format.precision(), format.bits());
  };
  if (width(a) == width(b)) {
    return IllegalOperands(instruction, "one operand's type must be wider than the other's",
                           "the result has the wider type");
  }
  return width(a) > width(b) ? a : b;
}

Result<Shape> InferUnary(const HloInstruction& instruction) {
  ASSAY_CHECK_OK(CheckElementType(instruction));
  return instruction.operand(0).shape;
}

Result<Shape> InferComponent(const HloInstruction& instruction) {
  ASSAY_CHECK_OK(CheckElementType(instruction));
  const Shape& shape = instruction.operand(0).shape;
  return ShapeUtil::ChangeElementType(shape, ComplexComponentType(shape.element_type()));
}

Result<Shape> InferConversion(const HloInstruction& instruction) {
  ASSAY_CHECK_OK(CheckElementType(instruction));
  if (!instruction.shape.IsArray() || !ShapeUtil::SameDimensions(instruction.shape, instruction.operand(0).shape)) {
    return IllegalOperands(instruction,
                           fmt::format("the result {} must be an array of the operand's dimensions",
                                       instruction.shape.ToStringWithoutLayout()),
                           "dimensions are kept");
  }
  return instruction.shape;
}

Result<Shape> InferBinary(const HloInstruction& instruction) {
  ASSAY_CHECK_OK(CheckElementType(instruction));
  ASSAY_CHECK_OK(CheckOperandsAgree(instruction));
  const Shape& lhs = instruction.operand(0).shape;
  const Shape& rhs = instruction.operand(1).shape;
  ASSAY_TRY(const PrimitiveType type, WiderType(instruction, lhs.element_type(), rhs.element_type()));
  Shape shape = ShapeUtil::ChangeElementType(lhs, type);
  MergeDynamicDimensions(shape, rhs);
  return shape;
}

Result<Shape> InferPredicate(const HloInstruction& instruction) {
  ASSAY_CHECK_OK(CheckElementType(instruction));
  ASSAY_CHECK_OK(CheckOperandsAgree(instruction));
  Shape shape = ShapeUtil::ChangeElementType(instruction.operand(0).shape, PRED);
  MergeDynamicDimensions(shape, instruction.operands.back()->shape);
  return shape;
}

}  // namespace assay
