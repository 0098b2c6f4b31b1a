// Machine code of the steps that read or write arrays in memory: slices at computed places, and products of matrices.
#pragma once

#include <optional>
#include <span>

#include "backends/simd/loops/vector_code.h"
#include "interpreter/kernels/loops/loop_program.h"

namespace assay::simd {

// The address of an array.
struct ArrayAddress {
  asmjit::x86::Gp base;
  std::int64_t offset = 0;

  asmjit::x86::Mem At(std::int64_t bytes) const {
    return asmjit::x86::ptr(base, static_cast<std::int32_t>(offset + bytes));
  }
};

// Emits a move of the first element, of 4 or 8 bytes; the upper half of `to` is 0 if it has 4.
void EmitFirst(VectorCode& code, const asmjit::x86::Gp& to, const Vec& from, int bytes);

// Emits loads and stores of n = `bytes` bytes, and of no others. Registers receive zeros beyond.
void EmitLoad(VectorCode& code, const Vectors& to, const ArrayAddress& from, std::int64_t bytes);
void EmitStore(VectorCode& code, const ArrayAddress& to, const Vectors& from, std::int64_t bytes);

// True if the elements of a slice of these sizes are adjacent in an array of these dimensions.
bool IsOneRun(std::span<const std::int64_t> dimensions, std::span<const std::int64_t> sizes);

// A start index: a number in a register, or a constant.
struct StartIndex {
  PrimitiveType type;
  std::optional<std::int64_t> constant = {};
  Vec number = {};
};

// Emits the address of the run that begins at the clamped start indices.
ArrayAddress EmitRunAddress(VectorCode& code, const ArrayAddress& array, int element_bytes,
                            std::span<const std::int64_t> dimensions, std::span<const std::int64_t> sizes,
                            std::span<const StartIndex> starts);

// A product of matrices in row-major order: m rows and k columns with k rows and n columns.
struct ProductCode {
  PrimitiveType type;
  std::int64_t m, n, k;

  // True if the code is short, and needs no elements beyond the matrices' own.
  bool IsSmall() const;
  void Emit(VectorCode& code, const Vectors& out, const ArrayAddress& lhs, const ArrayAddress& rhs) const;
};

}  // namespace assay::simd
