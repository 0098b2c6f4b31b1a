// excess_precision: numbers narrower than f32 may be kept wider from one instruction to the next, and a conversion to
// them be left out. It takes two instructions: sets through programs (program_sets.h) ask for it.
#include "interpreter/acceptance/freedom.h"

namespace assay {

const FreedomRecord freedom_excess_precision = {
    .name = "excess_precision",
    .meaning = "results narrower than f32 need not be rounded before the next instruction uses them",
    .noise = "by the rule",
};

}  // namespace assay
