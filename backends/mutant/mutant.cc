#include "backends/mutant/mutant.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "backends/kind.h"
#include "backends/mutant/operators/operators.h"
#include "interpreter/acceptance/ops/op_acceptance.h"
#include "interpreter/hlo/clone.h"
#include "interpreter/hlo/printer.h"
#include "interpreter/hlo/verifier.h"
#include "interpreter/kernels/kernels.h"
#include "interpreter/types/join_text.h"

namespace assay {

std::vector<const Mutant*> SampleOfMutants(std::size_t each) {
  std::vector<const Mutant*> sample;
  for (const Mutant& mutant : AllMutants()) sample.push_back(&mutant);
  std::map<std::string_view, std::vector<const Mutant*>> by_operator;
  for (const Mutant& mutant : OperatorMutants()) by_operator[mutant.made_by].push_back(&mutant);
  for (const auto& [name, made] : by_operator) {
    const std::size_t step = std::max<std::size_t>(1, made.size() / each);
    for (std::size_t i = 0; i < made.size(); i += step) sample.push_back(made[i]);
  }
  return sample;
}

std::vector<const std::vector<Mutant>*> HandwrittenMutants() {
  return {&AllMutants(), &PairMutants(), &QuantizationMutants(), &DamageMutants()};
}

const Mutant* FindMutant(std::string_view id) {
  std::vector<const std::vector<Mutant>*> all = HandwrittenMutants();
  all.push_back(&OperatorMutants());
  for (const std::vector<Mutant>* mutants : all) {
    const auto found = std::ranges::find(*mutants, id, &Mutant::id);
    if (found != mutants->end()) return &*found;
  }
  return nullptr;
}

Op BrokenOp(const Mutant& mutant) {
  Op op = WithKernel(*FindOp(mutant.op));
  if (mutant.break_op == nullptr) return op;
  mutant.break_op(op);
  op.evaluation.prepare = nullptr;
  return op;
}

namespace {

// True for a computation of one op that a fold recognizes. Any other instruction in it would change the fold's path.
bool IsOneFold(const HloComputation& computation) {
  return &computation != computation.module->entry && computation.instructions.size() == 3 &&
         AcceptanceOf(*computation.root).folded != Acceptance::kExact;
}

}  // namespace

bool EditModule(const Mutant& mutant, std::unique_ptr<HloModule>& module) {
  std::vector<HloInstruction*> instructions;
  for (const auto& computation : module->computations) {
    for (const auto& instruction : computation->instructions) {
      if (instruction->op->name == mutant.op) instructions.push_back(instruction.get());
    }
  }
  if (mutant.edit != nullptr) {
    const std::string before = PrintHloModule(*module, PrintOptions::Exact());
    for (HloInstruction* instruction : instructions) mutant.edit(*instruction);
    return PrintHloModule(*module, PrintOptions::Exact()) != before;
  }
  if (!mutant.rewrite) return false;
  const std::unique_ptr<HloModule> whole = CloneModule(*module);
  bool is_changed = false;
  for (HloInstruction* instruction : instructions) {
    if (!IsOneFold(*instruction->parent)) is_changed |= mutant.rewrite(*instruction);
  }
  if (!is_changed || VerifyHloModule(*module)) return is_changed;
  module = CloneModule(*whole);
  return false;
}

MutantBackend::MutantBackend(const Mutant& mutant)
    : mutant_(mutant),
      broken_(mutant.op.empty() ? Op() : BrokenOp(mutant)),
      overrides_(mutant.break_op == nullptr ? OpOverrides() : OpOverrides{{FindOp(mutant.op), &broken_}}),
      reference_(fmt::format("mutant:{}", mutant.id), overrides_) {}

namespace {

// The limits of steps: a changed loop may never end.
constexpr std::int64_t kMostSteps = 20'000, kMostStepsByHand = 1'000'000;

class MutantExecutable final : public Executable {
 public:
  MutantExecutable(const Mutant& mutant, PlannedModule planned, std::unique_ptr<const HloModule> module,
                   std::int64_t most_steps)
      : mutant_(mutant), module_(std::move(module)), planned_(std::move(planned)), most_steps_(most_steps) {}

  Result<PerDevice<Literal>> Run(const DeviceValues& inputs) override {
    EvaluationOptions options;
    options.limits.steps = most_steps_;
    ASSAY_TRY(PerDevice<DeviceOutputs> devices, planned_.Evaluate(inputs, options));
    PerDevice<Literal> results = OutputsOf(std::move(devices));
    if (mutant_.damage) mutant_.damage(results);
    return results;
  }

 private:
  const Mutant& mutant_;
  std::unique_ptr<const HloModule> module_;
  PlannedModule planned_;
  const std::int64_t most_steps_;
};

}  // namespace

Result<std::unique_ptr<Executable>> MutantBackend::Compile(const HloModule& module) {
  std::unique_ptr<HloModule> changed = CloneModule(module);
  const std::int64_t most_steps = !EditModule(mutant_, changed) ? EvaluationLimits().steps
                                  : mutant_.rewrite             ? kMostSteps
                                                                : kMostStepsByHand;
  ASSAY_TRY(PlannedModule planned, PlannedModule::Plan(*changed, overrides_));
  return std::unique_ptr<Executable>(
      std::make_unique<MutantExecutable>(mutant_, std::move(planned), std::move(changed), most_steps));
}

Result<std::unique_ptr<Backend>> OpenMutant(std::string_view id) {
  if (const Mutant* mutant = FindMutant(id)) return std::unique_ptr<Backend>(std::make_unique<MutantBackend>(*mutant));
  std::vector<std::string_view> known;
  for (const std::vector<Mutant>* mutants : HandwrittenMutants()) {
    for (const Mutant& mutant : *mutants) known.push_back(mutant.id);
  }
  return Error{ErrorCode::kUsage, fmt::format("unknown mutant {}: expected one of {}", id, JoinText(known, ", "))};
}

const BackendKind backend_mutant = {
    .name = "mutant",
    .form = "mutant:ID",
    .open = [](std::optional<std::string_view> id, double) { return OpenMutant(id.value_or("")); },
};

}  // namespace assay
