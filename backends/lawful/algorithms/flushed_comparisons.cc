#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "backends/lawful/algorithms/rewriter.h"
#include "backends/lawful/algorithms/rewrites.h"
#include "interpreter/hlo/op.h"
#include "interpreter/types/float_format.h"

namespace assay {
namespace {

constexpr double kInComputation = 0.5;

class FlushedComparisons : public Rewriter {
 public:
  using Rewriter::Rewriter;

 private:
  void Visit(HloInstruction& compare) override {
    if (compare.op->name != "compare" || compare.String("type") == "TOTALORDER") return;
    for (HloInstruction*& operand : compare.operands) {
      const PrimitiveType type = operand->shape.element_type();
      const bool may_be_subnormal = IsFloatingPointType(type) && BitWidth(type) >= 16;
      if (may_be_subnormal && IsPlainArray(operand->shape) && Flushes()) operand = &Flushed(*operand);
    }
  }

  // All comparisons of a computation flush, or none: others would be no order of the elements.
  bool Flushes() {
    if (!flushes_) flushes_ = IsOpenFor("compare") && noise().Chance(kInComputation);
    return *flushes_;
  }

  // Returns a number, or the zero of its sign if it is subnormal.
  HloInstruction& Flushed(HloInstruction& number) {
    const Shape& shape = number.shape;
    HloInstruction& magnitude = Make("abs", shape, {&number});
    HloInstruction& least = Number(LeastNormal(shape.element_type()), shape);
    HloInstruction& is_small = Make("compare", ShapeUtil::ChangeElementType(shape, PRED), {&magnitude, &least});
    is_small.Set("direction", std::string("LT"));
    HloInstruction& zero = Make("multiply", shape, {&number, &Number(0, shape)});
    return Make("select", shape, {&is_small, &zero, &number});
  }

  std::optional<bool> flushes_;
};

// In the computations that folds and sorts apply: others flush operand by operand, without a rewrite.
void FlushComparisons(HloModule& module, const RewritingFreedom& freedom, Noise& noise, Widenings& widenings) {
  const std::vector<HloComputation*> straight = StraightComputations(module);
  for (const auto& computation : module.computations) {
    if (std::ranges::count(straight, computation.get()) == 0)
      FlushedComparisons(*computation, freedom, noise, widenings).Rewrite();
  }
}

}  // namespace

const RewritePass pass_flush_comparisons = FlushComparisons;

}  // namespace assay
