// The benchmark `mutants`: how strong the corpus is.
#pragma once

#include <span>
#include <string_view>

namespace assay {

// [--operator NAME] [--op OP] [--profile PROFILE] [--corpus FOLDER] [--table FILE] [--markdown FILE]: what becomes of
// the mutants that operators make. The table names every case that kills a mutant, a line each; without it a mutant is
// done with its first kill. Exit code 1 where one survives.
int BenchMutants(std::span<const std::string_view> arguments);

}  // namespace assay
