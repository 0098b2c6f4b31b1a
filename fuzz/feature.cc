#include "fuzz/feature.h"

#include <algorithm>
#include <mutex>
#include <unordered_set>

namespace assay {
namespace {

const std::string* KeptOnce(std::string_view name) {
  static std::mutex mutex;
  static auto& names = *new std::unordered_set<std::string>();  // never destroyed: features are used until the end
  const std::lock_guard lock(mutex);
  return &*names.emplace(name).first;
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
