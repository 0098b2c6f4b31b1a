#include "backends/mutant/operators/operators.h"

namespace assay {

std::string_view EquivalenceOf(const Mutant&) { return {}; }

}  // namespace assay
