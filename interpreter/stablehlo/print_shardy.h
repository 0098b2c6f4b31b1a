// The attributes of Shardy in its own syntax, which is not that of other dialects.
#pragma once

#include <string>

#include "interpreter/stablehlo/operation.h"

namespace assay::stablehlo {

// `#sdy.sharding<@mesh, [{"x"}, {?}]>`.
std::string ShardyText(const DialectAttribute& attribute);

}  // namespace assay::stablehlo
