// What the `algorithm` of a dot or convolution allows a backend: operands rounded to a narrower type or split into
// several numbers of one, products added in the accumulator that it names.
#pragma once

#include <optional>
#include <string_view>

#include "interpreter/hlo/module.h"

namespace assay {

struct DotAlgorithm {
  std::string_view name;
  double operand_error = 0;  // of an operand, relative to it
  double accumulator_roundoff = 0;
  double products = 1;  // added for each product of two operands
};

// Nothing where the instruction names none.
std::optional<DotAlgorithm> DotAlgorithmOf(const HloInstruction& instruction);

}  // namespace assay
