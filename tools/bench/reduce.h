// The benchmark `reduce`: how small planted faults become.
#pragma once

#include <span>
#include <string_view>

namespace assay {

// [MUTANT...]: reduces a random module of about 200 instructions for each mutant, by default for every fourth, where
// such a module shows it. Exit code 1 where the median ends with 8 instructions or more, or after a minute.
int BenchReduce(std::span<const std::string_view> arguments);

}  // namespace assay
