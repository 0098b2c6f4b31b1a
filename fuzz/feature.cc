#include "fuzz/feature.h"

#include <algorithm>
#include <deque>
#include <mutex>
#include <unordered_map>

namespace assay {
namespace {

// The names by number, and their numbers.
struct KeptNames {
  std::mutex mutex;
  std::deque<std::string> names;  // a name stays in its place
  std::unordered_map<std::string_view, std::uint32_t> numbers;
};

// Never destroyed: features are used until the end.
KeptNames& Kept() {
  static auto& kept = *new KeptNames;
  return kept;
}

std::uint32_t NumberOf(std::string_view name) {
  KeptNames& kept = Kept();
  const std::lock_guard lock(kept.mutex);
  if (const auto known = kept.numbers.find(name); known != kept.numbers.end()) return known->second;
  const auto number = static_cast<std::uint32_t>(kept.names.size());
  kept.numbers.emplace(kept.names.emplace_back(name), number);
  return number;
}

}  // namespace

Feature::Feature(std::string_view name) : number_(NumberOf(name)) {}

const std::string& Feature::name() const {
  KeptNames& kept = Kept();
  const std::lock_guard lock(kept.mutex);
  return kept.names[number_];
}

std::vector<std::string> NamesOf(const std::vector<Feature>& features) {
  std::vector<std::string> names;
  for (const Feature feature : features) names.push_back(feature.name());
  std::ranges::sort(names);
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}

}  // namespace assay
