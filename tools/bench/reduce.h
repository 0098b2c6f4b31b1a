// The benchmark `reduce`: measures how small planted faults become.
#pragma once

#include <span>
#include <string_view>

namespace assay {

// [MUTANT...]: reduces a random module of about 200 instructions for each mutant (by default for every fourth) that
// such a module shows. Returns 1 if the median reduction ends with 8 instructions or more, or takes more than a minute.
int BenchReduce(std::span<const std::string_view> arguments);

}  // namespace assay
