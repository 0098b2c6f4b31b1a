// The benchmark `sets`: measures the cost of sets through programs relative to the reference.
#pragma once

#include <span>
#include <string_view>

namespace assay {

// FILE...: modules of HLO text; the seed of their arguments is 1. Prints for each the times of the reference and of the
// sets of the profile xla.
int BenchSets(std::span<const std::string_view> arguments);

}  // namespace assay
