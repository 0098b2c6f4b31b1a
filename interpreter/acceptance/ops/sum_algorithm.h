// The arithmetic of a sum of products that is not that of the operands' type.
#pragma once

#include <string_view>

namespace assay {

// The levels of operand_precision, from the fastest to the most exact.
inline constexpr std::string_view kPrecisionLevels[] = {"default", "high", "highest"};

// A way to compute a sum of products other than in the operands' type: with operands rounded to a narrower type, or
// split into several numbers of that type.
struct SumAlgorithm {
  std::string_view name;
  double operand_error = 0;  // of an operand, relative to it
  double accumulator_roundoff = 0;
  double products = 1;  // added for each product of two operands
  // The error of a convolution by a transform (Winograd, Fourier), relative to the largest input times the sum of the
  // weights' magnitudes: it is that of a whole tile, so that an output of zeros may have it.
  double transform_error = 0;
};

}  // namespace assay
