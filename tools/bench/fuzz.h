// The benchmark `fuzz`: how quick fuzzing is, and what it finds.
#pragma once

#include <span>
#include <string_view>

namespace assay {

// Without options: programs that a core draws, verifies, evaluates and compares in a second of its time, with the
// reference and with simd behind it, and what they cover and show.
// --mutants [--seeds N] [--seconds S] [--profile P] [ID...]: whether fuzzing with the seeds 1 to N (3) finds each
// mutant written by hand (or those named) within S (60) seconds on two cores, as a table. Exit code 1 where one is not
// found.
int BenchFuzz(std::span<const std::string_view> arguments);

}  // namespace assay
