// reassociation: sums, and results computed from sums, in any order. The rules of ops that have an order query it.
#include "interpreter/acceptance/freedom.h"

namespace assay {

const FreedomRecord freedom_reassociation = {
    .name = "reassociation",
    .meaning = "sums and what is made of them may take any order",
    .permits = &LawfulArithmetic::takes_any_order,
    .noise = "by the rule",
};

}  // namespace assay
