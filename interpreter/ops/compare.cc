#include "interpreter/ops/record.h"

namespace assay {

const Op op_compare = {
    .name = "compare",
    .meaning = "Whether the comparison holds, element by element.",
    .arity = Exactly(2),
    .types = kArrays,
    .attributes = {OneOf("direction", {"EQ", "NE", "GE", "GT", "LE", "LT"}, /*required=*/true),
                   OneOf("type", {"FLOAT", "TOTALORDER", "SIGNED", "UNSIGNED"}, /*required=*/false),
                   ReadOnly("order", AttributeKind::kEnum, {"PARTIAL", "TOTAL"})},
};

}  // namespace assay
