// narrow_accumulator: sums of numbers of at most 16 bits may be kept in their type. The rule sum queries it.
#include "interpreter/acceptance/freedom.h"

namespace assay {

const FreedomRecord freedom_narrow_accumulator = {
    .name = "narrow_accumulator",
    .meaning = "sums of types of at most 16 bits may be kept in the result's type on the way, not in a wider one",
    .permits = &LawfulArithmetic::keeps_narrow_sums,
    .noise = "by the rule",
};

}  // namespace assay
