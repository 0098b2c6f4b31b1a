// The kind of a ragged-dot, by its ragged dimension.
#pragma once

#include "interpreter/ops/common/dot_rules.h"

namespace assay {

// The part that the ragged dimension plays decides what its groups mean.
enum class RaggedMode {
  kFree,         // each group of lhs rows has its own rhs
  kContracting,  // one result for each group of terms
  kBatch,        // the groups are batches that a plain dot keeps apart anyway
};

std::int64_t RaggedDimension(const HloInstruction& dot);
RaggedMode RaggedModeOf(const HloInstruction& dot, const DotDimensions& dimensions);

}  // namespace assay
