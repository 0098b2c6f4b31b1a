// The properties of a program that may be a reason for a backend to decline it.
#pragma once

#include <string>
#include <vector>

#include "interpreter/hlo/module.h"

namespace assay {

// Returns the features of a module that may be a reason to decline it, sorted: "shuffle", "add f4e2m1fn", "pad padding
// negative", "type s1", "select of one value", "several devices".
std::vector<std::string> FeaturesOf(const HloModule& module);

}  // namespace assay
