#include "conformance/pairs/judge_pair.h"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>

#include "interpreter/evaluator/evaluator.h"
#include "interpreter/hlo/op.h"
#include "interpreter/types/limits.h"
#include "interpreter/types/without_throwing.h"

namespace assay {
namespace {

// Runs the module before as the module after it, and every part of it on the reference with the values of the module
// after, as far as these are lawful.
class AfterBackend final : public Backend {
 public:
  AfterBackend(const HloModule& before, Result<PerDevice<Literal>> results, const Alignment* alignment,
               const EvaluationLimits& limits)
      : before_(before), results_(std::move(results)), alignment_(alignment), limits_(limits) {
    description_.name = "after";
    description_.max_devices = kMostDevices;
  }

  const BackendDescription& description() const override { return description_; }
  Result<std::unique_ptr<Executable>> Compile(const HloModule& module) override {
    return std::unique_ptr<Executable>(std::make_unique<Part>(*this, module));
  }

 private:
  class Part final : public Executable {
   public:
    Part(const AfterBackend& owner, const HloModule& module) : owner_(owner), module_(module) {}

    Result<PerDevice<Literal>> Run(const DeviceValues& inputs) override {
      if (&module_ == &owner_.before_) return owner_.results_;
      EvaluationOptions options = {.limits = owner_.limits_};
      const bool is_on_all = std::ssize(inputs) == owner_.before_.device_count();
      if (owner_.alignment_ != nullptr && is_on_all) options.disturb = owner_.alignment_->ReplaceValues();
      ASSAY_TRY(PerDevice<DeviceOutputs> outputs, EvaluateOnDevices(module_, inputs, options));
      return OutputsOf(std::move(outputs));
    }

   private:
    const AfterBackend& owner_;
    const HloModule& module_;
  };

  const HloModule& before_;
  Result<PerDevice<Literal>> results_;
  const Alignment* alignment_;
  EvaluationLimits limits_;
  BackendDescription description_;
};

// Appends the instruction that computes each array of a value.
void AppendResults(const HloInstruction& instruction, std::vector<const HloInstruction*>& results) {
  if (instruction.op->role == OpRole::kTuple) {
    for (const HloInstruction* operand : instruction.operands) AppendResults(*operand, results);
  } else {
    results.insert(results.end(), static_cast<std::size_t>(ShapeUtil::LeafCount(instruction.shape)), &instruction);
  }
}

// Returns the number of the array, among those of a shape, that an index of tuples leads to.
std::size_t LeafNumber(const Shape& shape, std::span<const std::int64_t> index) {
  if (index.empty()) return 0;
  std::size_t number = LeafNumber(shape.tuple_shapes(index[0]), index.subspan(1));
  for (std::int64_t i = 0; i < index[0]; ++i) {
    number += static_cast<std::size_t>(ShapeUtil::LeafCount(shape.tuple_shapes(i)));
  }
  return number;
}

// Pairs the instructions that compute the array with the worst element.
InstructionPair PairOfResults(const HloModule& before, const HloModule& after, const Judgement& outputs) {
  std::vector<const HloInstruction*> wanted, given;
  AppendResults(*before.entry->root, wanted);
  AppendResults(*after.entry->root, given);
  std::span<const std::int64_t> index = outputs.worst.tuple_index;
  if (before.device_count() > 1) index = index.subspan(1);  // the first one is the device
  const std::size_t number = LeafNumber(before.entry->root->shape, index);
  return {wanted[number], given[number], outputs};
}

// Aligns the modules, and names the first pair that differs.
Status AlignInstructions(Alignment& alignment, const HloModule& before, const DeviceValues& arguments,
                         const EvaluationLimits& limits, PairReport& report) {
  EvaluationOptions options = {.limits = limits, .disturb = alignment.CollectPairs()};
  ASSAY_TRY(const Literal again, EvaluateTogether(before, arguments, options));
  report.instructions = alignment.pairs().size();
  report.matched = static_cast<std::size_t>(std::ranges::count_if(alignment.pairs(), &InstructionPair::is_matched));
  report.divergence = alignment.FirstDivergence();
  return {};
}

}  // namespace

Result<PerDevice<Literal>> ModulePair::RunAfter(const DeviceValues& arguments, const EvaluationLimits& limits,
                                                ProgramValues* values) const {
  if (backend_ != nullptr) return backend_->Run(after_, arguments);
  EvaluationOptions options = {.limits = limits};
  if (values != nullptr) options.observer = values->Observer(after_.num_partitions);
  ASSAY_TRY(PerDevice<DeviceOutputs> outputs, EvaluateOnDevices(after_, arguments, options));
  return OutputsOf(std::move(outputs));
}

Result<PairReport> ModulePair::JudgeResults(const Result<PerDevice<Literal>>& results, const ProgramValues* values,
                                            const DeviceValues& arguments, const CompareOptions& options) const {
  PairReport report;
  CompareOptions compare = options;
  compare.has_aligned_values = true;
  compare.on_outputs = [&](const Literal& want, const Literal& got) {
    report.want = want;
    report.got = got;
  };
  std::optional<Alignment> alignment;
  if (values != nullptr) alignment.emplace(before_, *values, *results, options.profile);
  AfterBackend backend(before_, results, alignment ? &*alignment : nullptr, options.limits);
  ASSAY_TRY(report.report, CompareModule(backend, before_, arguments, compare));
  if (!IsFailure(report.report.verdict) || report.report.outputs.not_exact == 0) return report;
  if (alignment) {
    const Status aligned = WithoutThrowing([&] {
      const TimeLimit time(options.judging.seconds, options.judging.option);
      return AlignInstructions(*alignment, before_, arguments, options.limits, report);
    });
    if (!aligned && aligned.error().code != ErrorCode::kLimit) return aligned.error();
  }
  if (!report.divergence) report.divergence = PairOfResults(before_, after_, report.report.outputs);
  return report;
}

Result<PairReport> ModulePair::Judge(const DeviceValues& given, const CompareOptions& asked) const {
  CompareOptions options = asked;
  if (bridge_.is_whole() && after_.num_partitions > 1) options.profile = asked.profile.OfPartitioned();
  using Clock = std::chrono::steady_clock;
  ASSAY_TRY(const DeviceValues of_after, bridge_.ArgumentsOfAfter(given));
  const DeviceValues arguments = before_.device_count() == 1 ? DeviceValues{given.front()} : given;
  ProgramValues values(after_.device_count());
  const Clock::time_point start = Clock::now();
  const bool has_devices_of_after = before_.device_count() == after_.device_count();
  const bool is_aligned = backend_ == nullptr && (before_.device_count() == 1 || has_devices_of_after);
  const Result<PerDevice<Literal>> outputs = RunAfter(of_after, options.limits, is_aligned ? &values : nullptr);
  const double seconds = std::chrono::duration<double>(Clock::now() - start).count();
  if (!outputs && backend_ == nullptr) return outputs.error();
  if (!outputs) return JudgeResults(outputs.error(), nullptr, arguments, options);
  const BridgedResults results = bridge_.ResultsOfBefore(*outputs);
  std::optional<PairReport> worst;
  // Each version of the results must be lawful: copies that differ may be rounded otherwise on each device.
  for (const PerDevice<Literal>& version : results.versions) {
    ASSAY_TRY(PairReport report, JudgeResults(version, is_aligned ? &values : nullptr, arguments, options));
    if (!worst || report.report.verdict > worst->report.verdict) worst = std::move(report);
  }
  worst->note = results.note;
  worst->report.backend_seconds = seconds;
  return *std::move(worst);
}

}  // namespace assay
