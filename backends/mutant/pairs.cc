#include <string>

#include "backends/mutant/mutant.h"
#include "interpreter/hlo/op.h"

namespace assay {
namespace {

bool IsOp(const HloInstruction& instruction, std::string_view op) { return instruction.op->name == op; }

// Turns the instruction into another operation with the same shape and name. The verifier checks the shape.
bool Become(HloInstruction& instruction, std::string_view op, std::vector<HloInstruction*> operands) {
  instruction.op = FindOp(op);
  instruction.operands = std::move(operands);
  instruction.attributes.clear();
  instruction.result_accuracy.reset();
  return true;
}

bool RootOfSquare(HloInstruction& root) {
  const HloInstruction& square = root.operand(0);
  if (!IsOp(square, "multiply") || square.operands[0] != square.operands[1]) return false;
  return Become(root, "abs", {square.operands[0]});
}

bool LogOfExponential(HloInstruction& log) {
  const HloInstruction& exponential = log.operand(0);
  return IsOp(exponential, "exponential") && Become(log, "copy", {exponential.operands[0]});
}

bool SumLessTerm(HloInstruction& difference) {
  const HloInstruction& sum = difference.operand(0);
  if (!IsOp(sum, "add") || sum.operands[1] != difference.operands[1]) return false;
  return Become(difference, "copy", {sum.operands[0]});
}

bool QuotientTimesDivisor(HloInstruction& product) {
  const HloInstruction& quotient = product.operand(0);
  if (!IsOp(quotient, "divide") || quotient.operands[1] != product.operands[1]) return false;
  return Become(product, "copy", {quotient.operands[0]});
}

bool NegatedDifference(HloInstruction& negated) {
  const HloInstruction& difference = negated.operand(0);
  if (!IsOp(difference, "subtract")) return false;
  return Become(negated, "subtract", {difference.operands[1], difference.operands[0]});
}

bool MaximumOfMinimum(HloInstruction& maximum) {
  const HloInstruction& minimum = maximum.operand(0);
  if (!IsOp(minimum, "minimum")) return false;
  return Become(maximum, "clamp", {maximum.operands[1], minimum.operands[0], minimum.operands[1]});
}

bool SelectedLarger(HloInstruction& select) {
  const HloInstruction& compare = select.operand(0);
  const bool is_larger = IsOp(compare, "compare") && compare.String("direction").starts_with("G") &&
                         compare.operands[0] == select.operands[1] && compare.operands[1] == select.operands[2];
  return is_larger && Become(select, "maximum", {select.operands[1], select.operands[2]});
}

// Replaces the first operand, if it is an instruction of this op, with that instruction's own first operand.
bool PassOver(HloInstruction& instruction, std::string_view op) {
  const HloInstruction& inner = instruction.operand(0);
  if (!IsOp(inner, op)) return false;
  instruction.operands[0] = inner.operands[0];
  return true;
}

bool ConvertOfConvert(HloInstruction& convert) { return PassOver(convert, "convert"); }
bool TransposeOfTranspose(HloInstruction& transpose) { return PassOver(transpose, "transpose"); }
// A reshape does not move row-major data, but the transpose does.
bool ReshapeOfTranspose(HloInstruction& reshape) { return PassOver(reshape, "transpose"); }
bool SliceOfPad(HloInstruction& slice) { return PassOver(slice, "pad"); }
bool OuterStartAlone(HloInstruction& slice) { return PassOver(slice, "dynamic-slice"); }
bool DotOfTranspose(HloInstruction& dot) { return PassOver(dot, "transpose"); }

bool ReverseOfReverse(HloInstruction& reverse) {
  const HloInstruction& inner = reverse.operand(0);
  return IsOp(inner, "reverse") && Become(reverse, "copy", {inner.operands[0]});
}

}  // namespace

const std::vector<Mutant>& PairMutants() {
  struct Pair {
    std::string_view id, op, rule;
    bool (*rewrite)(HloInstruction&);
  };
  constexpr Pair kPairs[] = {
      {"convert_of_convert", "convert", "the inner of two conversions is left out, which may round", ConvertOfConvert},
      {"dot_of_transpose", "dot", "the transpose of the left operand is left out", DotOfTranspose},
      {"log_of_exponential", "log", "log(exp(x)) is x, where exp(x) overflows too", LogOfExponential},
      {"maximum_of_minimum", "maximum", "max(min(x, b), a) is clamp(a, x, b), where a > b too", MaximumOfMinimum},
      {"negated_difference", "negate", "-(a - b) is b - a, also where it is zero", NegatedDifference},
      {"quotient_times_divisor", "multiply", "(a / b) * b is a", QuotientTimesDivisor},
      {"reshape_of_transpose", "reshape", "a transpose before a reshape is left out", ReshapeOfTranspose},
      {"reverse_of_reverse", "reverse", "two reversals are none, of other dimensions too", ReverseOfReverse},
      {"root_of_square", "sqrt", "sqrt(x * x) is abs(x), where x * x overflows too", RootOfSquare},
      {"selected_larger", "select", "select(a > b, a, b) is max(a, b), also of NaN", SelectedLarger},
      {"slice_of_dynamic_slice", "dynamic-slice", "of two starts only the outer one counts", OuterStartAlone},
      {"slice_of_pad", "slice", "a padding before a slice is left out", SliceOfPad},
      {"sum_less_term", "subtract", "(a + b) - b is a", SumLessTerm},
      {"transpose_of_transpose", "transpose", "the inner of two transposes is left out", TransposeOfTranspose},
  };
  static const std::vector<Mutant> mutants = [&] {
    std::vector<Mutant> all;
    for (const Pair& pair : kPairs) {
      all.push_back(
          {.id = std::string(pair.id), .op = pair.op, .rule = std::string(pair.rule), .rewrite = pair.rewrite});
    }
    return all;
  }();
  return mutants;
}

}  // namespace assay
