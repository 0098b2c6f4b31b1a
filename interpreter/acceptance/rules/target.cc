// target: derived from the target of the custom call. The result of an unknown target is unspecified.
#include "interpreter/acceptance/ops/op_acceptance.h"
#include "interpreter/acceptance/rule.h"
#include "interpreter/hlo/custom_call_target.h"

namespace assay {
namespace {

void ChooseTarget(const HloInstruction& custom_call, const Profile&, RuleChoice& choice) {
  const Result<const CustomCallTarget*> target = FindCustomCallTarget(custom_call);
  choice.acceptance = target ? AcceptanceOf(**target) : Acceptance::kUnspecified;
}

}  // namespace

Acceptance AcceptanceOf(const CustomCallTarget& target) {
  if (target.is_unspecified || target.evaluate == nullptr) return Acceptance::kUnspecified;
  return target.properties == nullptr ? Acceptance::kExact : Acceptance::kProperties;
}

const Rule rule_target = {
    .name = "target",
    .choose = ChooseTarget,
};

}  // namespace assay
