#include <algorithm>
#include <map>
#include <string_view>

#include "backends/lawful/algorithms/rewriter.h"
#include "backends/lawful/algorithms/rewrites.h"
#include "interpreter/hlo/op.h"

namespace assay {
namespace {

// How often an operation has a twin in f32, and how often one that could use it does.
constexpr double kTwins = 0.7, kUses = 0.8;
constexpr std::string_view kWidened[] = {
    "abs",      "add",    "broadcast", "clamp",   "concatenate", "divide", "dot",  "maximum",  "minimum",
    "multiply", "negate", "reshape",   "reverse", "select",      "slice",  "sqrt", "subtract", "transpose",
};

bool IsNarrow(const Shape& shape) {
  return IsPlainArray(shape) && (shape.element_type() == F16 || shape.element_type() == BF16);
}

class ExcessPrecision : public Rewriter {
 public:
  using Rewriter::Rewriter;

 private:
  void Visit(HloInstruction& instruction) override {
    const std::string_view op = instruction.op->name;
    if (!profile().Allows(Freedom::kExcessPrecision, op)) return;
    if (op == "compare" || op == "convert") {
      if (op == "convert" && IsNarrow(instruction.shape) && noise().Chance(kTwins)) ElideConversion(instruction);
      if (IsNarrow(instruction.operand(0).shape)) Widen(instruction.operands);
      return;
    }
    if (std::ranges::count(kWidened, op) == 0 || !IsNarrow(instruction.shape) || !noise().Chance(kTwins)) return;
    for (const HloInstruction* operand : instruction.operands) {
      if (IsReal(operand->shape.element_type()) && !IsNarrow(operand->shape)) return;
    }
    std::vector<HloInstruction*> operands = instruction.operands;
    Widen(operands);
    HloInstruction& twin = MakeLike(instruction, F32, std::move(operands));
    twins_[&instruction] = &twin;
    if (noise().Chance(kUses)) BecomeConversionOf(instruction, twin);
  }

  // What is converted to a narrow type stays as it was, or is converted to f32 only.
  void ElideConversion(HloInstruction& conversion) {
    HloInstruction& from = *conversion.operands[0];
    if (!IsPlainArray(from.shape) || IsComplexType(from.shape.element_type())) return;
    if (const auto twin = twins_.find(&from); twin != twins_.end()) {
      twins_[&conversion] = twin->second;
    } else {
      twins_[&conversion] = from.shape.element_type() == F32 ? &from : &Converted(from, F32);
    }
  }

  // All operands that are narrow, as numbers of f32.
  void Widen(std::vector<HloInstruction*>& operands) {
    for (HloInstruction*& operand : operands) {
      if (!IsNarrow(operand->shape)) continue;
      const auto twin = twins_.find(operand);
      operand = twin != twins_.end() && noise().Chance(kUses) ? twin->second : &Converted(*operand, F32);
    }
  }

  std::map<const HloInstruction*, HloInstruction*> twins_;
};

}  // namespace

void KeepExcessPrecision(HloModule& module, const Profile& profile, Noise& noise) {
  for (HloComputation* computation : StraightComputations(module)) {
    ExcessPrecision(*computation, profile, noise).Rewrite();
  }
}

}  // namespace assay
