#include "fuzz/mutants/mutant.h"

#include <fmt/format.h>

#include <algorithm>

#include "fuzz/mutants/kinds.h"
#include "interpreter/evaluator/evaluator.h"
#include "interpreter/hlo/clone.h"

namespace assay {
namespace {

Op Broken(const Mutant& mutant) {
  Op op = *FindOp(mutant.op);
  if (mutant.break_op != nullptr) mutant.break_op(op);
  return op;
}

}  // namespace

const std::vector<Mutant>& AllMutants() {
  static const std::vector<Mutant> mutants = [] {
    std::vector<Mutant> all;
    for (const auto& kind :
         {FunctionMutants(), IntegerMutants(), MovementMutants(), FoldMutants(), MatrixMutants(), DeviceMutants()}) {
      all.insert(all.end(), kind.begin(), kind.end());
    }
    std::ranges::sort(all, {}, &Mutant::id);
    return all;
  }();
  return mutants;
}

const Mutant* FindMutant(std::string_view id) {
  const auto found = std::ranges::find(AllMutants(), id, &Mutant::id);
  return found == AllMutants().end() ? nullptr : &*found;
}

MutantBackend::MutantBackend(const Mutant& mutant)
    : mutant_(mutant),
      broken_(Broken(mutant)),
      description_{.name = fmt::format("mutant:{}", mutant.id),
                   .version = "0.1.0",
                   .max_devices = 4096,
                   .ops = {},
                   .types = {}} {}

Result<std::vector<Literal>> MutantBackend::Run(const HloModule& module,
                                                const std::vector<std::vector<Literal>>& inputs) {
  const std::unique_ptr<HloModule> changed = CloneModule(module);
  for (const auto& computation : changed->computations) {
    for (const auto& instruction : computation->instructions) {
      if (instruction->op->name != mutant_.op) continue;
      if (mutant_.edit != nullptr) mutant_.edit(*instruction);
      instruction->op = &broken_;
    }
  }
  ASSAY_TRY(std::vector<DeviceOutputs> devices, EvaluateOnDevices(*changed, inputs));
  std::vector<Literal> outputs;
  for (DeviceOutputs& device : devices) outputs.push_back(std::move(device.output));
  return outputs;
}

Result<std::unique_ptr<Backend>> OpenMutant(std::string_view id) {
  if (const Mutant* mutant = FindMutant(id)) return std::unique_ptr<Backend>(std::make_unique<MutantBackend>(*mutant));
  std::vector<std::string_view> known;
  for (const Mutant& mutant : AllMutants()) known.push_back(mutant.id);
  return Error{ErrorCode::kUsage, fmt::format("unknown mutant {}: expected one of {}", id, fmt::join(known, ", "))};
}

}  // namespace assay
