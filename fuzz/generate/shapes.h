// Random shapes with few elements, some with dimensions of size 0 and 1.
#pragma once

#include "fuzz/generate/random.h"
#include "interpreter/types/shape.h"

namespace assay::generate {

struct ShapeLimits {
  std::int64_t least_rank = 0;
  std::int64_t most_rank = 4;
  std::int64_t most_elements = 64;
};

// Draws a size up to `most`: often 1, seldom 0.
std::int64_t DrawSize(Random& random, std::int64_t most);
Dimensions DrawDimensions(Random& random, const ShapeLimits& limits);
// Draws other dimensions with the same number of elements.
Dimensions DrawRegrouped(Random& random, const Dimensions& dimensions, std::int64_t most_rank);

}  // namespace assay::generate
