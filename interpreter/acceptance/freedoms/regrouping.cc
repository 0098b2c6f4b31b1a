// regrouping: sums and products that a program spells out as several instructions may be grouped in another way. It
// takes two instructions: sets through programs (program_sets.h) ask for it.
#include "interpreter/acceptance/freedom.h"

namespace assay {

const FreedomRecord freedom_regrouping = {
    .name = "regrouping",
    .meaning = "additions, or multiplications, of several instructions may be grouped in another way",
    .noise = "by the rule",
};

}  // namespace assay
