#include "backends/mutant/mutant.h"

#include <fmt/format.h>

#include <algorithm>

#include "backends/kind.h"
#include "backends/mutant/damage.h"
#include "backends/mutant/families.h"
#include "interpreter/hlo/clone.h"

namespace assay {

const std::vector<Mutant>& AllMutants() {
  static const std::vector<Mutant> mutants = [] {
    std::vector<Mutant> all;
    for (const auto& kind : {FunctionMutants(), IntegerMutants(), MovementMutants(), FoldMutants(), CallMutants(),
                             MatrixMutants(), DeviceMutants(), TransferMutants()}) {
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

Op BrokenOp(const Mutant& mutant) {
  Op op = *FindOp(mutant.op);
  if (mutant.break_op != nullptr) mutant.break_op(op);
  return op;
}

void EditModule(const Mutant& mutant, HloModule& module) {
  if (mutant.edit == nullptr) return;
  for (const auto& computation : module.computations) {
    for (const auto& instruction : computation->instructions) {
      if (instruction->op->name == mutant.op) mutant.edit(*instruction);
    }
  }
}

MutantBackend::MutantBackend(const Mutant& mutant)
    : mutant_(mutant),
      broken_(BrokenOp(mutant)),
      reference_(fmt::format("mutant:{}", mutant.id), {{FindOp(mutant.op), &broken_}}) {}

Result<std::unique_ptr<Executable>> MutantBackend::Compile(const HloModule& module) {
  std::unique_ptr<HloModule> changed = CloneModule(module);
  EditModule(mutant_, *changed);
  return reference_.Compile(std::move(changed));
}

Result<std::unique_ptr<Backend>> OpenMutant(std::string_view id) {
  if (const Mutant* mutant = FindMutant(id)) return std::unique_ptr<Backend>(std::make_unique<MutantBackend>(*mutant));
  if (std::unique_ptr<Backend> damaged = OpenDamaged(id)) return damaged;
  std::vector<std::string_view> known;
  for (const Mutant& mutant : AllMutants()) known.push_back(mutant.id);
  for (const Damage& damage : AllDamages()) known.push_back(damage.id);
  return Error{ErrorCode::kUsage, fmt::format("unknown mutant {}: expected one of {}", id, fmt::join(known, ", "))};
}

const BackendKind backend_mutant = {
    .name = "mutant",
    .form = "mutant:ID",
    .open = [](std::optional<std::string_view> id, double) { return OpenMutant(id.value_or("")); },
};

}  // namespace assay
