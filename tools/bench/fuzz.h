// The benchmark `fuzz`: measures the speed of fuzzing and what it finds.
#pragma once

#include <span>
#include <string_view>

namespace assay {

// Without options: counts the programs that a core draws, verifies, evaluates and compares in a second of its time, on
// the reference and on simd, and prints their coverage.
// --mutants [--seeds N] [--seconds S] [--profile P] [ID...]: prints a table that says whether fuzzing with the seeds 1
// to N (3) finds each handwritten mutant (or those named) within S (60) seconds on two cores. Returns 1 if one is not
// found.
int BenchFuzz(std::span<const std::string_view> arguments);

}  // namespace assay
