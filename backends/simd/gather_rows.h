// Gathers of whole rows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "backends/simd/kernels.h"

namespace assay::simd {

// A gather that places rows of its operand one after the other: row i of the result is row indices[i] of the operand.
class RowGather {
 public:
  // Returns nullopt for a gather that does anything else. Indices of u64 are left to the evaluator.
  static std::optional<RowGather> Of(const HloInstruction& gather);

  // The dimensions of the result that number its rows.
  const Dimensions& rows() const { return rows_; }
  // The size of a row.
  std::int64_t row_bytes() const { return row_bytes_; }

  // Writes the rows [begin, end) of the result to `to`.
  void Copy(const std::byte* operand, const std::byte* indices, std::byte* to, std::int64_t begin,
            std::int64_t end) const;

 private:
  Dimensions rows_;
  PrimitiveType index_type_ = S32;
  std::int64_t row_bytes_ = 0;
  std::int64_t last_ = 0;  // the last row of the operand
};

extern const Family kGather;

}  // namespace assay::simd
