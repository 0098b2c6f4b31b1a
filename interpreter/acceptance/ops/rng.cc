#include "interpreter/acceptance/ops/records.h"

namespace assay {
namespace {

Distribution DistributionOf(const HloInstruction& rng) {
  return rng.String("distribution") == "rng_normal" ? Distribution::kNormal : Distribution::kUniform;
}

}  // namespace

const OpAcceptance acceptance_rng = {.op = &op_rng, .rule = Acceptance::kStatistical, .facts = DistributionOf};

}  // namespace assay
