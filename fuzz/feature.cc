#include "fuzz/feature.h"

#include <algorithm>
#include <functional>
#include <mutex>
#include <unordered_set>

namespace assay {
namespace {

// Hashes views, so that a search makes no string.
struct HashOfName {
  using is_transparent = void;
  std::size_t operator()(std::string_view name) const { return std::hash<std::string_view>()(name); }
};

const std::string* KeptOnce(std::string_view name) {
  static std::mutex mutex;
  // Never destroyed: features are used until the end.
  static auto& names = *new std::unordered_set<std::string, HashOfName, std::equal_to<>>();
  const std::lock_guard lock(mutex);
  const auto known = names.find(name);
  return known != names.end() ? &*known : &*names.emplace(name).first;
}

}  // namespace

Feature::Feature(std::string_view name) : name_(KeptOnce(name)) {}

std::vector<std::string> NamesOf(const std::vector<Feature>& features) {
  std::vector<std::string> names;
  for (const Feature feature : features) names.push_back(feature.name());
  std::ranges::sort(names);
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}

}  // namespace assay
