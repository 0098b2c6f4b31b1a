#include "interpreter/numerics/lane_sum.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

#include "interpreter/numerics/double_word.h"
#include "interpreter/numerics/round.h"
#include "interpreter/types/vector_clones.h"

namespace assay {
namespace {

// Adds a term: the compensated step and the two updates of the running bound.
ASSAY_INLINE void AddTerm(double& high, double& low, double& bound, double term) {
  const auto [sum, error] = TwoSum(high, term);
  high = sum;
  low += error;
  bound += std::fabs(low);
}

ASSAY_INLINE void AddProductTerm(double& high, double& low, double& bound, double a, double b) {
  const auto [product, product_error] = TwoProduct(a, b);
  // If the exact product may have bits below the last place of a double, each half loses up to half of that place.
  const bool may_underflow = (std::fabs(product) < 0x1p-968) & (a != 0) & (b != 0);
  AddTerm(high, low, bound, product);
  low += product_error;
  bound += std::fabs(low) + (may_underflow ? 0x1p-1022 : 0.0);
}

ASSAY_VECTOR_CLONES void AddContiguous(double* __restrict high, double* __restrict low, double* __restrict bound,
                                       const double* terms, std::int64_t lanes) {
  for (std::int64_t i = 0; i < lanes; ++i) AddTerm(high[i], low[i], bound[i], terms[i]);
}

// Adds a sum, with its error.
ASSAY_INLINE void AddSum(double& high, double& low, double& bound, const LaneSum& sum) {
  AddTerm(high, low, bound, sum.high);
  low += sum.low;
  bound += std::fabs(low) + sum.bound;
}

ASSAY_VECTOR_CLONES void MergeSums(double* __restrict high, double* __restrict low, double* __restrict bound,
                                   const double* other_high, const double* other_low, const double* other_bound,
                                   std::int64_t lanes) {
  for (std::int64_t i = 0; i < lanes; ++i) {
    AddSum(high[i], low[i], bound[i], {other_high[i], other_low[i], other_bound[i]});
  }
}

ASSAY_VECTOR_CLONES void AddStrided(double* __restrict high, double* __restrict low, double* __restrict bound,
                                    const double* terms, std::int64_t stride, std::int64_t lanes) {
  for (std::int64_t i = 0; i < lanes; ++i) AddTerm(high[i], low[i], bound[i], terms[i * stride]);
}

ASSAY_VECTOR_CLONES void AddProductsContiguous(double* __restrict high, double* __restrict low,
                                               double* __restrict bound, const double* a, const double* b,
                                               std::int64_t lanes) {
  for (std::int64_t i = 0; i < lanes; ++i) AddProductTerm(high[i], low[i], bound[i], a[i], b[i]);
}

ASSAY_VECTOR_CLONES void AddLaneMultiples(double* __restrict high, double* __restrict low, double* __restrict bound,
                                          double a, const double* b, std::int64_t lanes) {
  for (std::int64_t i = 0; i < lanes; ++i) AddProductTerm(high[i], low[i], bound[i], a, b[i]);
}

ASSAY_VECTOR_CLONES void AddProductsStrided(double* __restrict high, double* __restrict low, double* __restrict bound,
                                            const double* a, std::int64_t a_stride, const double* b,
                                            std::int64_t b_stride, std::int64_t lanes) {
  for (std::int64_t i = 0; i < lanes; ++i) {
    AddProductTerm(high[i], low[i], bound[i], a[i * a_stride], b[i * b_stride]);
  }
}

// Encloses each sum. The slack between the bound's 2^-53 and the 2^-51 here covers the roundings of low - error and low
// + error, and those within the bound.
ASSAY_VECTOR_CLONES void EncloseSums(const double* high, const double* low, const double* bound, double widening,
                                     std::int64_t count, double* __restrict lower, double* __restrict upper) {
  for (std::int64_t i = 0; i < count; ++i) {
    const double error = 0x1p-51 * bound[i];
    const double below = high[i] + (low[i] - error);
    const double above = high[i] + (low[i] + error);
    lower[i] = bound[i] == 0 ? high[i] : below - widening * std::fabs(below);
    upper[i] = bound[i] == 0 ? high[i] : above + widening * std::fabs(above);
  }
}

bool IsCertain(double lower, double upper) {
  return std::isfinite(lower) && std::isfinite(upper) && (lower == upper || lower > 0 || upper < 0);
}

}  // namespace

LaneSums::LaneSums(std::int64_t lanes) : high_(lanes, -0.0), low_(lanes, 0.0), bound_(lanes, 0.0) {}

void LaneSums::Clear() {
  std::fill(high_.begin(), high_.end(), -0.0);
  std::fill(low_.begin(), low_.end(), 0.0);
  std::fill(bound_.begin(), bound_.end(), 0.0);
}

void LaneSums::Add(const double* terms, std::int64_t stride) {
  if (stride == 1) return AddContiguous(high_.data(), low_.data(), bound_.data(), terms, lanes());
  AddStrided(high_.data(), low_.data(), bound_.data(), terms, stride, lanes());
}

void LaneSums::AddProducts(const double* a, const double* b, std::int64_t a_stride, std::int64_t b_stride) {
  if (a_stride == 1 && b_stride == 1) {
    AddProductsContiguous(high_.data(), low_.data(), bound_.data(), a, b, lanes());
  } else if (a_stride == 0 && b_stride == 1 && lanes() > 0) {
    AddLaneMultiples(high_.data(), low_.data(), bound_.data(), *a, b, lanes());
  } else {
    AddProductsStrided(high_.data(), low_.data(), bound_.data(), a, a_stride, b, b_stride, lanes());
  }
}

void LaneSums::AddTo(std::int64_t lane, double term) { AddTerm(high_[lane], low_[lane], bound_[lane], term); }

void LaneSums::AddToFirst(const double* terms, std::int64_t n) {
  AddContiguous(high_.data(), low_.data(), bound_.data(), terms, n);
}

void LaneSums::Merge(std::int64_t lane, const LaneSum& sum) { AddSum(high_[lane], low_[lane], bound_[lane], sum); }

void LaneSums::MergeInto(std::int64_t lanes) {
  for (std::int64_t half = this->lanes() / 2; half >= lanes; half /= 2) {
    MergeSums(high_.data(), low_.data(), bound_.data(), high_.data() + half, low_.data() + half, bound_.data() + half,
              half);
  }
}

void LaneSums::Store(PrimitiveType type, std::byte* out, const AddTerms& add_terms) const {
  constexpr std::int64_t kBlock = 512;
  double lower[kBlock], upper[kBlock];
  // Rounding high + (low - error) to double keeps it at or below the double that the sum rounds to. For narrower types
  // the ends must enclose the sum itself: one more place on either side.
  const double widening = type == F64 ? 0 : 0x1p-52;
  ExactSum exact;
  for (std::int64_t begin = 0; begin < lanes(); begin += kBlock) {
    const std::int64_t count = std::min(kBlock, lanes() - begin);
    EncloseSums(high_.data() + begin, low_.data() + begin, bound_.data() + begin, widening, count, lower, upper);
    std::byte* block_out = out + begin * StorageBytes(type);
    const auto extent = static_cast<std::size_t>(count);
    for (const std::int64_t i : StoreCertain(type, {lower, extent}, {upper, extent}, block_out)) {
      exact.Clear();
      add_terms(begin + i, exact);
      exact.Store(type, block_out + i * StorageBytes(type));
    }
  }
}

std::vector<std::int64_t> StoreCertain(PrimitiveType type, std::span<const double> lower, std::span<const double> upper,
                                       std::byte* out) {
  constexpr std::int64_t kBlock = 512;
  const auto count = static_cast<std::int64_t>(lower.size());
  const int bytes = StorageBytes(type);
  std::array<std::byte, kBlock * sizeof(double)> above;
  std::vector<std::int64_t> doubtful;
  StoreReals(type, lower.data(), out, count);
  for (std::int64_t begin = 0; begin < count; begin += kBlock) {
    const std::int64_t end = std::min(begin + kBlock, count);
    StoreReals(type, upper.data() + begin, above.data(), end - begin);
    for (std::int64_t i = begin; i < end; ++i) {
      const bool same = std::memcmp(out + i * bytes, above.data() + (i - begin) * bytes, bytes) == 0;
      if (!same || !IsCertain(lower[i], upper[i])) doubtful.push_back(i);
    }
  }
  return doubtful;
}

}  // namespace assay
