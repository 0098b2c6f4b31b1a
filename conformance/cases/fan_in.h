// The number of products in the longest sum that uses a parameter of the entry. Seeded inputs are scaled by it, so that
// values neither vanish nor overflow on their way through many products (docs/formats.md#seeded-values).
#pragma once

#include <vector>

#include "interpreter/hlo/module.h"

namespace assay {

// Returns the fan-in of each array of each parameter of the entry, in the order of the parameter's shape. The fan-in is
// the number of terms of the longest sum of products (dot, convolution and so on) that uses a value derived from the
// array, without another such sum in between; called computations and loops count. It is 0 if no such sum exists or the
// module is not legal.
std::vector<std::vector<double>> FanInOfParameters(const HloModule& module);

}  // namespace assay
