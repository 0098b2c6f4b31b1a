#include <algorithm>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "interpreter/custom_calls/family.h"
#include "interpreter/custom_calls/user_targets.h"

namespace assay {
namespace {

// Appends `before` and each name that `pattern` stands for.
void Expand(const std::string& before, std::string_view pattern, std::vector<std::string>& names) {
  const std::size_t open = pattern.find('{'), close = pattern.find('}');
  if (open == std::string_view::npos) return names.push_back(before + std::string(pattern));
  for (std::size_t begin = open + 1; begin <= close;) {
    const std::size_t end = std::min(pattern.find(',', begin), close);
    const std::string_view head = pattern.substr(0, open), choice = pattern.substr(begin, end - begin);
    Expand(before + std::string(head) + std::string(choice), pattern.substr(close + 1), names);
    begin = end + 1;
  }
}

}  // namespace

std::vector<std::string> NamesOf(const CustomCallTarget& target) {
  std::vector<std::string> names;
  for (const std::string_view pattern : target.names) Expand("", pattern, names);
  return names;
}

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
    std::map<std::string, const CustomCallTarget*, std::less<>> map;
    for (const CustomCallTarget* target : AllCustomCallTargets()) {
      for (std::string& target_name : NamesOf(*target)) map.emplace(std::move(target_name), target);
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
