// Shapes drawn at random: sizes 0 and 1 among them, and never many elements.
#pragma once

#include "generate/random.h"
#include "interpreter/types/shape.h"

namespace assay::generate {

struct ShapeLimits {
  std::int64_t least_rank = 0;
  std::int64_t most_rank = 4;
  std::int64_t most_elements = 64;
};

// A size up to `most`: 1 often, 0 seldom.
std::int64_t DrawSize(Random& random, std::int64_t most);
Dimensions DrawDimensions(Random& random, const ShapeLimits& limits);
// Other dimensions of the same number of elements.
Dimensions DrawRegrouped(Random& random, const Dimensions& dimensions, std::int64_t most_rank);

}  // namespace assay::generate
