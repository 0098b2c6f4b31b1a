#include "interpreter/acceptance/ops/common/sum_algorithms.h"
#include "interpreter/acceptance/ops/records.h"
#include "interpreter/ops/common/scale_rules.h"

namespace assay {
namespace {

bool IsUnread(const HloInstruction& dot, std::size_t operand) {
  return operand >= 2 && IsDummyScale(dot.operands[operand - 2]->shape, dot.operands[operand]->shape);
}

}  // namespace

const OpAcceptance acceptance_scaled_dot = {
    .op = &op_scaled_dot, .rule = Acceptance::kSum, .facts = SumAlgorithmOf, .is_unread = IsUnread};

}  // namespace assay
