#include "interpreter/acceptance/find_before.h"

#include <unordered_set>
#include <vector>

namespace assay {

const HloInstruction* FindBefore(const HloInstruction& value,
                                 const std::function<bool(const HloInstruction&)>& is_sought) {
  std::vector<const HloInstruction*> rest = {&value};
  std::unordered_set<const HloInstruction*> seen;
  while (!rest.empty()) {
    const HloInstruction* const instruction = rest.back();
    rest.pop_back();
    if (!seen.insert(instruction).second) continue;
    if (is_sought(*instruction)) return instruction;
    rest.insert(rest.end(), instruction->operands.begin(), instruction->operands.end());
    for (const HloComputation* called : instruction->CalledComputations()) rest.push_back(called->root);
  }
  return nullptr;
}

bool FollowsFrom(const HloInstruction& value, const HloInstruction& instruction) {
  return FindBefore(value, [&](const HloInstruction& one) { return &one == &instruction; }) != nullptr;
}

}  // namespace assay
