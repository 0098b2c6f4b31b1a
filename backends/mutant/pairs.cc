#include <algorithm>
#include <string>

#include "backends/mutant/mutant.h"
#include "backends/mutant/operators/rewrite.h"
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

Mutant Rewriting(std::string_view id, std::string_view op, std::string_view rule, bool (*rewrite)(HloInstruction&)) {
  return {.id = std::string(id), .op = op, .rule = std::string(rule), .rewrite = rewrite};
}

const std::vector<Mutant> kPairs = {
    Rewriting("negated_difference", "negate", "-(a - b) is b - a, also where it is zero", NegatedDifference),
    Rewriting("quotient_times_divisor", "multiply", "(a / b) * b is a", QuotientTimesDivisor),
    Rewriting("reshape_of_transpose", "reshape", "a transpose before a reshape is left out", ReshapeOfTranspose),
    Rewriting("root_of_square", "sqrt", "sqrt(x * x) is abs(x), where x * x overflows too", RootOfSquare),
    Rewriting("transpose_of_transpose", "transpose", "the inner of two transposes is left out", TransposeOfTranspose),
};

// Quantization as StableHLO's operations are lowered to HLO (docs/quantized.md):
// convert(round-nearest-even(clamp(least, x / scale + zero point, largest))). A zero point of 0 is not added.
bool IsScaled(const HloInstruction& number) {
  return IsOp(number, "divide") || (IsOp(number, "add") && IsOp(number.operand(0), "divide"));
}
bool ClampsScaled(const HloInstruction& clamp) { return IsOp(clamp, "clamp") && IsScaled(clamp.operand(1)); }
bool RoundsScaled(const HloInstruction& round) {
  return IsOp(round, "round-nearest-even") && ClampsScaled(round.operand(0));
}
bool IsQuantization(const HloInstruction& convert) { return RoundsScaled(convert.operand(0)); }

// Dequantization: multiply(convert(subtract(convert(integers), zero point)), scale).
bool SubtractsZeroPoint(const HloInstruction& subtract) {
  const HloInstruction& wide = subtract.operand(0);
  return IsIntegralType(subtract.shape.element_type()) && IsOp(wide, "convert") &&
         IsIntegralType(wide.operand(0).shape.element_type());
}
bool IsDequantization(const HloInstruction& multiply) {
  return IsOp(multiply, "multiply") && IsOp(multiply.operand(0), "convert") &&
         IsIntegralType(multiply.operand(0).operand(0).shape.element_type());
}

// Adds an instruction before `next`, which will use it.
HloInstruction* Before(HloInstruction& next, std::string_view op, const Shape& shape,
                       std::vector<HloInstruction*> operands) {
  HloInstruction instruction;
  instruction.op = FindOp(op);
  instruction.shape = shape;
  instruction.operands = std::move(operands);
  return &AddBefore(next, instruction);
}
HloInstruction* Number(HloInstruction& next, const Shape& shape, float number) {
  HloInstruction* constant = Before(next, "constant", ShapeUtil::MakeScalarShape(F32), {});
  constant->literal = LiteralUtil::CreateR0(F32, number);
  HloInstruction* converted = Before(next, "convert", ShapeUtil::MakeScalarShape(shape.element_type()), {constant});
  HloInstruction* all = Before(next, "broadcast", shape, {converted});
  all->Set("dimensions", Int64List{});
  return all;
}

bool ForgetZeroPoint(HloInstruction& subtract) {
  return SubtractsZeroPoint(subtract) && Become(subtract, "copy", {subtract.operands[0]});
}

bool SubtractInStorage(HloInstruction& subtract) {
  if (!SubtractsZeroPoint(subtract)) return false;
  HloInstruction& difference = AddBefore(subtract, subtract);
  const Shape& storage = subtract.operand(0).operand(0).shape;
  return Become(subtract, "convert", {Before(subtract, "convert", storage, {&difference})});
}

bool AddNoZeroPoint(HloInstruction& clamp) {
  if (!ClampsScaled(clamp) || !IsOp(clamp.operand(1), "add")) return false;
  clamp.operands[1] = clamp.operand(1).operands[0];
  return true;
}

bool AddZeroPointAfterClamp(HloInstruction& round) {
  if (!RoundsScaled(round) || !IsOp(round.operand(0).operand(1), "add")) return false;
  const HloInstruction &clamp = round.operand(0), &sum = clamp.operand(1);
  const std::vector<HloInstruction*> limits = clamp.operands;
  HloInstruction* clamped = Before(round, "clamp", clamp.shape, {limits[0], sum.operands[0], limits[2]});
  round.operands[0] = Before(round, "add", clamp.shape, {clamped, sum.operands[1]});
  return true;
}

bool AddZeroPointAfterRounding(HloInstruction& clamp) {
  if (!ClampsScaled(clamp) || !IsOp(clamp.operand(1), "add")) return false;
  const HloInstruction& sum = clamp.operand(1);
  HloInstruction* rounded = Before(clamp, "round-nearest-even", sum.shape, {sum.operands[0]});
  clamp.operands[1] = Before(clamp, "add", sum.shape, {rounded, sum.operands[1]});
  return true;
}

bool ForgetLimits(HloInstruction& round) {
  if (!RoundsScaled(round)) return false;
  round.operands[0] = round.operand(0).operands[1];
  return true;
}

