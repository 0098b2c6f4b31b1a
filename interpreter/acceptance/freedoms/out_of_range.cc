// out_of_range: approximations may leave the range of their function. The rule ulp queries it.
#include "interpreter/acceptance/freedom.h"

namespace assay {

const FreedomRecord freedom_out_of_range = {
    .name = "out_of_range",
    .meaning = "approximations of a function may leave its range",
    .permits = &LawfulArithmetic::leaves_ranges,
    .noise = "by the rule",
};

}  // namespace assay
