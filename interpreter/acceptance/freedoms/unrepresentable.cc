// unrepresentable: numbers that the result's type does not hold. implementation_defined.cc queries it.
#include "interpreter/acceptance/freedom.h"

namespace assay {

const FreedomRecord freedom_unrepresentable = {
    .name = "unrepresentable",
    .meaning =
        "conversions and integer arithmetic may return anything if the type of the result does not hold the number",
    .permits = &LawfulArithmetic::overflows_in_any_way,
    .noise = "by the rule",
};

}  // namespace assay
