#include "interpreter/acceptance/called_function.h"

#include <algorithm>
#include <utility>

#include "interpreter/acceptance/unless_limited.h"
#include "interpreter/hlo/extract.h"

namespace assay {

CalledFunction::CalledFunction(const HloInstruction& instruction, const HloComputation& called) {
  const HloInstruction* piece[] = {&instruction};
  const std::vector<HloComputation*> originals = instruction.CalledComputations();
  module_ = ExtractInstructions(piece);
  const auto index = std::ranges::find(originals, &called) - originals.begin();
  const std::vector<HloComputation*> copies = module_->entry->root->CalledComputations();
  module_->entry =
      std::ranges::find(module_->computations, copies[index], [](const auto& one) { return one.get(); })->get();
  if (Result<PlannedModule> plan = PlannedModule::Plan(*module_)) plan_ = *std::move(plan);
}

std::optional<Literal> CalledFunction::operator()(std::vector<Literal> arguments) const {
  if (!plan_) return std::nullopt;
  Result<PerDevice<DeviceOutputs>> result = UnlessLimited(plan_->Evaluate({std::move(arguments)}));
  if (!result) return std::nullopt;
  return std::move(result->front().output);
}

}  // namespace assay
