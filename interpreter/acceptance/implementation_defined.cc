#include "interpreter/acceptance/implementation_defined.h"

#include <cmath>
#include <memory>
#include <optional>

#include "interpreter/acceptance/elements.h"
#include "interpreter/acceptance/sets/widen.h"
#include "interpreter/types/float_format.h"

namespace assay {
namespace {

// True for an instruction that itself converts or computes integers, and for a fold by an op that does. The result of
// any other computation in f64 says nothing about its steps.
bool MayBeUnrepresentable(const JudgedInstruction& judged) {
  const HloInstruction& instruction = judged.instruction;
  const OpAcceptance& acceptance = AcceptanceOf(instruction);
  const Shape& shape = instruction.shape;
  const bool is_number =
      shape.IsArray() && (IsIntegralType(shape.element_type()) ||
                          (acceptance.Has(Trait::kConverts) && IsFloatingPointType(shape.element_type())));
  if (!is_number || !judged.arithmetic.overflows_in_any_way) return false;
  if (!acceptance.Has(Trait::kFolds)) return judged.profile.ArithmeticOf(instruction.op->name).overflows_in_any_way;
  const std::vector<HloComputation*> called = instruction.CalledComputations();
  const bool folds_elements = acceptance.terms != nullptr && acceptance.gap.in_opposite_order == nullptr;
  return folds_elements && called.size() == 1 && FoldedOpOf(*called[0]) != nullptr;
}

// True if a number of f64, perhaps rounded to 53 bits, is not what an integer type holds. Arithmetic wraps by multiples
// of 2^bits; a conversion clamps.
bool IsBeyondIntegers(PrimitiveType type, double exact, double want, bool is_conversion) {
  const double reach = std::ldexp(1.0, BitWidth(type) - 1);
  if (!is_conversion) return !(std::fabs(exact - want) < reach);
  const double low = IsSignedIntegralType(type) ? -reach : 0, high = IsSignedIntegralType(type) ? reach : 2 * reach;
  return !(std::trunc(exact) >= low && std::trunc(exact) < high);
}

// True if a number rounds to none of a format without infinities.
bool IsBeyondFormat(PrimitiveType type, double exact, double want) {
  const FloatFormat& format = FloatFormatOf(type);
  if (format.has_infinity) return false;
  if (format.nan != NanEncoding::kNone) return std::isnan(want) && !std::isnan(exact);
  const double largest = LargestFinite(type);
  return !(std::fabs(exact) < largest + UnitInTheLastPlace(type, largest) / 2);
}

}  // namespace

ElementTest ImplementationDefined(const JudgedInstruction& judged, std::span<const Literal> operands, std::size_t leaf,
                                  const Literal& want) {
  const OpAcceptance& acceptance = AcceptanceOf(judged.instruction);
  const auto breaks_assumption = acceptance.gap.breaks_assumption;
  const bool is_open = (judged.arithmetic.varies_generators && acceptance.Has(Trait::kDrawsBits)) ||
                       (judged.arithmetic.relies_on_assumptions && breaks_assumption != nullptr &&
                        breaks_assumption(judged.instruction, operands));
  if (is_open) return [](std::int64_t) { return true; };
  ElementTest by_op;
  if (const auto tests = acceptance.gap.implementation_defined) by_op = tests(judged.instruction, operands, leaf);
  if (!MayBeUnrepresentable(judged)) return by_op;
  std::optional<Literal> numbers = NumbersInF64(judged.instruction, operands);
  if (!numbers) return by_op;
  const PrimitiveType type = want.element_type();
  const auto exact = std::make_shared<const Literal>(*std::move(numbers));
  const auto own = std::make_shared<const Literal>(NumbersOf(want));
  return [=, is_conversion = acceptance.Has(Trait::kConverts)](std::int64_t element) {
    if (by_op && by_op(element)) return true;
    const double number = exact->values<double>()[element], wanted = own->values<double>()[element];
    return IsIntegralType(type) ? IsBeyondIntegers(type, number, wanted, is_conversion)
                                : IsBeyondFormat(type, number, wanted);
  };
}

}  // namespace assay
