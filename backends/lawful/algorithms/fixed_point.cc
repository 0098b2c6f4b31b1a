#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "backends/lawful/algorithms/rewriter.h"
#include "backends/lawful/algorithms/rewrites.h"
#include "interpreter/acceptance/ops/common/quantization.h"
#include "interpreter/hlo/op.h"

namespace assay {
namespace {

constexpr double kInFixedPoint = 0.7, kRoundedTwice = 0.7;
// A finer first rounding changes no integer.
constexpr double kLeastUnit = 0x1p-40;
// Ops that kernels of integers compute exactly; f64 holds their results.
constexpr std::string_view kExact[] = {"add",     "broadcast", "convolution", "dot",     "maximum",
                                       "minimum", "multiply",  "negate",      "reshape", "reverse",
                                       "slice",   "subtract",  "transpose"};

class FixedPoint : public Rewriter {
 public:
  // The errors are those of the program: a rewritten quantization hides the scales of others.
  FixedPoint(HloComputation& computation, const RewritingFreedom& freedom, Noise& noise, Widenings& widenings)
      : Rewriter(computation, freedom, noise, widenings) {
    if (!IsOpenFor("round-nearest-even")) return;
    for (const auto& instruction : computation.instructions) {
      if (IsDequantized(*instruction)) dequantized_.insert(instruction.get());
      if (const auto error = FixedPointErrorOf(*instruction)) errors_[instruction.get()] = *error;
    }
  }

 private:
  void Visit(HloInstruction& round) override {
    if (round.op->name != "round-nearest-even" || !IsPlainArray(round.shape) || !IsOpenFor(round.op->name)) return;
    HloInstruction& clamp = *round.operands[0];
    const auto found = errors_.find(&clamp);
    if (found == errors_.end() || !noise().Chance(kInFixedPoint)) return;
    const FixedPointError& error = found->second;
    HloInstruction& shifted = *clamp.operands[1];
    const bool has_zero_point = shifted.op->name == "add";
    HloInstruction& quotient = has_zero_point ? *shifted.operands[0] : shifted;
    std::vector<HloInstruction*> operands;
    for (HloInstruction* operand : quotient.operands) operands.push_back(&Unrounded(*operand, round));
    HloInstruction* number = &MakeLike(quotient, F64, std::move(operands));
    number = &Times(*number, 1 + noise().Signed() * error.relative);
    if (error.absolute > kLeastUnit && noise().Chance(kRoundedTwice)) {
      const double unit = 2 * error.absolute;
      number = &Times(Make("round-nearest-afz", number->shape, {&Times(*number, 1 / unit)}), unit);
    }
    if (has_zero_point) number = &Make("add", number->shape, {number, &Widened(*shifted.operands[1], F64, round)});
    number = &MakeLike(clamp, F64,
                       {&Widened(*clamp.operands[0], F64, round), number, &Widened(*clamp.operands[2], F64, round)});
    BecomeConversionOf(round, Rounded(*number));
  }

  // Rounds to nearest, with ties to even, away from zero, or up.
  HloInstruction& Rounded(HloInstruction& number) {
    const std::int64_t rounding = noise().Below(3);
    if (rounding < 2) return Make(rounding == 0 ? "round-nearest-even" : "round-nearest-afz", number.shape, {&number});
    return Make("floor", number.shape, {&Make("add", number.shape, {&number, &Number(0.5, number.shape)})});
  }

  HloInstruction& Times(HloInstruction& number, double factor) {
    return Make("multiply", number.shape, {&number, &Number(factor, number.shape)});
  }

  // Returns numbers in f64 that were not rounded before, if integers determine them.
  HloInstruction& Unrounded(HloInstruction& number, const HloInstruction& user) {
    if (const auto known = unrounded_.find(&number); known != unrounded_.end()) return *known->second;
    HloInstruction* unrounded = nullptr;
    const bool is_conversion = number.op->name == "convert";
    const bool is_exact = std::ranges::count(kExact, number.op->name) > 0 && !number.Has("algorithm");
    if (!IsPlainArray(number.shape) || !(is_conversion || is_exact) || !dequantized_.contains(&number)) {
      unrounded = &Widened(number, F64, user);
    } else {
      std::vector<HloInstruction*> operands = number.operands;
      for (HloInstruction*& operand : operands) {
        if (!is_conversion) operand = &Unrounded(*operand, user);
      }
      unrounded = &MakeLike(number, F64, std::move(operands));
    }
    return *(unrounded_[&number] = unrounded);
  }

  std::set<const HloInstruction*> dequantized_;
  std::map<const HloInstruction*, FixedPointError> errors_;
  std::map<const HloInstruction*, HloInstruction*> unrounded_;
};

}  // namespace

const RewritePass pass_requantize_in_fixed_point = Rewriter::ApplyTo<FixedPoint>;

}  // namespace assay
