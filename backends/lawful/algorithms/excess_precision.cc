#include <algorithm>
#include <map>
#include <string_view>

#include "backends/lawful/algorithms/rewriter.h"
#include "backends/lawful/algorithms/rewrites.h"
#include "interpreter/acceptance/elements.h"
#include "interpreter/acceptance/rule.h"
#include "interpreter/hlo/op.h"

namespace assay {
namespace {

// The probability that an operation has a twin in f32, that a user of the operation takes the twin, and that a
// conversion of a conversion is of the operand of that.
constexpr double kTwins = 0.7, kUses = 0.8, kElided = 0.5;
constexpr std::string_view kWidened[] = {
    "abs", "add", "clamp", "divide", "dot", "maximum", "minimum", "multiply", "negate", "select", "sqrt", "subtract",
};
// These ops compute nothing: they pass on a wider value, and do not begin a chain.
constexpr std::string_view kPrecisionKeepingMovers[] = {"broadcast", "concatenate", "reshape",
                                                        "reverse",   "slice",       "transpose"};

bool IsNarrow(const Shape& shape) {
  return IsPlainArray(shape) && (shape.element_type() == F16 || shape.element_type() == BF16);
}

// Turns conversions of conversions to floating-point types into one.
class ChainsOfConversions : public Rewriter {
 public:
  using Rewriter::Rewriter;

 private:
  void Visit(HloInstruction& conversion) override {
    if (!IsConversion(conversion) || !IsConversion(conversion.operand(0)) || !IsOpenFor("convert")) return;
    const HloInstruction& inner = conversion.operand(0);
    const bool is_complex = IsComplexType(inner.operand(0).shape.element_type());
    if (!is_complex && noise().Chance(kElided)) conversion.operands[0] = inner.operands[0];
  }

  static bool IsConversion(const HloInstruction& value) {
    return value.op->name == "convert" && IsPlainArray(value.shape) && IsFloatingPointType(value.shape.element_type());
  }
};

class ExcessPrecision : public Rewriter {
 public:
  using Rewriter::Rewriter;

 private:
  void Visit(HloInstruction& instruction) override {
    const std::string_view op = instruction.op->name;
    if (!IsOpenFor(op)) return;
    if (op == "compare" || op == "convert") {
      if (op == "convert" && IsNarrow(instruction.shape) && noise().Chance(kTwins)) ElideConversion(instruction);
      if (IsNarrow(instruction.operand(0).shape)) Widen(instruction.operands, instruction);
      return;
    }
    const bool is_mover = std::ranges::count(kPrecisionKeepingMovers, op) > 0;
    const bool is_known = is_mover || std::ranges::count(kWidened, op) > 0;
    if (!is_known || !IsNarrow(instruction.shape) || !noise().Chance(kTwins)) return;
    // The accuracy that an instruction asks for applies to its rounded result. A twin would add its own rounding error.
    if (instruction.result_accuracy) return;
    for (const HloInstruction* operand : instruction.operands) {
      if (IsInexactType(operand->shape.element_type()) && !IsNarrow(operand->shape)) return;
      if (is_mover && !twins_.contains(operand)) return;
    }
    std::vector<HloInstruction*> operands = instruction.operands;
    for (HloInstruction*& operand : operands) {
      if (is_mover) operand = twins_.at(operand);
    }
    Widen(operands, instruction);
    HloInstruction& twin = MakeLike(instruction, F32, std::move(operands));
    if (RoundsToSameType(twin, instruction.shape.element_type())) return;
    twins_[&instruction] = &twin;
    if (noise().Chance(kUses)) BecomeConversionOf(instruction, twin);
  }

  // True for a product whose operands a unit rounds to a type as narrow as their own. The noise of the profile's bound
  // would be any error of that size, not this rounding.
  bool RoundsToSameType(const HloInstruction& twin, PrimitiveType narrow) const {
    const Profile::Precision* const precision = PrecisionOf(twin, profile());
    return precision != nullptr && precision->algorithm.operand_error >= UnitRoundoff(narrow);
  }

  // Makes the unconverted value, or its conversion to f32, the twin of a conversion to a narrow type.
  void ElideConversion(HloInstruction& conversion) {
    HloInstruction& from = *conversion.operands[0];
    if (!IsPlainArray(from.shape) || IsComplexType(from.shape.element_type())) return;
    if (const auto twin = twins_.find(&from); twin != twins_.end()) {
      twins_[&conversion] = twin->second;
    } else {
      twins_[&conversion] = from.shape.element_type() == F32 ? &from : &Converted(from, F32);
    }
  }

  // Replaces all narrow operands with f32 values. Equal operands of one instruction stay equal.
  void Widen(std::vector<HloInstruction*>& operands, const HloInstruction& user) {
    std::map<HloInstruction*, HloInstruction*> wide;
    for (HloInstruction*& operand : operands) {
      if (!IsNarrow(operand->shape)) continue;
      const auto [at, is_new] = wide.try_emplace(operand);
      if (is_new) {
        const auto twin = twins_.find(operand);
        at->second = twin != twins_.end() && noise().Chance(kUses) ? twin->second : &Widened(*operand, F32, user);
      }
      operand = at->second;
    }
  }

  std::map<const HloInstruction*, HloInstruction*> twins_;
};

}  // namespace

const RewritePass pass_elide_conversions = Rewriter::ApplyTo<ChainsOfConversions>;
const RewritePass pass_keep_excess_precision = Rewriter::ApplyTo<ExcessPrecision>;

}  // namespace assay
