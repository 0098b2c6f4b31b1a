#include "interpreter/ops/common/ragged_rules.h"

#include <algorithm>

namespace assay {

std::int64_t RaggedDimension(const HloInstruction& dot) { return dot.Int64s("lhs_ragged_dims")[0]; }

RaggedMode RaggedModeOf(const HloInstruction& dot, const DotDimensions& d) {
  const std::int64_t ragged = RaggedDimension(dot);
  if (std::ranges::count(d.lhs_batch, ragged) > 0) return RaggedMode::kBatch;
  return std::ranges::count(d.lhs_contracting, ragged) > 0 ? RaggedMode::kContracting : RaggedMode::kFree;
}

}  // namespace assay
