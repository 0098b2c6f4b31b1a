// The kind of a ragged-dot, by its ragged dimension.
#pragma once

#include "interpreter/ops/common/dot_rules.h"

namespace assay {

// The kind of the ragged dimension, which determines the meaning of its groups.
enum class RaggedMode {
  kFree,         // each group of lhs rows has its own rhs
  kContracting,  // one result for each group of terms
  kBatch,        // the groups are batches, which a plain dot separates, too
};

std::int64_t RaggedDimension(const HloInstruction& dot);
RaggedMode RaggedModeOf(const HloInstruction& dot, const DotDimensions& dimensions);

}  // namespace assay
