// The origins of the dimensions of a result, as a partitioner sees them: if the operand's dimension is divided among
// devices, the result's can be divided in the same way.
#pragma once

#include <cstdint>
#include <vector>

#include "interpreter/hlo/op.h"

namespace assay::pjrt {

struct DimensionOrigin {
  std::size_t operand;
  std::int64_t dimension;
};

// Returns, for each dimension of an instruction's result, those of the operands that it continues, the first one
// preferred. A tuple's result is its element with this number. Empty for an op that is not in the table.
std::vector<std::vector<DimensionOrigin>> OriginsOf(const HloInstruction& instruction, std::int64_t element);

// True for an op whose result, each element of a tuple included, is divided as its first operand is.
bool ForwardsOperand(const Op& op);

}  // namespace assay::pjrt
