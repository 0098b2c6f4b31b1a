// Sums of short numbers in double, with the sums of magnitudes that bound their errors. docs/sums.md has the proof.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "interpreter/types/primitive_type.h"

namespace assay {

// True for the types whose sums a double decides as a rule: f32, bf16 and f16.
bool HasQuickSums(PrimitiveType type);

// The longest sum that a double is likely to decide.
inline constexpr std::int64_t kMostQuickSumTerms = 1 << 16;

class QuickSums {
 public:
  QuickSums(PrimitiveType type, std::int64_t lanes);

  std::int64_t lanes() const { return static_cast<std::int64_t>(sum_.size()); }

  // Resets all lanes to empty sums.
  void Clear();
  // Adds the i-th of adjacent terms to lane i.
  void Add(const std::byte* terms);
  // The same with the numbers themselves; a stride of 0 repeats the first.
  void Add(const double* terms, std::int64_t stride = 1);
  // Sets a lane, which must be empty, to the sum of n adjacent terms.
  void SetToRow(std::int64_t lane, const std::byte* terms, std::int64_t n);

  // Writes every lane rounded once to the type. Returns false if the error leaves a lane undecided; that is so for
  // infinities, NaN, and numbers that cancel.
  bool Store(std::byte* out) const;

 private:
  PrimitiveType type_;
  std::vector<double> sum_, magnitude_;
  // The additions on the longest way of a term into its sum: those to all lanes, and those within a row.
  std::int64_t added_ = 0, longest_row_ = 0;
};

}  // namespace assay
