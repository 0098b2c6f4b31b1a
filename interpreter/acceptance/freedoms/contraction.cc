// contraction: a product that is added need not be rounded first. It takes two instructions: sets through programs
// (program_sets.h) ask for it.
#include "interpreter/acceptance/freedom.h"

namespace assay {

const FreedomRecord freedom_contraction = {
    .name = "contraction",
    .meaning = "a product that is added or subtracted need not be rounded before",
    .noise = "by the rule",
};

}  // namespace assay
