// The benchmark `mutants`: measures the strength of the corpus.
#pragma once

#include <span>
#include <string_view>

namespace assay {

// [--operator NAME] [--op OP] [--profile PROFILE] [--corpus FOLDER] [--table FILE] [--markdown FILE]: runs the corpus
// on the mutants that operators make. The table names every case that kills a mutant, one mutant a line; without it a
// mutant ends with its first kill. Returns 1 if a mutant survives.
int BenchMutants(std::span<const std::string_view> arguments);

}  // namespace assay
