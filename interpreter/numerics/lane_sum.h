// Many independent sums side by side, in twice the precision of double and with a proven error bound.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "interpreter/numerics/exact_sum.h"
#include "interpreter/types/primitive_type.h"

namespace assay {

// One sum: the true value is high + low up to an error of at most 2^-53 * (1 + 2^-10) * bound. A non-finite bound means
// that the value is unknown; a bound of zero means that high is the exact sum, including its sign.
struct LaneSum {
  double high = -0.0;  // the neutral element of addition: -0 + x is x, for both zeros
  double low = 0;
  double bound = 0;
};

// Compensated sums, one per lane (Ogita, Rump and Oishi's Sum2 and Dot2). The bound of a lane grows with the terms
// actually added, so sums that double holds exactly have a bound of zero. docs/sums.md derives it.
class LaneSums {
 public:
  explicit LaneSums(std::int64_t lanes);

  std::int64_t lanes() const { return static_cast<std::int64_t>(high_.size()); }
  LaneSum lane(std::int64_t i) const { return {high_[i], low_[i], bound_[i]}; }

  // Resets all lanes to empty sums.
  void Clear();
  // Adds terms[i * stride] to lane i.
  void Add(const double* terms, std::int64_t stride = 1);
  // Adds a[i * a_stride] * b[i * b_stride] to lane i; a stride of zero repeats one number.
  void AddProducts(const double* a, const double* b, std::int64_t a_stride = 1, std::int64_t b_stride = 1);
  void AddTo(std::int64_t lane, double term);
  // Adds the i-th of n terms to lane i.
  void AddToFirst(const double* terms, std::int64_t n);
  // Adds another sum, with its error, to one lane.
  void Merge(std::int64_t lane, const LaneSum& sum);
  // Merges all lanes into the first `lanes`: lane i into lane i % lanes. Their number is `lanes` times a power of two.
  void MergeInto(std::int64_t lanes);

  // Writes every lane rounded once to a floating type, one element every StorageBytes(type) bytes. If the bound does
  // not decide how a lane rounds, calls `add_terms` to add the terms of that lane to an empty exact sum.
  using AddTerms = std::function<void(std::int64_t lane, ExactSum& sum)>;
  void Store(PrimitiveType type, std::byte* out, const AddTerms& add_terms) const;

 private:
  std::vector<double> high_, low_, bound_;
};

// Writes to out[i] the number of `type` that the interval [lower[i], upper[i]] rounds to. Returns the indices of the
// intervals whose numbers do not all round to one pattern. An interval that contains zero is undecided unless it is a
// point: the two zeros, and the NaNs of formats that overflow to NaN, are on both sides of zero.
std::vector<std::int64_t> StoreCertain(PrimitiveType type, std::span<const double> lower, std::span<const double> upper,
                                       std::byte* out);

}  // namespace assay
