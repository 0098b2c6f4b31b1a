// The in-place form of collective-permute and of its start, which sends slices of buffers: the rules of XLA's verifier
// (CheckInplaceCollectivePermute).
#pragma once

#include <cstdint>
#include <vector>

#include "interpreter/hlo/module.h"
#include "interpreter/ops/common/collectives.h"
#include "interpreter/types/literal.h"
#include "interpreter/types/result.h"
#include "interpreter/types/shape.h"

namespace assay {

// Returns the number of slices that a device sends of each buffer: the number of tuples of start indices. A device is
// as often a source, and as often a target.
std::int64_t SentSlices(const HloInstruction& permute);

// Checks the operands: input, output, and the start indices of slices of each. Input and output are arrays, or tuples
// of arrays, the buffers. Returns the shape of the output.
Result<Shape> InferInPlacePermute(const HloInstruction& permute);

// Copies slice number `slice` of every buffer from the input of the source to `result`. The operands are those of the
// source, and those of the target.
void CopySlices(const HloInstruction& permute, std::int64_t slice, const std::vector<Literal>& source,
                const std::vector<Literal>& target, Literal& result, const CollectiveSteps& steps);

}  // namespace assay
