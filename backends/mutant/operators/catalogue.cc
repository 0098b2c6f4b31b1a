#include <fmt/format.h>

#include <algorithm>

#include "backends/mutant/operators/operators.h"
#include "backends/mutant/operators/rewrite.h"

namespace assay {

void MutantList::Add(std::string_view made_by, std::string_view detail, std::string rule, Rewrite rewrite) {
  Mutant mutant;
  mutant.id =
      detail.empty() ? fmt::format("{}.{}", made_by, op_.name) : fmt::format("{}.{}.{}", made_by, op_.name, detail);
  mutant.op = op_.name;
  mutant.rule = std::move(rule);
  mutant.made_by = made_by;
  mutant.rewrite = std::move(rewrite);
  mutants_.push_back(std::move(mutant));
}

void MutantList::AddEdit(std::string_view made_by, std::string_view detail, std::string rule, Rewrite edit) {
  Add(made_by, detail, std::move(rule),
      [edit = std::move(edit)](HloInstruction& instruction) { return EditInstruction(instruction, edit); });
}

const std::vector<Mutant>& OperatorMutants() {
  static const std::vector<Mutant> mutants = [] {
    std::vector<Mutant> all;
    for (const Op* op : AllOps()) {
      MutantList list(*op, all);
      AddAttributeMutants(list);
      AddStructureMutants(list);
      AddOperandMutants(list);
      AddElementMutants(list);
      AddPrecisionMutants(list);
      AddPlaceMutants(list);
    }
    for (Mutant& mutant : all) MarkEquivalent(mutant);
    std::ranges::sort(all, {}, &Mutant::id);
    return all;
  }();
  return mutants;
}

std::vector<std::string_view> OperatorNames() {
  std::vector<std::string_view> names;
  for (const Mutant& mutant : OperatorMutants()) names.push_back(mutant.made_by);
  std::ranges::sort(names);
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}

}  // namespace assay
