#include "conformance/compare.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <map>

#include "interpreter/acceptance/trials.h"
#include "interpreter/evaluator/evaluator.h"
#include "interpreter/evaluator/run_time_sizes.h"
#include "interpreter/hlo/extract.h"
#include "interpreter/hlo/op.h"
#include "interpreter/hlo/printer.h"
#include "interpreter/types/device_values.h"
#include "interpreter/types/without_throwing.h"

namespace assay {
namespace {

using Clock = std::chrono::steady_clock;

// Operands and results of one request; more would only cost memory.
constexpr std::int64_t kBatchBytes = 64 << 20;
constexpr std::size_t kBatchPieces = 64;

double SecondsSince(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

std::int64_t BytesOf(const Literal& value) {
  std::int64_t bytes = value.byte_size();
  for (const Literal& element : value.elements()) bytes += BytesOf(element);
  return bytes;
}

// A value that an asynchronous operation has not given yet.
bool IsPromised(const Literal& value) {
  return value.promise() != nullptr || std::ranges::any_of(value.elements(), IsPromised);
}

// Judges executed instructions in batches, each batch one module of unconnected instructions.
class PieceJudge {
 public:
  PieceJudge(Backend& backend, const CompareOptions& options, std::size_t devices, ModuleReport& report)
      : backend_(backend), options_(options), report_(report), devices_(devices) {}

  void Observe(const HloInstruction& instruction, std::span<const Literal> operands, const Literal& result,
               std::int64_t device) {
    if (!IsJudgedAlone(instruction)) return;
    if (executions_[{&instruction, device}]++ >= options_.executions_judged) return;
    // Alone, in a module of its own, it would run at the bounds.
    if (HasRunTimeSizes(operands) || HasRunTimeSizes({&result, 1})) {
      const Error error = {ErrorCode::kUnsupported, "sizes below the bounds at run time: not judged alone"};
      Record({&instruction, {}, {}}, JudgementOf(error));
      return;
    }
    if (instruction.op->evaluation.depends_on_device) {
      ObserveOnDevice(instruction, operands, result, device);
      return;
    }
    batch_.push_back({&instruction, {{operands.begin(), operands.end()}}, result});
    for (const Literal& operand : operands) batch_bytes_ += BytesOf(operand);
    batch_bytes_ += BytesOf(result);
    if (batch_bytes_ >= kBatchBytes || batch_.size() >= kBatchPieces) Flush();
  }

  void Flush() {
    if (!batch_.empty()) Run(batch_);
    batch_.clear();
    batch_bytes_ = 0;
  }

 private:
  struct Piece {
    const HloInstruction* instruction;
    DeviceValues operands;  // of those devices that take part
    Literal want;
  };

  // What the devices do together is judged once all of them have done it as often.
  struct Gathering {
    std::vector<DeviceValues> operands;  // of each device, of each execution
    DeviceValues results;
    std::size_t judged = 0;
  };

  void ObserveOnDevice(const HloInstruction& instruction, std::span<const Literal> operands, const Literal& result,
                       std::int64_t device) {
    if (IsPromised(result) || std::ranges::any_of(operands, IsPromised)) {
      ++report_.pieces_of_devices;
      return;
    }
    Gathering& gathering = gatherings_[&instruction];
    gathering.operands.resize(devices_);
    gathering.results.resize(devices_);
    gathering.operands[device].emplace_back(operands.begin(), operands.end());
    gathering.results[device].push_back(result);
    const std::size_t k = gathering.judged;
    if (!std::ranges::all_of(gathering.results, [&](const auto& results) { return results.size() > k; })) return;
    ++gathering.judged;
    Piece piece = {&instruction, {}, {}};
    std::vector<Literal> results;
    for (std::size_t d = 0; d < devices_; ++d) {
      piece.operands.push_back(std::move(gathering.operands[d][k]));
      results.push_back(std::move(gathering.results[d][k]));
    }
    piece.want = OfAllDevices(std::move(results));
    Run({&piece, 1});
  }

  void Run(std::span<const Piece> pieces) {
    std::vector<const HloInstruction*> instructions;
    DeviceValues arguments(pieces[0].operands.size());
    for (const Piece& piece : pieces) {
      instructions.push_back(piece.instruction);
      for (std::size_t d = 0; d < arguments.size(); ++d) {
        arguments[d].insert(arguments[d].end(), piece.operands[d].begin(), piece.operands[d].end());
      }
    }
    const auto module = ExtractInstructions(instructions);
    Result<std::vector<Literal>> outputs = backend_.Run(*module, arguments);
    if (outputs) {
      const Literal all = OfAllDevices(*std::move(outputs));
      for (std::size_t i = 0; i < pieces.size(); ++i) {
        const Literal& got = pieces.size() == 1 ? all : all.elements()[i];
        Record(pieces[i], JudgeInstruction(*pieces[i].instruction, Flat(pieces[i].operands), pieces[i].want, got,
                                           options_.profile));
      }
      return;
    }
    // One instruction that the backend declines or dies of must not hide the others.
    if (pieces.size() > 1) {
      Run(pieces.first(pieces.size() / 2));
      Run(pieces.subspan(pieces.size() / 2));
      return;
    }
    Record(pieces[0], JudgementOf(outputs.error()));
  }

  void Record(const Piece& piece, Judgement judgement) {
    ++report_.pieces;
    if (judgement.verdict == Verdict::kExact) {
      ++report_.pieces_exact;
      return;
    }
    const int line = piece.instruction->location.line;
    std::string text = PrintInstruction(*piece.instruction);
    for (PieceReport& known : report_.offenders) {
      if (known.instruction != text || known.line != line) continue;
      if (judgement.verdict > known.judgement.verdict) known.judgement = std::move(judgement);
      return;
    }
    report_.offenders.push_back({std::move(text), line, std::move(judgement)});
  }

  Backend& backend_;
  const CompareOptions& options_;
  ModuleReport& report_;
  const std::size_t devices_;
  std::map<std::pair<const HloInstruction*, std::int64_t>, int> executions_;
  std::map<const HloInstruction*, Gathering> gatherings_;
  std::vector<Piece> batch_;
  std::int64_t batch_bytes_ = 0;
};

void Conclude(ModuleReport& report) {
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

bool IsJudgedAlone(const HloInstruction& instruction) {
  const auto is_array = [](const HloInstruction* operand) { return operand->shape.IsArray(); };
  return instruction.op->role == OpRole::kOrdinary && std::ranges::all_of(instruction.operands, is_array);
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
  for (const HloInstruction* instruction : instructions) {
    const std::int64_t looked_at = instruction->op->evaluation.depends_on_device ? devices : 1;
    seen[instruction] = {DeviceValues(looked_at), std::vector<Literal>(looked_at)};
  }
  EvaluationOptions evaluation;
  evaluation.limits = limits;
  evaluation.observer = [&](const HloInstruction& instruction, std::span<const Literal> operands, const Literal& result,
                            DeviceId id) {
    const auto found = seen.find(&instruction);
    const std::size_t device = id.replica * module.num_partitions + id.partition;
    if (found == seen.end() || device >= found->second.results.size()) return;
    found->second.operands[device].assign(operands.begin(), operands.end());
    found->second.results[device] = result;
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
  EvaluationOptions evaluation;
  evaluation.limits = limits;
  evaluation.observer = [&](const HloInstruction& instruction, std::span<const Literal> values, const Literal&,
                            DeviceId device) {
    if (&instruction != module.entry->root) return;
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

Result<ModuleReport> CompareModule(Backend& backend, const HloModule& module, const DeviceValues& arguments,
                                   const CompareOptions& options) {
  ModuleReport report;
  EvaluationOptions evaluation;
  evaluation.limits = options.limits;
  auto start = Clock::now();
  ASSAY_TRY(const Literal want, EvaluateTogether(module, arguments, evaluation));
  report.reference_seconds = SecondsSince(start);

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
  if (report.outputs.verdict == Verdict::kExact) return report;
  if (report.outputs.not_exact == 0) {  // not even the sizes are right
    report.verdict = report.outputs.verdict;
    report.reason = report.outputs.reason;
    return report;
  }

  report.was_cut = true;
  PieceJudge judge(backend, options, arguments.size(), report);
  evaluation.observer = [&](const HloInstruction& instruction, std::span<const Literal> operands, const Literal& result,
                            DeviceId device) {
    judge.Observe(instruction, operands, result, device.replica * module.num_partitions + device.partition);
  };
  evaluation.limits.seconds = 0;
  ASSAY_TRY(const Literal again, EvaluateTogether(module, arguments, evaluation));
  ASSAY_CHECK_OK(WithoutThrowing([&] {
    judge.Flush();
    return Status();
  }));
  Conclude(report);
  if (report.verdict != Verdict::kLegal) return report;
  if (std::string unexplained = FindUnexplained(module, arguments, want, got, options.profile); !unexplained.empty()) {
    report.verdict = Verdict::kWeak;
    report.reason = "every instruction alone is legal, but " + unexplained;
  }
  return report;
}

}  // namespace assay
