#include "backends/lawful/algorithms/rewriter.h"
#include "backends/lawful/algorithms/rewrites.h"
#include "interpreter/hlo/op.h"

namespace assay {
namespace {

constexpr double kReciprocal = 0.5;

class ReciprocalRoots : public Rewriter {
 public:
  using Rewriter::Rewriter;

 private:
  void Visit(HloInstruction& quotient) override {
    if (quotient.op->name != "divide" || quotient.operand(1).op->name != "sqrt") return;
    if (!IsPlainArray(quotient.shape) || !IsOpenFor("divide") || quotient.result_accuracy) return;
    const PrimitiveType type = quotient.shape.element_type();
    if (!IsFloatingPointType(type) || BitWidth(type) < 16 || BitWidth(type) > 32 || !noise().Chance(kReciprocal))
      return;
    HloInstruction& root = *quotient.operands[1];
    quotient.operands[1] = &Make("rsqrt", root.shape, {root.operands[0]});
    quotient.op = FindOp("multiply");
  }
};

}  // namespace

const RewritePass pass_multiply_by_reciprocal_roots = Rewriter::ApplyTo<ReciprocalRoots>;

}  // namespace assay
