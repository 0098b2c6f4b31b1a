#include "conformance/diagnosis/diagnose.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>
#include <utility>

#include "conformance/diagnosis/failure.h"
#include "conformance/diagnosis/steps.h"
#include "conformance/judging/judged_alone.h"
#include "interpreter/acceptance/elements.h"
#include "interpreter/hlo/clone.h"
#include "interpreter/hlo/op.h"
#include "interpreter/hlo/printer.h"

namespace assay {
namespace {

// Returns the instruction of the entry that a report blames; null if it is in another computation.
const HloInstruction* BlamedInEntry(const HloModule& module, const ModuleReport& report) {
  const PieceReport* const blamed = report.blamed();
  if (blamed == nullptr) return nullptr;
  const auto found = std::ranges::find_if(module.entry->instructions, [&](const auto& one) {
    return one->location.line == blamed->line && PrintInstruction(*one) == blamed->instruction;
  });
  return found == module.entry->instructions.end() ? nullptr : found->get();
}

// The search begins with the blamed instruction alone, so that it ends there if that fails.
Result<std::optional<FailingPart>> SearchPart(Backend& backend, const Subject& subject, const ModuleReport& report,
                                              CompareOptions compare, double seconds) {
  const Failure failure = FailureOf(report, *subject.module);
  compare.finds_all_offenders = false;
  ASSAY_TRY(compare.limits, LimitsFor(subject, compare.limits));
  Search search({FailsLike(backend, compare, failure)}, seconds);
  const HloInstruction* const blamed = BlamedInEntry(*subject.module, report);
  const auto alone = search.First(blamed == nullptr ? 0 : 1,
                                  [&](std::size_t) { return PartWithOnly(subject, *blamed, compare.limits); });
  ASSAY_TRY(Reduction reduction,
            Reduce(alone ? alone->subject : subject, search, compare.limits, ReductionScope::kRegion));
  reduction.before = SizeOf(subject);
  const Subject& part = reduction.subject;
  ASSAY_TRY(JudgedRun run, JudgeRun(backend, *part.module, part.arguments, compare));
  if (run.report.verdict != report.verdict) return std::optional<FailingPart>();
  return std::optional(FailingPart{std::move(reduction), std::move(run)});
}

}  // namespace

Judgement JudgedRun::judgement() const {
  Judgement judgement = report.outputs;
  judgement.verdict = report.verdict;
  judgement.reason = report.reason;
  return judgement;
}

std::string JudgedRun::RemarkOn(const Place& place) const {
  if (!got || SameElement(place.LeafOf(*want), place.LeafOf(*got), place.offset)) return "";
  const auto key = [](const Place& one) { return std::tie(one.tuple_index, one.offset); };
  const bool has_failed = std::ranges::binary_search(report.failed, key(place), {}, key);
  const auto is_own = [&](const Tally& tally) { return (tally.verdict == Verdict::kFail) == has_failed; };
  const auto own = std::ranges::find_if(report.outputs.tallies, is_own);
  const std::int64_t candidates = std::ranges::count_if(report.outputs.tallies, is_own);
  if (candidates == 1) return fmt::format("{}: {}", VerdictName(own->verdict), own->reason);
  return has_failed ? std::string(VerdictName(Verdict::kFail)) : "not exact";
}

Result<JudgedRun> JudgeRun(Backend& backend, const HloModule& module, const DeviceValues& arguments,
                           CompareOptions options) {
  JudgedRun run;
  options.on_outputs = [&](const Literal& want, const Literal& got) {
    run.want = want;
    run.got = got;
  };
  ASSAY_TRY(run.report, CompareModule(backend, module, arguments, options));
  return run;
}

bool HasFailingPart(const ModuleReport& report) {
  return report.verdict == Verdict::kUnsupported || IsFailure(report.verdict);
}

void FindPart(Backend& backend, const HloModule& module, const DeviceValues& arguments, const CompareOptions& compare,
              double search_seconds, Diagnosis& diagnosis) {
  const ModuleReport& report = diagnosis.run.report;
  if (!HasFailingPart(report)) return;
  Result<std::optional<FailingPart>> part =
      SearchPart(backend, {CloneModule(module), arguments}, report, compare, search_seconds);
  // The verdict is that of the whole module, however the search for a part of it ends.
  if (part) {
    diagnosis.part = *std::move(part);
  } else {
    diagnosis.search_error = part.error().message;
  }
}

Result<Diagnosis> Diagnose(Backend& backend, const HloModule& module, const DeviceValues& arguments,
                           const CompareOptions& compare, double search_seconds) {
  Diagnosis diagnosis;
  ASSAY_TRY(diagnosis.run, JudgeRun(backend, module, arguments, compare));
  FindPart(backend, module, arguments, compare, search_seconds, diagnosis);
  return diagnosis;
}

const HloInstruction* FailingPart::OnlyInstruction() const {
  const HloInstruction& root = *subject().module->entry->root;
  return Instructions() == std::vector<const HloInstruction*>{&root} && IsJudgedAlone(root) ? &root : nullptr;
}

std::vector<const HloInstruction*> FailingPart::Instructions() const {
  std::vector<const HloInstruction*> of_arrays, of_tuples;
  for (const auto& instruction : subject().module->entry->instructions) {
    const OpRole role = instruction->op->role;
    if (role == OpRole::kParameter || role == OpRole::kConstant) continue;
    const bool is_of_tuples = role == OpRole::kTuple || role == OpRole::kGetTupleElement;
    (is_of_tuples ? of_tuples : of_arrays).push_back(instruction.get());
  }
  return of_arrays.empty() ? of_tuples : of_arrays;
}

}  // namespace assay
