#include "conformance/judging/pieces.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>
#include <sstream>
#include <utility>

#include "conformance/judging/judged_alone.h"
#include "interpreter/acceptance/ops/op_acceptance.h"
#include "interpreter/acceptance/rule.h"
#include "interpreter/acceptance/sets/program_sets.h"
#include "interpreter/acceptance/statistics/samples/judge_by_samples.h"
#include "interpreter/evaluator/run_time_sizes.h"
#include "interpreter/hlo/async_pairs.h"
#include "interpreter/hlo/extract.h"
#include "interpreter/hlo/op.h"
#include "interpreter/hlo/printer.h"
#include "interpreter/types/limits.h"

namespace assay {
namespace {

// The limits of one request on the bytes of operands and results, and on the number of pieces.
constexpr std::int64_t kBatchBytes = 64 << 20;
constexpr std::size_t kBatchPieces = 64;

// True if an asynchronous operation has not delivered the value yet.
bool IsPromised(const Literal& value) {
  return value.promise() != nullptr || std::ranges::any_of(value.elements(), IsPromised);
}

}  // namespace

void PieceJudge::Observe(const HloInstruction& instruction, std::span<const Literal> operands, const Literal& result,
                         std::int64_t device) {
  if (!instruction.op->legality.done.empty()) {
    started_with_[{&instruction, device}].assign(operands.begin(), operands.end());
  }
  // The cheap test comes first: it rejects nearly all executions in a loop.
  std::vector<int>& executions = executions_[&instruction];
  executions.resize(devices_);
  if (executions[device]++ >= options_.executions_judged || !IsJudgedAlone(instruction)) return;
  if (const auto started = started_with_.find({&StartOf(instruction), device}); started != started_with_.end()) {
    operands = started->second;
  }
  // In a module of its own the instruction would run with the sizes of the bounds.
  if (HasRunTimeSizes(operands)) {
    const Error error = {ErrorCode::kUnsupported, "sizes below the bounds at run time: not judged alone"};
    Record({&instruction, {}, {}}, JudgementOf(error));
    return;
  }
  if (instruction.op->evaluation.depends_on_device) {
    ObserveOnDevice(instruction, operands, result, device);
    return;
  }
  batch_.push_back({&instruction, {{operands.begin(), operands.end()}}, ToHost(result)});
  for (const Literal& operand : operands) batch_bytes_ += operand.total_byte_size();
  batch_bytes_ += result.total_byte_size();
  if (batch_bytes_ >= kBatchBytes || batch_.size() >= kBatchPieces) Flush();
}

void PieceJudge::Flush() {
  if (!batch_.empty()) Run(batch_);
  batch_.clear();
  batch_bytes_ = 0;
}

void PieceJudge::ObserveOnDevice(const HloInstruction& instruction, std::span<const Literal> operands,
                                 const Literal& result, std::int64_t device) {
  if (IsPromised(result) || std::ranges::any_of(operands, IsPromised)) {
    // The end of an asynchronous pair counts for both.
    if (instruction.op->legality.done.empty()) ++report_.pieces_of_devices;
    return;
  }
  const std::int64_t devices = devices_;
  Gathering& gathering = gatherings_.try_emplace(&instruction, devices).first->second;
  gathering.operands[device].emplace_back(operands.begin(), operands.end());
  gathering.results[device].push_back(result);
  RunGathered(instruction, gathering);
}

void PieceJudge::RunGathered(const HloInstruction& instruction, Gathering& gathering) {
  const std::size_t k = gathering.judged;
  if (!std::ranges::all_of(gathering.results, [&](const auto& results) { return results.size() > k; })) return;
  ++gathering.judged;
  Piece piece = {&instruction, {}, {}};
  PerDevice<Literal> results;
  for (std::size_t d = 0; d < gathering.results.size(); ++d) {
    piece.operands.push_back(std::move(gathering.operands[d][k]));
    results.push_back(std::move(gathering.results[d][k]));
  }
  piece.want = OfAllDevices(std::move(results));
  Flush();  // the batch was executed before
  Run({&piece, 1});
}

void PieceJudge::Run(std::span<const Piece> pieces) {
  std::vector<const HloInstruction*> instructions;
  DeviceValues arguments(pieces[0].operands.size());
  for (const Piece& piece : pieces) {
    instructions.push_back(piece.instruction);
    for (std::size_t d = 0; d < arguments.size(); ++d) {
      arguments[d].insert(arguments[d].end(), piece.operands[d].begin(), piece.operands[d].end());
    }
  }
  const auto module = ExtractInstructions(instructions);
  CheckLimits();
  Result<PerDevice<Literal>> outputs = backend_.Run(*module, arguments);
  if (!outputs) CheckLimits();  // an expired judging time is not the backend's timeout
  if (outputs) {
    const Literal all = OfAllDevices(*std::move(outputs));
    for (std::size_t i = 0; i < pieces.size(); ++i) {
      const Literal& got = pieces.size() == 1 ? all : all.elements()[i];
      Record(pieces[i], JudgeAlone(pieces[i], got));
    }
    return;
  }
  // Halves the batch: an instruction that the backend declines, or that makes it crash, must not hide the others.
  if (pieces.size() > 1) {
    Run(pieces.first(pieces.size() / 2));
    Run(pieces.subspan(pieces.size() / 2));
    return;
  }
  Judgement judgement = JudgementOf(outputs.error());
  if (judgement.verdict == Verdict::kUnsupported) judgement.reason.insert(0, "the backend declines it alone: ");
  Record(pieces[0], std::move(judgement));
}

// The set of a sort has the freedoms of the instructions of its comparator.
Judgement PieceJudge::JudgeAlone(const Piece& piece, const Literal& got) const {
  const HloInstruction& instruction = *piece.instruction;
  Judgement judgement = JudgeInstruction(instruction, piece.operands, piece.want, got, options_.profile);
  const OpAcceptance& acceptance = AcceptanceOf(instruction);
  const bool has_set = acceptance.walk != nullptr && !acceptance.RunsComputations() && piece.operands.size() == 1;
  if (!IsFailure(judgement.verdict) || !has_set) return judgement;
  const HloInstruction* alone[] = {&instruction};
  const auto module = ExtractInstructions(alone);  // the set names its instructions
  EvaluationOptions evaluation;
  evaluation.limits = options_.limits;
  const Result<ValueSet> set = EvaluateSets(*module, piece.operands[0], options_.profile, evaluation);
  if (!set) {
    judgement.verdict = Verdict::kWeak;
    judgement.reason = set.error().message;
    return judgement;
  }
  Judgement by_set = JudgeBySet(*set, got);
  return by_set.verdict == Verdict::kFail ? judgement : by_set;
}

void PieceJudge::Record(const Piece& piece, Judgement judgement) {
  ++report_.pieces;
  if (judgement.verdict == Verdict::kExact) {
    ++report_.pieces_exact;
    return;
  }
  AddPiece(report_, *piece.instruction, std::move(judgement));
}

std::string FarFromSamples(const HloInstruction& instruction, const HloModule& module, const DeviceValues& operands,
                           const Literal& want, const Literal& got, const CompareOptions& options) {
  constexpr Acceptance kBounds[] = {Acceptance::kExact,   Acceptance::kUlp,       Acceptance::kSum,
                                    Acceptance::kProduct, Acceptance::kTransform, Acceptance::kDerived};
  const Acceptance rule = RuleOf(instruction, options.profile).acceptance;
  if (!ShapeUtil::HasInexactLeaf(instruction.shape) || std::ranges::count(kBounds, rule) == 0) return {};
  Samples samples(module, operands, want, got, options.profile, options.limits);
  const SampleFinding& finding = samples.Find(SampleQuestion::kAreSuspect);
  return finding.has_integers ? std::string() : finding.suspect;
}

std::string FreedomsOfPieces(const ModuleReport& report) {
  std::set<std::string> freedoms;
  for (const PieceReport& piece : report.offenders) {
    std::istringstream reasons(piece.judgement.reason);
    for (std::string freedom; std::getline(reasons >> std::ws, freedom, ',');) freedoms.insert(freedom);
  }
  return fmt::format("{}", fmt::join(freedoms, ", "));
}

void AddOffender(ModuleReport& report, PieceReport offender) {
  const auto known = std::ranges::find_if(report.offenders, [&](const PieceReport& one) {
    return one.instruction == offender.instruction && one.line == offender.line;
  });
  if (known != report.offenders.end()) {
    if (offender.judgement.verdict <= known->judgement.verdict) return;
    report.offenders.erase(known);  // the worse execution comes after those of other instructions
  }
  report.offenders.push_back(std::move(offender));
}

void AddPiece(ModuleReport& report, const HloInstruction& instruction, Judgement judgement) {
  AddOffender(report, {PrintInstruction(instruction), instruction.location.line, std::move(judgement)});
}

}  // namespace assay
