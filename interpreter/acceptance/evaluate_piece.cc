#include "interpreter/acceptance/evaluate_piece.h"

#include <utility>

#include "interpreter/acceptance/ops/op_acceptance.h"
#include "interpreter/acceptance/unless_limited.h"
#include "interpreter/hlo/extract.h"
#include "interpreter/types/per_device.h"

namespace assay {

std::optional<Literal> EvaluateAlone(const HloInstruction& instruction, std::vector<Literal> operands,
                                     const OpOverrides& overrides,
                                     const std::function<PrimitiveType(PrimitiveType)>& retype) {
  const HloInstruction* piece[] = {&instruction};
  const auto module = ExtractInstructions(piece, retype);
  DeviceValues arguments = ByDevice(module->device_count(), std::move(operands));
  Result<Literal> result = UnlessLimited(EvaluateTogether(*module, std::move(arguments), {}, overrides));
  return result ? std::optional(*std::move(result)) : std::nullopt;
}

std::optional<Literal> EvaluateBy(EvaluateFunction body, const HloInstruction& instruction,
                                  std::span<const Literal> operands) {
  const Op op = WithBody(*instruction.op, body);
  return EvaluateAlone(instruction, {operands.begin(), operands.end()}, {{instruction.op, &op}});
}

const ValueSet* SetAlone::At(const Place& place) {
  if (!set_) {
    const HloInstruction* piece[] = {&instruction_};
    module_ = ExtractInstructions(piece);
    set_ = UnlessLimited(EvaluateSets(*module_, {operands_.begin(), operands_.end()}, profile_));
  }
  if (!*set_) return nullptr;
  const ValueSet* leaf = &**set_;
  for (const std::int64_t i : place.tuple_index) leaf = &leaf->elements[i];
  return leaf;
}

}  // namespace assay
