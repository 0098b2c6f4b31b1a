#include "fuzz/generate/shapes.h"

#include <algorithm>

#include "interpreter/types/index_util.h"

namespace assay::generate {

std::int64_t DrawSize(Random& random, std::int64_t most) {
  if (random.OneIn(24)) return 0;
  if (random.OneIn(8)) return std::min<std::int64_t>(1, most);
  return random.Between(std::min<std::int64_t>(1, most), most);
}

Dimensions DrawDimensions(Random& random, const ShapeLimits& limits) {
  const std::int64_t rank = random.Between(limits.least_rank, limits.most_rank);
  Dimensions dimensions;
  std::int64_t left = limits.most_elements;
  for (std::int64_t d = 0; d < rank; ++d) {
    // The more dimensions follow, the smaller a part of the remaining size each one gets.
    const std::int64_t most = d + 1 == rank ? left : std::min<std::int64_t>(left, 2 + left / (4 * (rank - d)));
    dimensions.push_back(DrawSize(random, std::max<std::int64_t>(1, most)));
    left /= std::max<std::int64_t>(1, dimensions.back());
  }
  random.Shuffle(dimensions);
  return dimensions;
}

Dimensions DrawRegrouped(Random& random, const Dimensions& dimensions, std::int64_t most_rank) {
  std::int64_t left = Product(dimensions);
  Dimensions grouped;
  if (left == 0) {
    grouped = DrawDimensions(random, {.least_rank = 1, .most_rank = most_rank});
    grouped[random.Below(static_cast<std::int64_t>(grouped.size()))] = 0;
    return grouped;
  }
  const std::int64_t rank = random.Between(left == 1 ? 0 : 1, most_rank);
  for (std::int64_t d = 0; d < rank; ++d) {
    std::vector<std::int64_t> divisors;
    for (std::int64_t n = 1; n <= left; ++n) {
      if (left % n == 0) divisors.push_back(n);
    }
    grouped.push_back(d + 1 == rank ? left : random.OneOf(divisors));
    left /= grouped.back();
  }
  random.Shuffle(grouped);
  return grouped;
}

}  // namespace assay::generate
