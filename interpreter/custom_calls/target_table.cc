#include <map>
#include <vector>

#include "interpreter/custom_calls/family.h"
#include "interpreter/custom_calls/user_targets.h"

namespace assay {

std::span<const CustomCallTarget* const> AllCustomCallTargets() {
  static const std::vector<const CustomCallTarget*> targets = [] {
    std::vector<const CustomCallTarget*> all;
#define ASSAY_TARGETS(name) \
  for (const CustomCallTarget& target : targets_##name) all.push_back(&target);
#include "interpreter/custom_calls/target_list.inc"
#undef ASSAY_TARGETS
    return all;
  }();
  return targets;
}

const CustomCallTarget* FindBuiltInTarget(std::string_view name) {
  static const auto by_name = [] {
    std::map<std::string_view, const CustomCallTarget*> map;
    for (const CustomCallTarget* target : AllCustomCallTargets()) {
      for (std::string_view target_name : target->names) map.emplace(target_name, target);
    }
    return map;
  }();
  const auto found = by_name.find(name);
  return found == by_name.end() ? nullptr : found->second;
}

Result<const CustomCallTarget*> FindCustomCallTarget(const HloInstruction& custom_call) {
  const CustomCallTarget* const built_in = FindBuiltInTarget(custom_call.String("custom_call_target"));
  if (built_in != nullptr && built_in->evaluate != nullptr) return built_in;
  // The user may supply a target that has no evaluator here.
  Result<const CustomCallTarget*> users = FindUserTarget(custom_call);
  if (users || built_in == nullptr) return users;
  return built_in;
}

}  // namespace assay
