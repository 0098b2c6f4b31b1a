// assumption: operands that are not what an attribute says of them. implementation_defined.cc queries it.
#include "interpreter/acceptance/freedom.h"

namespace assay {

const FreedomRecord freedom_assumption = {
    .name = "assumption",
    .meaning = "the result is open if an operand is not what an attribute says of it, though it need not be read",
    .permits = &LawfulArithmetic::relies_on_assumptions,
    .noise = "by the rule",
};

}  // namespace assay
