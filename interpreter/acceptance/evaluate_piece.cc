#include "interpreter/acceptance/evaluate_piece.h"

#include <utility>

#include "interpreter/acceptance/unless_limited.h"
#include "interpreter/hlo/extract.h"
#include "interpreter/types/per_device.h"

namespace assay {

Result<Literal> EvaluatePiece(const HloModule& module, std::vector<Literal> operands, const OpOverrides& overrides) {
  DeviceValues arguments = ByDevice(module.device_count(), std::move(operands));
  return UnlessLimited(EvaluateTogether(module, std::move(arguments), {}, overrides));
}

Result<Literal> EvaluateAlone(const HloInstruction& instruction, std::vector<Literal> operands,
                              const OpOverrides& overrides) {
  const HloInstruction* piece[] = {&instruction};
  return EvaluatePiece(*ExtractInstructions(piece), std::move(operands), overrides);
}

}  // namespace assay
