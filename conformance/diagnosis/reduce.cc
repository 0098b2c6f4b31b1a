#include "conformance/diagnosis/reduce.h"

#include <algorithm>
#include <span>

#include "conformance/diagnosis/steps.h"

namespace assay {
namespace {

// The first step opens calls, the only one for a region.
constexpr Step kSteps[] = {
    {"calls", CallEdits}, {"operands", OperandEdits}, {"attributes", AttributeEdits},
    {"sizes", SizeEdits}, {"types", TypeEdits},       {"values", ValueEdits},
};
// Each round starts with the result of the previous one; few modules need a third.
constexpr int kMostRounds = 12;

// Applies edits as long as one of the candidates fails.
bool Take(const Step& step, Search& search, Subject& subject, const EvaluationLimits& limits) {
  bool has_taken = false;
  for (std::size_t at = 0;;) {
    const std::vector<Edit> edits = step.edits(subject, limits);
    if (at >= edits.size()) return has_taken;
    const auto found = search.First(edits.size() - at, [&](std::size_t i) -> std::optional<Subject> {
      Candidate candidate = Candidate::Of(subject);
      if (!edits[at + i](candidate)) return std::nullopt;
      return Finish(std::move(candidate));
    });
    if (!found) return has_taken;
    subject = found->subject;
    has_taken = true;
    // The edits before it have been tried.
    at += found->number;
  }
}

}  // namespace

Result<Reduction> Reduce(const Subject& subject, Search& search, const EvaluationLimits& limits, ReductionScope extent,
                         const std::function<void(std::string_view, const Subject&)>& on_step) {
  Reduction reduction = {subject, SizeOf(subject), {}};
  Subject& current = reduction.subject;
  const auto tell = [&](std::string_view step) {
    if (on_step) on_step(step, current);
  };
  if (auto found = search.First(1, [&](std::size_t) { return Finish(Candidate::Of(subject)); })) {
    current = std::move(found->subject);
  }
  bool has_changed = true;
  for (int round = 0; has_changed && round < kMostRounds; ++round) {
    tell("instructions");
    has_changed = CutEntry(search, current, limits);
    const std::span<const Step> steps = kSteps;
    for (const Step& step : extent == ReductionScope::kRegion ? steps.first(1) : steps) {
      tell(step.name);
      has_changed |= Take(step, search, current, limits);
    }
  }
  if (search.error()) return *search.error();
  reduction.after = SizeOf(current);
  reduction.tries = search.tries();
  reduction.seconds = search.Seconds();
  reduction.is_cut_short = search.is_cut_short();
  return reduction;
}

Result<EvaluationLimits> LimitsFor(const Subject& subject, EvaluationLimits asked) {
  constexpr std::int64_t kFree = 100'000, kFactor = 10;
  std::int64_t steps = 0;
  EvaluationOptions options;
  options.limits = asked;
  options.observer = [&](const HloInstruction&, std::span<const Literal>, const Literal&, DeviceId) { ++steps; };
  ASSAY_TRY(const Literal output, EvaluateTogether(*subject.module, subject.arguments, options));
  asked.steps = std::min(asked.steps, kFree + kFactor * steps);
  return asked;
}

}  // namespace assay
