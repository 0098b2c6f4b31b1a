// Mutants that the corpus does not kill and that are not shown to be equivalent: holes, to be filled.
#include <algorithm>

#include "backends/mutant/operators/operators.h"

namespace assay {
namespace {

constexpr std::string_view kSurvivors[] = {
};

}  // namespace

bool IsKnownSurvivor(const Mutant& mutant) { return std::ranges::binary_search(kSurvivors, std::string_view(mutant.id)); }

}  // namespace assay
