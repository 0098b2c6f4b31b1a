// The benchmark `sets`: what sets through programs cost beside the reference.
#pragma once

#include <span>
#include <string_view>

namespace assay {

// FILE...: modules of HLO text, with arguments of seed 1. For each, how long the reference and the sets of the profile
// xla take.
int BenchSets(std::span<const std::string_view> arguments);

}  // namespace assay