bool WrapIntegers(HloInstruction& convert) {
  if (!IsQuantization(convert)) return false;
  const HloInstruction& round = convert.operand(0);
  HloInstruction* rounded = Before(convert, "round-nearest-even", round.shape, {round.operand(0).operands[1]});
  convert.operands[0] = Before(convert, "convert", ShapeUtil::ChangeElementType(round.shape, S64), {rounded});
  return true;
}

bool LowerLargest(HloInstruction& clamp) {
  if (!ClampsScaled(clamp)) return false;
  HloInstruction* one = Number(clamp, clamp.operand(2).shape, 1);
  clamp.operands[2] = Before(clamp, "subtract", clamp.operand(2).shape, {clamp.operands[2], one});
  return true;
}

bool Truncate(HloInstruction& convert) { return IsQuantization(convert) && PassOver(convert, "round-nearest-even"); }
bool RoundTiesAway(HloInstruction& round) {
  return RoundsScaled(round) && Become(round, "round-nearest-afz", round.operands);
}
bool RoundTiesUp(HloInstruction& round) {
  if (!RoundsScaled(round)) return false;
  HloInstruction* half = Number(round, round.shape, 0.5F);
  return Become(round, "floor", {Before(round, "add", round.shape, {round.operands[0], half})});
}

bool Precedes(const HloInstruction& first, const HloInstruction& second) {
  const auto& all = second.parent->instructions;
  const auto is_one = [&](const auto& instruction) {
    return instruction.get() == &first || instruction.get() == &second;
  };
  return std::ranges::find_if(all, is_one)->get() == &first;
}

// Gives the second of two dequantized operands the scale of the first.
bool TakeScaleOfFirst(HloInstruction& multiply) {
  if (!IsDequantization(multiply)) return false;
  for (const auto& user : multiply.parent->instructions) {
    const auto& operands = user->operands;
    const auto place = std::ranges::find(operands, &multiply);
    if (place == operands.begin() || place == operands.end() || !IsDequantization(*operands[0])) continue;
    HloInstruction* scale = operands[0]->operands[1];
    if (!ShapeUtil::Compatible(scale->shape, multiply.operand(1).shape) || !Precedes(*scale, multiply)) continue;
    multiply.operands[1] = scale;
    return true;
  }
  return false;
}

// True for the parameters of the slices of a dimension that users of these ops apply.
bool IsPerAxis(const HloInstruction& broadcast, std::string_view op, std::string_view other) {
  const HloInstruction& slices = broadcast.operand(0);
  if (!slices.literal || slices.shape.rank() != 1 || slices.shape.dimensions(0) < 2) return false;
  return std::ranges::any_of(broadcast.parent->instructions, [&](const auto& user) {
    return (IsOp(*user, op) || IsOp(*user, other)) && user->operands[1] == &broadcast;
  });
}

bool ReverseSlices(HloInstruction& broadcast) {
  HloInstruction* reversed = Before(broadcast, "reverse", broadcast.operand(0).shape, {broadcast.operands[0]});
  reversed->Set("dimensions", Int64List{0});
  broadcast.operands[0] = reversed;
  return true;
}
bool ReverseScales(HloInstruction& broadcast) {
  return IsPerAxis(broadcast, "multiply", "divide") && ReverseSlices(broadcast);
}
bool ReverseZeroPoints(HloInstruction& broadcast) {
  return IsPerAxis(broadcast, "add", "subtract") && ReverseSlices(broadcast);
}

const std::vector<Mutant> kQuantization = {
    Rewriting("dequantize_by_scale_of_first_operand", "multiply",
              "the second of two dequantized operands has the scale of the first", TakeScaleOfFirst),
    Rewriting("dequantize_in_storage_type", "subtract", "the zero point is subtracted in the storage type, and wraps",
              SubtractInStorage),
    Rewriting("dequantize_without_zero_point", "subtract", "the zero point is not subtracted", ForgetZeroPoint),
    Rewriting("quantize_adds_zero_point_after_clamp", "round-nearest-even",
              "the zero point is added to the clamped number", AddZeroPointAfterClamp),
    Rewriting("quantize_rounds_before_zero_point", "clamp", "the zero point is added to the rounded number",
              AddZeroPointAfterRounding),
    Rewriting("quantize_ties_away", "round-nearest-even", "ties go away from zero", RoundTiesAway),
    Rewriting("quantize_ties_up", "round-nearest-even", "ties go up", RoundTiesUp),
    Rewriting("quantize_to_one_less", "clamp", "the largest integer is one less than storage_max", LowerLargest),
    Rewriting("quantize_truncates", "convert", "integers are cut off, not rounded", Truncate),
    Rewriting("quantize_without_limits", "round-nearest-even",
              "integers saturate at the ends of the storage type, not at storage_min and storage_max", ForgetLimits),
    Rewriting("quantize_without_zero_point", "clamp", "the zero point is not added", AddNoZeroPoint),
    Rewriting("quantize_wraps", "convert", "integers beyond the storage type wrap", WrapIntegers),
    Rewriting("scales_of_slices_reversed", "broadcast", "the scales of slices belong to the slices in reverse order",
              ReverseScales),
    Rewriting("zero_points_of_slices_reversed", "broadcast",
              "the zero points of slices belong to the slices in reverse order", ReverseZeroPoints),
};

}  // namespace

const std::vector<Mutant>& PairMutants() { return kPairs; }
const std::vector<Mutant>& QuantizationMutants() { return kQuantization; }

}  // namespace assay
