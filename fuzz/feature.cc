#include "fuzz/feature.h"

#include <algorithm>
#include <memory>
#include <mutex>
#include <unordered_map>
#include <utility>

namespace assay {
namespace {

const Feature::Kept* KeptOnce(std::string_view name) {
  static std::mutex mutex;
  // Never destroyed: features are used until the end. The keys are views of the kept names.
  static auto& kept = *new std::unordered_map<std::string_view, std::unique_ptr<Feature::Kept>>();
  const std::lock_guard lock(mutex);
  if (const auto known = kept.find(name); known != kept.end()) return known->second.get();
  auto made = std::make_unique<Feature::Kept>(Feature::Kept{std::string(name), kept.size()});
  const std::string_view key = made->name;
  return kept.emplace(key, std::move(made)).first->second.get();
}

}  // namespace

Feature::Feature(std::string_view name) : kept_(KeptOnce(name)) {}

std::vector<std::string> NamesOf(const std::vector<Feature>& features) {
  std::vector<std::string> names;
  for (const Feature feature : features) names.push_back(feature.name());
  std::ranges::sort(names);
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}

}  // namespace assay
