// The transforms of an fft: one for each block of the innermost dimensions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "interpreter/types/primitive_type.h"

namespace assay {

class FourierBlocks {
 public:
  // Takes the type and the lengths of the instruction, none of them 0, and the element type of its result.
  FourierBlocks(std::string_view fft_type, std::vector<std::int64_t> lengths, PrimitiveType result);

  // Transforms the parts of the operand's elements, for any number of blocks. Each part of a result is the sum of the
  // definition, rounded once.
  void Transform(std::span<const double> parts, std::byte* out) const;
  // Transforms only the i-th block, whose parts are finite, at the precision that it needs. Transform does so for
  // blocks with a result that an approximation leaves undecided.
  void TransformExactly(std::span<const double> parts, std::int64_t i, std::byte* out) const;

 private:
  class Quick;
  class Exact;

  // Returns the position in a whole block of the i-th number of a row-major array with rows of that length.
  std::int64_t PlaceOf(std::int64_t i, std::int64_t row) const { return i / row * lengths_.back() + i % row; }

  // Calls apply(axis, stride) for each axis, where `stride` is the distance of the numbers of a line along it. Calls
  // complete() before the last axis if the operand is half a spectrum.
  template <class Complete, class Apply>
  void ForEachAxis(const Complete& complete, const Apply& apply) const;
  // Completes the rows of a Hermitian spectrum from their first halves, of `count` numbers. Calls real(i) for each
  // number that is its own mirror image, and mirror(from, to) for each other one with a given mirror image.
  template <class Real, class Mirror>
  void ForEachMirrorImage(std::int64_t count, const Real& real, const Mirror& mirror) const;

  std::vector<std::int64_t> lengths_;
  PrimitiveType result_;
  bool inverse_;
  bool is_real_operand_, is_real_result_;
  std::int64_t operand_row_, result_row_;  // numbers of the last dimension: half of them plus one for a half spectrum
  std::int64_t size_;                      // numbers of a block
  std::int64_t operand_parts_, result_parts_;  // of a block
};

}  // namespace assay
