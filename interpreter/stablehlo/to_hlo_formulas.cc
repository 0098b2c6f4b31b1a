#include "interpreter/stablehlo/to_hlo_formulas.h"

#include <cstring>

#include "interpreter/numerics/round.h"
#include "interpreter/types/float_format.h"

namespace assay::stablehlo {

Literal ScalarLiteral(PrimitiveType type, double number) {
  Literal literal(ShapeUtil::MakeScalarShape(type));
  const std::uint64_t bits = IsFloatingPointType(type) ? RoundDouble(FloatFormatOf(type), number)
                                                       : static_cast<std::uint64_t>(static_cast<std::int64_t>(number));
  std::memcpy(literal.mutable_data(), &bits, StorageBytes(type));
  return literal;
}

Term Term::Same(double number) const {
  HloInstruction& scalar = translator_->AddConstant(ScalarLiteral(type(), number));
  return {*translator_, AddScalarBroadcast(*translator_, scalar, instruction_->shape)};
}

Term Term::Unary(std::string_view op) const {
  return {*translator_, translator_->Add(op, instruction_->shape, {instruction_})};
}

Term Term::Binary(std::string_view op, const Term& other) const {
  return {*translator_, translator_->Add(op, instruction_->shape, {instruction_, other.instruction_})};
}

Term Term::OfType(std::string_view op, PrimitiveType type) const {
  return {*translator_, translator_->Add(op, ShapeUtil::ChangeElementType(instruction_->shape, type), {instruction_})};
}

Term Term::Compare(const char* direction, const Term& other) const {
  HloInstruction& compare = translator_->Add("compare", ShapeUtil::ChangeElementType(instruction_->shape, PRED),
                                             {instruction_, other.instruction_});
  compare.Set("direction", direction);
  return {*translator_, compare};
}

Term Select(const Term& condition, const Term& if_true, const Term& if_false) {
  return {*condition.translator_,
          condition.translator_->Add("select", if_true.instruction_->shape,
                                     {condition.instruction_, if_true.instruction_, if_false.instruction_})};
}

Term Conjugate(const Term& x) {
  const PrimitiveType part = ComplexComponentType(x.type());
  const Term real = x.OfType("real", part), imaginary = -x.OfType("imag", part);
  return {*x.translator_,
          x.translator_->Add("complex", x.instruction_->shape, {real.instruction_, imaginary.instruction_})};
}

}  // namespace assay::stablehlo
