// The name of a property of programs, kept once for the process.
#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace assay {

// A name such as "add f32" or "slice of concatenate". Equal names have one number: features are copied and compared by
// it.
class Feature {
 public:
  explicit Feature(std::string_view name);

  const std::string& name() const;
  // Returns a small number, another one for each name. It may differ from run to run.
  std::size_t number() const { return number_; }
  // An order without meaning: it may differ from run to run.
  auto operator<=>(const Feature&) const = default;

 private:
  std::uint32_t number_;
};

// Returns the names in alphabetical order, each once.
std::vector<std::string> NamesOf(const std::vector<Feature>& features);

}  // namespace assay
