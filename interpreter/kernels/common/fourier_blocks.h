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
  // The type and the lengths of the instruction, none of them 0, and the element type of its result.
  FourierBlocks(std::string_view fft_type, std::vector<std::int64_t> lengths, PrimitiveType result);

  // The parts of the operand's elements, of any number of blocks, to the result's. Each part of a result is the sum of
  // the definition, rounded once.
  void Transform(std::span<const double> parts, std::byte* out) const;
  // The same for the i-th block alone, whose parts are finite, in as many bits as it takes: what Transform does for
  // blocks of which an approximation leaves a result in doubt.
  void TransformExactly(std::span<const double> parts, std::int64_t i, std::byte* out) const;

 private:
  class Quick;
  class Exact;

  // Where the i-th number of a row-major array with rows of that length lies among those of a whole block.
  std::int64_t PlaceOf(std::int64_t i, std::int64_t row) const { return i / row * lengths_.back() + i % row; }

  // Calls apply(axis, stride) for each axis, where the numbers of a line along it are that far apart. complete() comes
  // before the last one where half a spectrum is given.
  template <class Complete, class Apply>
  void ForEachAxis(const Complete& complete, const Apply& apply) const;
  // The rows of a Hermitian spectrum follow from their first halves. Calls real(i) for each number, of so many, that is
  // its own mirror image, and mirror(from, to) for each whose mirror image is given.
  template <class Real, class Mirror>
  void ForEachMirrorImage(std::int64_t count, const Real& real, const Mirror& mirror) const;

  std::vector<std::int64_t> lengths_;
  PrimitiveType result_;
  bool inverse_;
  bool is_real_operand_, is_real_result_;
  std::int64_t operand_row_, result_row_;      // numbers of the last dimension: half of them, and one, where it is real
  std::int64_t size_;                          // numbers of a block
  std::int64_t operand_parts_, result_parts_;  // of a block
};

}  // namespace assay
