// The benchmark `compiled-programs`: measures the judge on programs as compilers change them, and on faults.
#pragma once

#include <span>
#include <string_view>

namespace assay {

// [--seeds N] [--program NAME] [--verbose]: prints a table of the lawful programs with the number of each verdict, and
// one of the faults with the smallest size that is noticed. The exit code is 1 if a lawful program is FAIL or SUSPECT.
int BenchCompiledPrograms(std::span<const std::string_view> arguments);

}  // namespace assay
