// The name of a property of programs, kept once for the process.
#pragma once

#include <compare>
#include <string>
#include <string_view>
#include <vector>

namespace assay {

// A name such as "add f32" or "slice of concatenate". Equal names are one object: features are copied and compared by
// address.
class Feature {
 public:
  explicit Feature(std::string_view name);

  const std::string& name() const { return *name_; }
  // An order without meaning: it may differ from run to run.
  auto operator<=>(const Feature&) const = default;

 private:
  const std::string* name_;
};

// Returns the names in alphabetical order, each once.
std::vector<std::string> NamesOf(const std::vector<Feature>& features);

}  // namespace assay

template <>
struct std::hash<assay::Feature> {
  std::size_t operator()(assay::Feature feature) const noexcept { return std::hash<const void*>()(&feature.name()); }
};
