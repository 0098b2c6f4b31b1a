// The benchmark `programs`: measures how often sets through programs are wrong.
#pragma once

#include <span>
#include <string_view>

namespace assay {

// [--programs N] [--seed S] [--floats] [--any] [--faults] [PROFILE...]: counts false accusations among N random
// programs for each profile, for chains of float operations and for any programs. On N / 100 programs of each kind it
// counts which planted miscompilations are found. Returns 1 if there is a false accusation.
int BenchPrograms(std::span<const std::string_view> arguments);

}  // namespace assay
