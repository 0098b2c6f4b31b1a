#include "interpreter/numerics/transform_element.h"

#include <algorithm>
#include <cstring>

#include "interpreter/numerics/roots_of_unity.h"
#include "interpreter/types/vector_clones.h"

namespace assay {
namespace {

using lanes::ComplexOf;
using lanes::kLanes;
using lanes::Lanes;
using lanes::WordOf;

// Each lane of a part, high and low.
using PartSums = double[4][kLanes];

// The numbers of a group. Each is multiplied with a root of its place in the group, and their sum with the root of the
// group: n numbers need only kGroup + n / kGroup roots, in the order of the memory.
constexpr std::int64_t kGroup = 64;

// A part of the roots of a group, as double words whose high parts are split (lanes.h).
struct RootParts {
  double hi[kGroup], split_hi[kGroup], split_lo[kGroup], lo[kGroup];

  void Set(std::int64_t j, const WordOf<double>& part) {
    const WordOf<double> split = lanes::Split(part.hi);
    hi[j] = part.hi;
    split_hi[j] = split.hi;
    split_lo[j] = split.lo;
    lo[j] = part.lo;
  }
};
struct GroupRoots {
  RootParts real = {}, imaginary = {};
};

ASSAY_INLINE Lanes LanesAt(const double* numbers) {
  Lanes lanes;
  std::memcpy(&lanes, numbers, sizeof lanes);
  return lanes;
}

// Adds products in twice the precision of double (Dot2 of Ogita, Rump and Oishi): a product is added to `hi`, and its
// error, that of the sum and the product with the low part of the root to `lo`.
ASSAY_INLINE void AddProduct(WordOf<Lanes>& sum, const Lanes& number, const WordOf<Lanes>& split, const RootParts& root,
                             std::int64_t i, bool is_negative) {
  const Lanes root_hi = LanesAt(root.split_hi + i), root_lo = LanesAt(root.split_lo + i);
  const Lanes product = number * LanesAt(root.hi + i);
  const Lanes error = ((split.hi * root_hi - product) + split.hi * root_lo + split.lo * root_hi) + split.lo * root_lo;
  const Lanes rest = error + number * LanesAt(root.lo + i);
  const WordOf<Lanes> high = lanes::Sum(sum.hi, is_negative ? -product : product);
  sum.hi = high.hi;
  sum.lo = sum.lo + (is_negative ? high.lo - rest : high.lo + rest);
}

// Returns the sum of a group's numbers, each times its root, in lanes.
ASSAY_INLINE ComplexOf<WordOf<Lanes>> GroupSum(const double* real, const double* imaginary, const GroupRoots& roots) {
  ComplexOf<WordOf<Lanes>> sum = {};
  for (std::int64_t i = 0; i < kGroup; i += kLanes) {
    const Lanes x = LanesAt(real + i), y = LanesAt(imaginary + i);
    const WordOf<Lanes> split_x = lanes::Split(x), split_y = lanes::Split(y);
    AddProduct(sum.real, x, split_x, roots.real, i, false);
    AddProduct(sum.real, y, split_y, roots.imaginary, i, true);
    AddProduct(sum.imaginary, x, split_x, roots.imaginary, i, false);
    AddProduct(sum.imaginary, y, split_y, roots.real, i, false);
  }
  return {lanes::OrderedSum(sum.real.hi, sum.real.lo), lanes::OrderedSum(sum.imaginary.hi, sum.imaginary.lo)};
}

// Computes one sum for each lane. A term's number times root j k is added for each j.
ASSAY_VECTOR_CLONES void AddTerms(std::span<const double> real, std::span<const double> imaginary,
                                  const RootTable& roots, std::int64_t k, PartSums& sums) {
  const auto n = static_cast<std::int64_t>(real.size());
  // k j modulo n: neither exceeds the numbers of an array in memory.
  const auto root_of = [&](std::int64_t j) {
    return roots.Get<WordOf<double>>(static_cast<std::int64_t>(static_cast<unsigned __int128>(k) * j % n));
  };
  GroupRoots of_group;
  for (std::int64_t j = 0; j < std::min(kGroup, n); ++j) {
    const ComplexOf<WordOf<double>> root = root_of(j);
    of_group.real.Set(j, root.real);
    of_group.imaginary.Set(j, root.imaginary);
  }
  ComplexOf<WordOf<Lanes>> sum = {};
  for (std::int64_t first = 0; first < n; first += kGroup) {
    double last[2][kGroup] = {};
    const double *reals = &real[first], *imaginaries = &imaginary[first];
    if (n - first < kGroup) {
      reals = std::copy(real.begin() + first, real.end(), last[0]) - (n - first);
      imaginaries = std::copy(imaginary.begin() + first, imaginary.end(), last[1]) - (n - first);
    }
    sum = sum + GroupSum(reals, imaginaries, of_group) * root_of(first);
  }
  std::memcpy(sums[0], &sum.real.hi, sizeof sums[0]);
  std::memcpy(sums[1], &sum.real.lo, sizeof sums[1]);
  std::memcpy(sums[2], &sum.imaginary.hi, sizeof sums[2]);
  std::memcpy(sums[3], &sum.imaginary.lo, sizeof sums[3]);
}

}  // namespace

ComplexOf<WordOf<double>> TransformElement(std::span<const double> real, std::span<const double> imaginary,
                                           const RootTable& roots, std::int64_t k) {
  PartSums sums;
  AddTerms(real, imaginary, roots, k, sums);
  ComplexOf<WordOf<double>> total = {{0, 0}, {0, 0}};
  for (std::int64_t lane = 0; lane < kLanes; ++lane) {
    total = total + ComplexOf<WordOf<double>>{{sums[0][lane], sums[1][lane]}, {sums[2][lane], sums[3][lane]}};
  }
  return total;
}

// In units of 2^-101, as in quick_fourier.cc: the roots are off by five, the products of a group and their sum by 32
// (the low part of a lane is below 18 u times the sum of the magnitudes, and so is each of its 56 roundings, times u),
// the product with the group's root by nine, and each of n / kGroup + 9 sums by one. The factor 1.01 covers errors of
// second order.
double TransformElementError(std::int64_t n) { return 1.01 * 0x1p-101 * (60 + static_cast<double>(n)); }

}  // namespace assay
