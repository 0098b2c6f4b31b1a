#include "tools/compare.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <map>

#include "interpreter/evaluator/evaluator.h"
#include "interpreter/hlo/extract.h"
#include "interpreter/hlo/op.h"
#include "interpreter/hlo/printer.h"
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

// Instructions whose value is that of other instructions are judged through those.
bool IsJudgedThroughOthers(const HloInstruction& instruction) { return instruction.op->role != OpRole::kOrdinary; }

// The results of all devices as one value.
Literal OfAllDevices(std::vector<Literal> outputs) {
  return outputs.size() == 1 ? std::move(outputs[0]) : Literal::MakeTuple(std::move(outputs));
}

Result<Literal> RunReference(const HloModule& module, const std::vector<std::vector<Literal>>& arguments,
                             const EvaluationOptions& options) {
  ASSAY_TRY(std::vector<DeviceOutputs> devices, EvaluateOnDevices(module, arguments, options));
  std::vector<Literal> outputs;
  for (DeviceOutputs& device : devices) outputs.push_back(std::move(device.output));
  return OfAllDevices(std::move(outputs));
}

bool HasOnlyArrays(const HloInstruction& instruction) {
  const auto is_array = [](const HloInstruction* i) { return i->shape.IsArray(); };
  return std::ranges::all_of(instruction.operands, is_array);
}

// Judges executed instructions in batches, each batch one module of unconnected instructions.
class PieceJudge {
 public:
  PieceJudge(Backend& backend, const CompareOptions& options, ModuleReport& report)
      : backend_(backend), options_(options), report_(report) {}

  void Observe(const HloInstruction& instruction, std::span<const Literal> operands, const Literal& result) {
    if (IsJudgedThroughOthers(instruction) || !HasOnlyArrays(instruction)) return;
    if (instruction.op->depends_on_device) {
      report_.pieces_of_devices++;
      return;
    }
    if (executions_[&instruction]++ >= options_.executions_judged) return;
    batch_.push_back({&instruction, {operands.begin(), operands.end()}, result});
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
    std::vector<Literal> operands;
    Literal want;
  };

  void Run(std::span<const Piece> pieces) {
    std::vector<const HloInstruction*> instructions;
    std::vector<Literal> arguments;
    for (const Piece& piece : pieces) {
      instructions.push_back(piece.instruction);
      arguments.insert(arguments.end(), piece.operands.begin(), piece.operands.end());
    }
    const auto module = ExtractInstructions(instructions);
    Result<std::vector<Literal>> outputs = backend_.Run(*module, {std::move(arguments)});
    if (outputs) {
      for (std::size_t i = 0; i < pieces.size(); ++i) {
        const Literal& got = pieces.size() == 1 ? (*outputs)[0] : (*outputs)[0].elements()[i];
        Record(pieces[i],
               JudgeInstruction(*pieces[i].instruction, pieces[i].operands, pieces[i].want, got, options_.profile));
      }
      return;
    }
    // One instruction that the backend declines or dies of must not hide the others.
    if (pieces.size() > 1) {
      Run(pieces.first(pieces.size() / 2));
      Run(pieces.subspan(pieces.size() / 2));
      return;
    }
    Judgement judgement;
    judgement.verdict = VerdictOf(outputs.error());
    judgement.reason = outputs.error().message;
    Record(pieces[0], std::move(judgement));
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
  std::map<const HloInstruction*, int> executions_;
  std::vector<Piece> batch_;
  std::int64_t batch_bytes_ = 0;
};

void Conclude(ModuleReport& report) {
  if (report.offenders.empty()) {
    report.verdict = Verdict::kWeak;
    report.reason = "every instruction alone is exact: the difference arises in the whole module only";
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

Verdict VerdictOf(const Error& error) {
  switch (error.code) {
    case ErrorCode::kUnsupported:
      return Verdict::kUnsupported;
    case ErrorCode::kLimit:
      return Verdict::kTimeout;
    default:
      return Verdict::kCrash;
  }
}

Result<ModuleReport> CompareModule(Backend& backend, const HloModule& module,
                                   const std::vector<std::vector<Literal>>& arguments, const CompareOptions& options) {
  ModuleReport report;
  EvaluationOptions evaluation;
  evaluation.limits = options.limits;
  auto start = Clock::now();
  ASSAY_TRY(const Literal want, RunReference(module, arguments, evaluation));
  report.reference_seconds = SecondsSince(start);

  start = Clock::now();
  Result<std::vector<Literal>> outputs = backend.Run(module, arguments);
  report.backend_seconds = SecondsSince(start);
  if (!outputs) {
    report.verdict = VerdictOf(outputs.error());
    report.reason = outputs.error().message;
    return report;
  }
  report.outputs = CompareExactly(want, OfAllDevices(*std::move(outputs)));
  if (report.outputs.verdict == Verdict::kExact) return report;

  report.was_cut = true;
  PieceJudge judge(backend, options, report);
  evaluation.observer = [&](const HloInstruction& instruction, std::span<const Literal> operands,
                            const Literal& result) { judge.Observe(instruction, operands, result); };
  evaluation.limits.seconds = 0;
  ASSAY_TRY(const Literal again, RunReference(module, arguments, evaluation));
  ASSAY_CHECK_OK(WithoutThrowing([&] {
    judge.Flush();
    return Status();
  }));
  Conclude(report);
  return report;
}

}  // namespace assay
