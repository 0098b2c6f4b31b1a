// fixed_point: kernels of integers represent the numbers of quantized arrays by integers and multiply these by
// fixed-point numbers. They do not round the numbers of the expressed type, and requantize with errors of their own.
// The freedom takes several instructions, so only sets through programs use it.
#include <cmath>

#include "interpreter/acceptance/freedom.h"
#include "interpreter/acceptance/ops/common/quantization.h"
#include "interpreter/acceptance/ops/op_acceptance.h"
#include "interpreter/acceptance/sets/lawful_facts.h"
#include "interpreter/acceptance/sets/reals.h"
#include "interpreter/hlo/op.h"

namespace assay {
namespace {

bool MayStayUnrounded(const LeafFacts& leaf) { return leaf.instruction.rounds; }
bool KeepsRounded(const LeafFacts& leaf) { return !leaf.instruction.rounds; }
bool ReadsUnrounded(const InstructionFacts& instruction, PrimitiveType) { return instruction.rounds; }

Widening Unrounded(const ElementFacts& element, const Reals& exact, const Reals& lawful) {
  if (element.is_moved || !element.leaf.instruction.rounds) return {lawful};
  const Reals unrounded = Hull(lawful, exact);
  return {unrounded, !Same(unrounded, lawful)};
}

// Widens the numbers that a quantization rounds where that may give another integer. The error is also room for ties,
// which kernels round away from zero (gemmlowp's RoundingDivideByPOT) or up (a sum and a shift).
void RequantizeInFixedPoint(const HloInstruction& round, ValueSet& operand) {
  const OpAcceptance& acceptance = AcceptanceOf(round);
  if (round.operands.size() != 1 || !acceptance.Has(Trait::kJumps) || acceptance.rule != Acceptance::kExact) return;
  const std::optional<FixedPointError> error = FixedPointErrorOf(*round.operands[0]);
  if (!error) return;
  const ElementReader reader(operand);
  ElementWriter writer(operand.value);
  for (std::int64_t i = 0; i < operand.value.element_count(); ++i) {
    const Reals own = reader.At(i);
    // An infinity has no error.
    const auto error_at = [&](double end) { return std::isfinite(end) ? error->At(end) : 0; };
    const Reals number = {own.low - error_at(own.low), own.high + error_at(own.high), own.may_be_nan};
    const bool has_one_integer = std::rint(number.low) == std::rint(number.high);
    if (reader.IsOpen(i) || !has_one_integer) writer.Set(i, number);
  }
  operand.open = writer.Take();
  operand.freedoms |= BitOf(Freedom::kFixedPoint);
}

}  // namespace

const FreedomRecord freedom_fixed_point = {
    .name = "fixed_point",
    .meaning = "quantized arrays may be computed as integers, and requantized by fixed-point multipliers",
    .permits = &LawfulArithmetic::computes_with_integers,
    .noise = "fixed-point numbers",
    .widening = {.applies_to = IsDequantized,
                 .at_rounding = Unrounded,
                 .keeps_normal = KeepsRounded,
                 .may_open = MayStayUnrounded,
                 .reads_exact = ReadsUnrounded,
                 .widen_operand = RequantizeInFixedPoint,
                 .takes_several_instructions = true},
};

}  // namespace assay
