#include <algorithm>
#include <cmath>
#include <optional>

#include "interpreter/acceptance/elements.h"
#include "interpreter/acceptance/ops/op_acceptance.h"
#include "interpreter/acceptance/profile.h"
#include "interpreter/acceptance/sets/lawful_results.h"
#include "interpreter/acceptance/sets/reals.h"
#include "interpreter/hlo/op.h"
#include "interpreter/types/float_format.h"

namespace assay {

namespace {

bool HasNans(PrimitiveType type) {
  return IsInexactType(type) && FloatFormatOf(ComplexComponentType(type)).nan != NanEncoding::kNone;
}

// True if an element of a complex function is infinite in one part and NaN in the other: the infinity may have the sign
// of a NaN.
bool HasInfinityBesideNan(const Literal& value) {
  if (!IsComplexType(value.element_type())) return false;
  for (std::int64_t i = 0; i < 2 * value.element_count(); ++i) {
    if (IsNan(ComponentAt(value, i)) && std::isinf(RealValue(ComponentAt(value, i ^ 1)))) return true;
  }
  return false;
}

// True if an element of a complex function of `operand` has a zero where the operand has a NaN part: the zero may have
// the sign of the NaN, as in atan(inf + NaN i) = pi/2 + 0 i.
bool HasZeroForNan(const ValueSet& operand, const Literal& value) {
  const PrimitiveType type = value.element_type();
  if (!IsComplexType(type) || operand.is_tuple || !ShapeUtil::Compatible(operand.value.shape(), value.shape())) {
    return false;
  }
  for (std::int64_t i = 0; i < 2 * value.element_count(); ++i) {
    const bool has_nan = IsNan(ComponentAt(operand.value, i)) || IsNan(ComponentAt(operand.value, i ^ 1));
    if (has_nan && IsZero(ComponentAt(value, i))) return true;
  }
  return false;
}

}  // namespace

bool TellsNans(const HloInstruction& instruction, std::span<const ValueSet> operands, const Literal& value) {
  const OpAcceptance& acceptance = AcceptanceOf(instruction);
  if (!value.shape().IsArray()) return acceptance.rule == Acceptance::kExact && acceptance.image == nullptr;
  if (!IsInexactType(value.element_type())) return true;
  if (acceptance.rule != Acceptance::kExact) {
    const auto has_zero = [&](const ValueSet& operand) { return HasZeroForNan(operand, value); };
    if (HasInfinityBesideNan(value) || std::ranges::any_of(operands, has_zero)) return true;
  }
  // A format without NaNs stores them as zeros with the sign of the NaN.
  const bool may_lose_nans = !HasNans(value.element_type());
  for (const HloInstruction* operand : instruction.operands) {
    if (may_lose_nans && operand->shape.IsArray() && HasNans(operand->shape.element_type())) return true;
  }
  // The op reinterprets bits as another format. Extracting a part of a complex number does not.
  return instruction.operands.size() == 1 && !acceptance.Has(Trait::kRounds) && acceptance.rule == Acceptance::kExact &&
         instruction.operand(0).shape.IsArray() &&
         ComplexComponentType(instruction.operand(0).shape.element_type()) != value.element_type();
}

std::vector<ValueSet> WithOpenNans(std::span<const ValueSet> operands) {
  std::vector<ValueSet> open(operands.begin(), operands.end());
  for (ValueSet& operand : open) {
    if (operand.is_tuple || !operand.value.shape().IsArray() || !IsInexactType(operand.value.element_type())) continue;
    const ElementReader reader(operand);
    const int parts = ComponentCount(operand.value.element_type());
    std::optional<ElementWriter> writer;
    for (std::int64_t i = 0; i < operand.value.element_count() * parts; ++i) {
      if (!IsNan(ComponentAt(operand.value, i)) && !reader.IsOpen(i / parts)) continue;
      if (!writer) writer.emplace(operand.value);
      writer->Set(i, reader.At(i));
    }
    if (writer) operand.open = writer->Take();
  }
  return open;
}

}  // namespace assay
