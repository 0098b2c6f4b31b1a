// narrow_accumulator: sums of 16-bit numbers may be kept in 16 bits. The rule sum asks for it.
#include "interpreter/acceptance/freedom.h"

namespace assay {

const FreedomRecord freedom_narrow_accumulator = {
    .name = "narrow_accumulator",
    .meaning = "sums of f16 and bf16 may be kept in the result's type on the way, not in f32",
    .noise = "by the rule",
};

}  // namespace assay
