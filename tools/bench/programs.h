// The benchmark `programs`: how often sets through programs are wrong.
#pragma once

#include <span>
#include <string_view>

namespace assay {

// [--programs N] [--seed S] [--floats] [--any] [--faults] [PROFILE...]: false accusations among so many random
// programs for each profile, of chains of float operations and of any; and among a hundredth of them for each, what
// becomes of the planted miscompilations. Exit code 1 when anybody is falsely accused.
int BenchPrograms(std::span<const std::string_view> arguments);

}  // namespace assay
