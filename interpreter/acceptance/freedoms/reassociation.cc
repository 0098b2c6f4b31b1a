// reassociation: sums, and what is made of sums, in any order. The rules of what has an order ask for it.
#include "interpreter/acceptance/freedom.h"

namespace assay {

const FreedomRecord freedom_reassociation = {
    .name = "reassociation",
    .meaning = "sums and what is made of them may take any order",
    .permits = &LawfulArithmetic::takes_any_order,
    .noise = "by the rule",
};

}  // namespace assay
