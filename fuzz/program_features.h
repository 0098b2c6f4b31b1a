// The properties of a program that may be a reason for a backend to decline it.
#pragma once

#include <string_view>
#include <vector>

#include "fuzz/feature.h"
#include "interpreter/hlo/module.h"

namespace assay {

// Returns the features of a module that may be a reason to decline it, each once: "shuffle", "add f4e2m1fn", "pad
// padding negative", "attribute result_accuracy", "dot algorithm", "type s1", "select of one value", "subtract u8 of
// one value", "iota to one element", "slice of concatenate" (also with copies and reshapes in between), "several
// devices". `bait` is the name of the miscompilation that the program is bait for, for "bait transposed_twice"; empty:
// it is not bait.
std::vector<Feature> FeaturesOf(const HloModule& module, std::string_view bait = {});

}  // namespace assay
