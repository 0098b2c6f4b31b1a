// The properties of a program that may be a reason for a backend to decline it, each with a name that the process keeps
// once.
#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "interpreter/hlo/module.h"

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

// Returns the features of a module that may be a reason to decline it, each once: "shuffle", "add f4e2m1fn", "pad
// padding negative", "attribute result_accuracy", "dot algorithm", "type s1", "select of one value", "subtract u8 of
// one value", "iota to one element", "slice of concatenate" (also with copies and reshapes in between), "several
// devices". `bait` is the name of the miscompilation that the program is bait for, for "bait transposed_twice"; empty:
// it is not bait.
std::vector<Feature> FeaturesOf(const HloModule& module, std::string_view bait = {});

}  // namespace assay
