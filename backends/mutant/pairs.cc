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

// Replaces the first operand, if it is an instruction of this op, with that instruction's own first operand.
bool PassOver(HloInstruction& instruction, std::string_view op) {
  const HloInstruction& inner = instruction.operand(0);
  if (!IsOp(inner, op)) return false;
  instruction.operands[0] = inner.operands[0];
  return true;
}

// A reshape does not move row-major data, but the transpose does.
bool ReshapeOfTranspose(HloInstruction& reshape) { return PassOver(reshape, "transpose"); }
bool TransposeOfTranspose(HloInstruction& transpose) { return PassOver(transpose, "transpose"); }

const std::vector<Mutant> kPairs = {
    {.id = "negated_difference",
     .op = "negate",
     .rule = "-(a - b) is b - a, also where it is zero",
     .rewrite = NegatedDifference},
    {.id = "quotient_times_divisor", .op = "multiply", .rule = "(a / b) * b is a", .rewrite = QuotientTimesDivisor},
    {.id = "reshape_of_transpose",
     .op = "reshape",
     .rule = "a transpose before a reshape is left out",
     .rewrite = ReshapeOfTranspose},
    {.id = "root_of_square",
     .op = "sqrt",
     .rule = "sqrt(x * x) is abs(x), where x * x overflows too",
     .rewrite = RootOfSquare},
    {.id = "transpose_of_transpose",
     .op = "transpose",
     .rule = "the inner of two transposes is left out",
     .rewrite = TransposeOfTranspose},
};

}  // namespace

const std::vector<Mutant>& PairMutants() { return kPairs; }

}  // namespace assay
