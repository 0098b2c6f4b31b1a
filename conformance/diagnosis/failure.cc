#include "conformance/diagnosis/failure.h"

#include <algorithm>
#include <sstream>
#include <string_view>

#include "conformance/diagnosis/steps.h"
#include "interpreter/hlo/op.h"
#include "interpreter/hlo/printer.h"
#include "interpreter/types/ascii.h"
#include "interpreter/types/without_throwing.h"

namespace assay {
namespace {

constexpr std::string_view kWholeModule = "the whole module";

// Returns the words that identify a message: the first 12 without digits. A crash is identified by its whole first
// line, which says how the process ended.
std::string WordsOf(const Failure& failure) {
  constexpr int kMost = 12;
  if (failure.verdict == Verdict::kCrash) return failure.reason.substr(0, failure.reason.find('\n'));
  const auto is_of_word = [](char c) {
    return IsAsciiLetter(c) || std::string_view(",:;-'").find(c) != std::string_view::npos;
  };
  std::istringstream stream(failure.reason);
  std::string words;
  int count = 0;
  for (std::string word; count < kMost && stream >> word;) {
    if (!std::ranges::all_of(word, is_of_word)) continue;
    words += word + " ";
    ++count;
  }
  return words;
}

void AddCalledOps(const HloInstruction& instruction, std::set<std::string>& ops) {
  for (const HloComputation* called : instruction.CalledComputations()) {
    for (const auto& inner : called->instructions) {
      if (inner->op->role == OpRole::kParameter || !ops.emplace(inner->op->name).second) continue;
      AddCalledOps(*inner, ops);
    }
  }
}

// Adds the op that fails. For a call, a loop or a conditional it may be any op in the called computations.
void AddOpsOf(const PieceReport& piece, const HloModule& module, std::set<std::string>& ops) {
  for (const auto& computation : module.computations) {
    for (const auto& instruction : computation->instructions) {
      if (PrintInstruction(*instruction) != piece.instruction) continue;
      ops.emplace(instruction->op->name);
      if (IsOpened(*instruction)) AddCalledOps(*instruction, ops);
      return;
    }
  }
  ops.insert(piece.instruction);
}

}  // namespace

bool Failure::IsLike(const Failure& first) const {
  if (verdict != first.verdict) return false;
  // A value that no lawful evaluation returns is the same kind of failure, for one op or as a whole.
  if (verdict == Verdict::kFail && words == kWholeModule) return true;
  if (first.ops.empty()) return ops.empty() && words == first.words;
  return std::ranges::any_of(ops, [&](const std::string& op) { return first.ops.contains(op); });
}

Failure FailureOf(const ModuleReport& report, const HloModule& module) {
  Failure failure = {report.verdict, report.reason, {}, {}};
  for (const PieceReport& offender : report.offenders) {
    if (offender.judgement.verdict == report.verdict) AddOpsOf(offender, module, failure.ops);
  }
  // Parts of a module may describe the same failure of the whole in different words.
  const bool is_whole = report.has_sets && report.verdict == Verdict::kFail;
  if (failure.ops.empty()) failure.words = is_whole ? std::string(kWholeModule) : WordsOf(failure);
  return failure;
}

Result<Failure> FindFailure(Backend& backend, const HloModule& module, const DeviceValues& arguments,
                            const CompareOptions& options) {
  ASSAY_TRY(const ModuleReport report, CompareModule(backend, module, arguments, options));
  return FailureOf(report, module);
}

double TimeoutOfTries(double timeout, const Failure& first, double seconds_of_first) {
  constexpr double kFree = 2, kFactor = 5;
  return first.verdict == Verdict::kTimeout ? timeout : std::min(timeout, kFree + kFactor * seconds_of_first);
}

StillFails FailsLike(Backend& backend, const CompareOptions& options, const Failure& first) {
  return [&backend, options, first](const HloModule& module, const DeviceValues& arguments) -> Result<bool> {
    const Result<Failure> failure = WithoutThrowing([&] { return FindFailure(backend, module, arguments, options); });
    return failure && failure->IsLike(first);
  };
}

StillFails FailsByPass(Backend& backend, const CompareOptions& options, const Failure& first, const std::string& pass) {
  const StillFails fails = FailsLike(backend, options, first);
  return [=, &backend](const HloModule& module, const DeviceValues& arguments) -> Result<bool> {
    ASSAY_TRY(const bool still_fails, fails(module, arguments));
    if (!still_fails) return false;
    backend.SetOptions({{pass}, {}});
    const Result<Failure> without = FindFailure(backend, module, arguments, options);
    backend.SetOptions({});
    return without && without->verdict <= Verdict::kSpecGap;
  };
}

}  // namespace assay
