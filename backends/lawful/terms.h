// Which products a sum adds up: read off the attributes of the ops that add.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "interpreter/hlo/module.h"

namespace assay {

// Offsets of the factors in operands 0 and 1; kNone: the factor is one.
struct Term {
  static constexpr std::int64_t kNone = -1;
  std::int64_t lhs = kNone;
  std::int64_t rhs = kNone;
};

// Those of each element of the result: of a product of two arrays by contracted dimensions, of a convolution, or of a
// reduction of one array, where the initial value is a right factor alone. Nothing for other instructions.
std::optional<std::vector<std::vector<Term>>> TermsOf(const HloInstruction& instruction);

}  // namespace assay
