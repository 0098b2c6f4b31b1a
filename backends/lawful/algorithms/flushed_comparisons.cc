#include <algorithm>
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
  FlushedComparisons(HloComputation& computation, const RewritingFreedom& freedom, Noise& noise, Widenings& widenings)
      : Rewriter(computation, freedom, noise, widenings),
        is_open_(IsOpenFor("compare") && noise.Chance(kInComputation)) {}

 private:
  void Visit(HloInstruction& compare) override {
    if (!is_open_ || compare.op->name != "compare" || compare.String("type") == "TOTALORDER") return;
    for (HloInstruction*& operand : compare.operands) {
      const PrimitiveType type = operand->shape.element_type();
      const bool may_be_subnormal = IsFloatingPointType(type) && BitWidth(type) >= 16;
      if (may_be_subnormal && IsPlainArray(operand->shape)) operand = &Flushed(*operand);
    }
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

  const bool is_open_;
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
