// Random windows: sizes, strides, padding of either sign, dilations of both sides, reversals.
#pragma once

#include "fuzz/generate/random.h"
#include "interpreter/hlo/attributes.h"
#include "interpreter/types/shape.h"

namespace assay::generate {

// Draws a window that moves over a base. Most have at least one position.
Window DrawWindow(Random& random, const Dimensions& base);
// Returns the number of positions of the window in each dimension.
Dimensions WindowPositions(const Window& window, const Dimensions& base);

// Draws the padding of an array, including interior padding. No size of the result is negative.
PaddingConfig DrawPadding(Random& random, const Dimensions& dimensions);

}  // namespace assay::generate
