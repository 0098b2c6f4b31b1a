#include "interpreter/numerics/quick_sum.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <span>

#include "interpreter/numerics/lane_sum.h"
#include "interpreter/numerics/round.h"
#include "interpreter/types/vector_clones.h"

namespace assay {
namespace {

// A row is summed in blocks, and a block in vectors side by side, so that a term is in few additions.
constexpr std::int64_t kWidth = 32, kBlockTerms = 1024;

struct RowSum {
  double sum = -0.0;
  double magnitude = 0;
};

// Adds kWidth terms at a time. Loops of a fixed length become vectors, which stay in registers.
template <class T>
ASSAY_INLINE void AddRow(const T* terms, std::int64_t n, RowSum& row) {
  double sum[kWidth], magnitude[kWidth];
  for (std::int64_t j = 0; j < kWidth; ++j) sum[j] = -0.0;
  for (std::int64_t j = 0; j < kWidth; ++j) magnitude[j] = 0;
  std::int64_t i = 0;
  for (; i + kWidth <= n; i += kWidth) {
    for (std::int64_t j = 0; j < kWidth; ++j) sum[j] += static_cast<double>(terms[i + j]);
    for (std::int64_t j = 0; j < kWidth; ++j) magnitude[j] += std::fabs(static_cast<double>(terms[i + j]));
  }
  for (std::int64_t j = 0; i + j < n; ++j) sum[j] += static_cast<double>(terms[i + j]);
  for (std::int64_t j = 0; i + j < n; ++j) magnitude[j] += std::fabs(static_cast<double>(terms[i + j]));
  for (std::int64_t half = kWidth / 2; half > 0; half /= 2) {
    for (std::int64_t j = 0; j < half; ++j) sum[j] += sum[j + half];
    for (std::int64_t j = 0; j < half; ++j) magnitude[j] += magnitude[j + half];
  }
  row.sum += sum[0];
  row.magnitude += magnitude[0];
}

ASSAY_VECTOR_CLONES void AddSingles(const float* terms, std::int64_t n, RowSum& row) { AddRow(terms, n, row); }
ASSAY_VECTOR_CLONES void AddDoubles(const double* terms, std::int64_t n, RowSum& row) { AddRow(terms, n, row); }

template <class T>
ASSAY_INLINE void AddEach(const T* terms, std::int64_t n, double* __restrict sum, double* __restrict magnitude) {
  for (std::int64_t i = 0; i < n; ++i) {
    const auto term = static_cast<double>(terms[i]);
    sum[i] += term;
    magnitude[i] += std::fabs(term);
  }
}

ASSAY_VECTOR_CLONES void AddEachSingle(const float* terms, std::int64_t n, double* sum, double* magnitude) {
  AddEach(terms, n, sum, magnitude);
}
ASSAY_VECTOR_CLONES void AddEachDouble(const double* terms, std::int64_t n, double* sum, double* magnitude) {
  AddEach(terms, n, sum, magnitude);
}

ASSAY_VECTOR_CLONES void Enclose(const double* sum, const double* magnitude, double error, std::int64_t n,
                                 double* __restrict lower, double* __restrict upper) {
  for (std::int64_t i = 0; i < n; ++i) {
    lower[i] = sum[i] - error * magnitude[i];
    upper[i] = sum[i] + error * magnitude[i];
  }
}

}  // namespace

bool HasQuickSums(PrimitiveType type) { return type == F32 || type == BF16 || type == F16; }

QuickSums::QuickSums(PrimitiveType type, std::int64_t lanes) : type_(type), sum_(lanes, -0.0), magnitude_(lanes, 0.0) {}

void QuickSums::Clear() {
  std::ranges::fill(sum_, -0.0);
  std::ranges::fill(magnitude_, 0.0);
  added_ = longest_row_ = 0;
}

void QuickSums::Add(const std::byte* terms) {
  if (type_ == F32) {
    AddEachSingle(reinterpret_cast<const float*>(terms), lanes(), sum_.data(), magnitude_.data());
    ++added_;
    return;
  }
  std::vector<double> values(lanes());
  LoadReals(type_, terms, values.data(), lanes());
  Add(values.data());
}

void QuickSums::Add(const double* terms, std::int64_t stride) {
  ++added_;
  if (stride == 1) return AddEachDouble(terms, lanes(), sum_.data(), magnitude_.data());
  const std::vector<double> repeated(lanes(), *terms);
  AddEachDouble(repeated.data(), lanes(), sum_.data(), magnitude_.data());
}

void QuickSums::SetToRow(std::int64_t lane, const std::byte* terms, std::int64_t n) {
  RowSum row;
  std::array<double, kBlockTerms> values;
  for (std::int64_t begin = 0; begin < n; begin += kBlockTerms) {
    const std::int64_t count = std::min(kBlockTerms, n - begin);
    const std::byte* block = terms + begin * StorageBytes(type_);
    if (type_ == F32) {
      AddSingles(reinterpret_cast<const float*>(block), count, row);
    } else {
      LoadReals(type_, block, values.data(), count);
      AddDoubles(values.data(), count, row);
    }
  }
  sum_[lane] = row.sum;
  magnitude_[lane] = row.magnitude;
  // Up to 33 additions in a lane of a block, five of lanes, and one for each block.
  longest_row_ = std::max(longest_row_, 40 + n / kBlockTerms);
}

bool QuickSums::Store(std::byte* out) const {
  // Each addition errs by u of its result at most, twice that covers the roundings of the ends.
  const double error = 0x1p-52 * static_cast<double>(added_ + longest_row_ + 1);
  std::vector<double> lower(lanes()), upper(lanes());
  Enclose(sum_.data(), magnitude_.data(), error, lanes(), lower.data(), upper.data());
  return StoreCertain(type_, lower, upper, out).empty();
}

}  // namespace assay
