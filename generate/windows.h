// Windows drawn at random: sizes, strides, padding of either sign, dilations of both sides, reversals.
#pragma once

#include "generate/random.h"
#include "interpreter/hlo/attributes.h"
#include "interpreter/types/shape.h"

namespace assay::generate {

// A window that moves over a base. Most have at least one position.
Window DrawWindow(Random& random, const Dimensions& base);
// The number of positions of the window in each dimension.
Dimensions WindowPositions(const Window& window, const Dimensions& base);

// Padding of an array, between its elements too. No size of the result is negative.
PaddingConfig DrawPadding(Random& random, const Dimensions& dimensions);

}  // namespace assay::generate
