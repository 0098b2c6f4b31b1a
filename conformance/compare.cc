#include "conformance/compare.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <map>

#include "conformance/computation_values.h"
#include "conformance/difference.h"
#include "conformance/own_values.h"
#include "conformance/pieces.h"
#include "interpreter/acceptance/program_sets.h"
#include "interpreter/acceptance/sums/lawful_runs.h"
#include "interpreter/acceptance/trials.h"
#include "interpreter/evaluator/evaluator.h"
#include "interpreter/evaluator/run_time_sizes.h"
#include "interpreter/hlo/async_pairs.h"
#include "interpreter/hlo/extract.h"
#include "interpreter/hlo/op.h"
#include "interpreter/hlo/printer.h"
#include "interpreter/types/device_values.h"
#include "interpreter/types/without_throwing.h"

namespace assay {
namespace {

using Clock = std::chrono::steady_clock;

double SecondsSince(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

bool IsReal(const Shape& shape) {
  if (shape.IsTuple()) return std::ranges::any_of(shape.tuple_shapes(), IsReal);
  return shape.IsArray() && (IsFloatingPointType(shape.element_type()) || IsComplexType(shape.element_type()));
}

// Real numbers may be moved, but not computed with.
bool IsDetermined(const HloInstruction& instruction) {
  const Acceptance rule = instruction.op->acceptance.rule;
  if (rule != Acceptance::kExact) return rule == Acceptance::kCalled;
  if (instruction.op->evaluation.kernel == nullptr) return true;
  return !IsReal(instruction.shape) &&
         std::ranges::none_of(instruction.operands, [](const auto* operand) { return IsReal(operand->shape); });
}

void Conclude(const HloModule& module, ModuleReport& report) {
  if (report.offenders.empty() && IsDetermined(module)) {
    report.verdict = Verdict::kFail;
    report.reason = "no instruction has a choice, and every one alone is exact: the module as a whole is wrong";
    return;
  }
  if (report.offenders.empty()) {
    report.verdict = Verdict::kWeak;
    report.reason = report.pieces_of_devices > 0
                        ? "every instruction alone is exact; asynchronous operations were not judged alone"
                        : "every instruction alone is exact: the difference arises in the whole module only";
    return;
  }
  report.verdict = Verdict::kLegal;
  report.reason = "every instruction is legal on the operands that it had in the reference";
  for (const PieceReport& offender : report.offenders) {
    // An instruction that the backend runs in the module but not alone leaves the difference unexplained.
    const Verdict verdict =
        offender.judgement.verdict == Verdict::kUnsupported ? Verdict::kWeak : offender.judgement.verdict;
    if (verdict <= report.verdict) continue;
    report.verdict = verdict;
    report.reason = fmt::format("{} (line {}): {}", offender.instruction, offender.line, offender.judgement.reason);
  }
}

}  // namespace

bool IsDetermined(const HloModule& module) {
  return std::ranges::all_of(module.computations, [](const auto& computation) {
    return std::ranges::all_of(computation->instructions, [](const auto& one) { return IsDetermined(*one); });
  });
}

bool IsJudgedAlone(const HloInstruction& instruction) {
  const auto is_array = [](const HloInstruction* operand) { return operand->shape.IsArray(); };
  return instruction.op->role == OpRole::kOrdinary && std::ranges::all_of(StartOf(instruction).operands, is_array);
}

Result<std::map<const HloInstruction*, InstructionValues>> EvaluateInstructions(
    const HloModule& module, const DeviceValues& arguments, const EvaluationLimits& limits,
    const std::set<const HloInstruction*>& instructions) {
  struct OfDevices {
    DeviceValues operands;
    std::vector<Literal> results;
  };
  const std::int64_t devices = module.device_count();
  std::map<const HloInstruction*, OfDevices> seen;
  std::map<const HloInstruction*, OfDevices*> by_owner;  // of the operands
  for (const HloInstruction* instruction : instructions) {
    const std::int64_t looked_at = instruction->op->evaluation.depends_on_device ? devices : 1;
    seen[instruction] = {DeviceValues(looked_at), std::vector<Literal>(looked_at)};
    by_owner[&OperandsOwnerOf(*instruction)] = &seen[instruction];
  }
  EvaluationOptions evaluation;
  evaluation.limits = limits;
  evaluation.observer = [&](const HloInstruction& instruction, std::span<const Literal> operands, const Literal& result,
                            DeviceId id) {
    const std::size_t device = id.replica * module.num_partitions + id.partition;
    const auto owned = by_owner.find(&instruction);
    if (owned != by_owner.end() && device < owned->second->operands.size()) {
      owned->second->operands[device].assign(operands.begin(), operands.end());
    }
    const auto found = seen.find(&instruction);
    if (found != seen.end() && device < found->second.results.size()) found->second.results[device] = result;
  };
  ASSAY_TRY(const Literal output, EvaluateTogether(module, arguments, evaluation));
  std::map<const HloInstruction*, InstructionValues> values;
  for (auto& [instruction, of_devices] : seen) {
    values[instruction] = {Flat(of_devices.operands), OfAllDevices(std::move(of_devices.results))};
  }
  return values;
}

Result<InstructionValues> EvaluateRoot(const HloModule& module, const DeviceValues& arguments,
                                       const EvaluationLimits& limits) {
  DeviceValues operands(module.device_count());
  const HloInstruction& owner = OperandsOwnerOf(*module.entry->root);
  EvaluationOptions evaluation;
  evaluation.limits = limits;
  evaluation.observer = [&](const HloInstruction& instruction, std::span<const Literal> values, const Literal&,
                            DeviceId device) {
    if (&instruction != &owner) return;
    operands[device.replica * module.num_partitions + device.partition].assign(values.begin(), values.end());
  };
  ASSAY_TRY(Literal want, EvaluateTogether(module, arguments, evaluation));
  return InstructionValues{Flat(operands), std::move(want)};
}

Verdict VerdictOf(const Error& error) {
  switch (error.code) {
    case ErrorCode::kUnsupported:
      return Verdict::kUnsupported;
    case ErrorCode::kLimit:
      return Verdict::kTimeout;
    case ErrorCode::kBackend:
      return Verdict::kCrash;
    default:
      return Verdict::kError;
  }
}

Judgement JudgementOf(const Error& error) {
  Judgement judgement;
  judgement.verdict = VerdictOf(error);
  judgement.reason = error.message;
  return judgement;
}

namespace {

// Judges every instruction that the reference executes, alone.
Status JudgePieces(Backend& backend, const HloModule& module, const DeviceValues& arguments,
                   const CompareOptions& options, ModuleReport& report) {
  report.was_cut = true;
  PieceJudge judge(backend, options, arguments.size(), report);
  EvaluationOptions evaluation;
  evaluation.limits = options.limits;
  evaluation.limits.seconds = 0;
  evaluation.observer = [&](const HloInstruction& instruction, std::span<const Literal> operands, const Literal& result,
                            DeviceId device) {
    judge.Observe(instruction, operands, result, device.replica * module.num_partitions + device.partition);
  };
  ASSAY_TRY(const Literal again, EvaluateTogether(module, arguments, evaluation));
  return WithoutThrowing([&] {
    judge.Flush();
    return Status();
  });
}

// Whether what differs are real numbers.
bool AreRealAlone(const Literal& want, const Literal& got) {
  for (std::size_t i = 0; i < want.elements().size(); ++i) {
    if (!AreRealAlone(want.elements()[i], got.elements()[i])) return false;
  }
  if (!want.shape().IsArray() || IsFloatingPointType(want.element_type()) || IsComplexType(want.element_type())) {
    return true;
  }
  return want.BitwiseEqual(got);
}

// The sets leave it open: what the backend had on the way decides.
bool DecideOnOwnValues(Backend& backend, const HloModule& module, const DeviceValues& arguments, const Literal& got,
                       const CompareOptions& options, ModuleReport& report) {
  const auto own = JudgeOnOwnValues(backend, module, arguments[0], got, options, report);
  // Where a piece stays open, or leads elsewhere, the reference's own operands may show more.
  if (!own || !own->leads_to_result || own->verdict == Verdict::kWeak) {
    report.offenders.clear();
    return false;
  }
  report.was_cut = report.on_own_values = true;
  report.pieces = own->pieces;
  report.pieces_exact = own->pieces_exact;
  report.verdict = std::max(own->verdict, Verdict::kLegal);
  report.reason = report.verdict == Verdict::kLegal
                      ? "every instruction is legal on the operands that the backend itself gave it, and they lead to "
                        "its result"
                      : own->reason;
  return true;
}

}  // namespace

Result<ModuleReport> CompareModule(Backend& backend, const HloModule& module, const DeviceValues& arguments,
                                   const CompareOptions& options) {
  ModuleReport report;
  EvaluationOptions evaluation;
  evaluation.limits = options.limits;
  auto start = Clock::now();
  ASSAY_TRY(const Literal want, EvaluateTogether(module, arguments, evaluation));
  report.reference_seconds = SecondsSince(start);
  report.distinct_values = DistinctValues(want);
  report.real_numbers = CountRealNumbers(want);

  start = Clock::now();
  Result<std::vector<Literal>> outputs = backend.Run(module, arguments);
  report.backend_seconds = SecondsSince(start);
  if (!outputs) {
    report.verdict = VerdictOf(outputs.error());
    report.reason = outputs.error().message;
    return report;
  }
  const Literal got = OfAllDevices(*std::move(outputs));
  report.outputs = CompareExactly(want, got);
  if (report.outputs.verdict == Verdict::kExact) {
    report.reason = LittleShown(module, report.distinct_values);
    return report;
  }
  if (report.outputs.not_exact == 0) {  // not even the sizes are right
    report.verdict = report.outputs.verdict;
    report.reason = report.outputs.reason;
    return report;
  }
  report.relative_difference = RelativeDifference(want, got);

  evaluation.limits.seconds = 0;
  Result<ValueSet> set = Error{ErrorCode::kUnsupported, "several devices"};
  if (arguments.size() == 1) set = EvaluateSets(module, arguments[0], options.profile, evaluation);
  if (set) {
    report.has_sets = true;
    report.outputs = JudgeBySet(*set, got);
    report.verdict = report.outputs.verdict;
    report.reason = report.outputs.reason;
    if (report.verdict == Verdict::kLegal || report.verdict == Verdict::kWeak) {
      std::string fault = FindUnlikeLawfulRuns(module, arguments[0], want, got, options.profile, evaluation.limits);
      if (!fault.empty()) {
        report.verdict = Verdict::kFail;
        report.reason = std::move(fault);
      }
    }
    if (report.verdict == Verdict::kLegal || report.verdict == Verdict::kSpecGap) return report;
    if (report.verdict == Verdict::kFail) {
      ASSAY_CHECK_OK(JudgePieces(backend, module, arguments, options, report));
      return report;
    }
    if (DecideOnOwnValues(backend, module, arguments, got, options, report)) return report;
  }
  ASSAY_CHECK_OK(JudgePieces(backend, module, arguments, options, report));
  Conclude(module, report);
  if (report.verdict != Verdict::kLegal) return report;
  if (std::string unexplained = FindUnexplained(module, arguments, want, got, options.profile); !unexplained.empty()) {
    report.verdict = Verdict::kWeak;
    report.reason = "every instruction alone is legal, but " + unexplained;
  } else if (report.has_sets && !AreRealAlone(want, got)) {
    // Trials may find some other order or choice; that this one is lawful they do not show.
    report.verdict = Verdict::kWeak;
    report.reason = "every instruction alone is legal; what decides about integers is too close to tell";
  }
  return report;
}

}  // namespace assay
