// How many products a sum adds up that takes an entry's parameter: what seeded inputs are scaled by, so that what goes
// through many products in turn neither vanishes nor overflows (docs/formats.md#seeded-values).
#pragma once

#include <vector>

#include "interpreter/hlo/module.h"

namespace assay {

// For each array of each parameter of the entry, by the order in the parameter's shape: the terms of the longest sum of
// products (dot, convolution, and so on) that takes what has come of it without another such sum between, through
// called computations and loops too. 0: none takes it, or the module is not legal.
std::vector<std::vector<double>> FanInOfParameters(const HloModule& module);

}  // namespace assay
