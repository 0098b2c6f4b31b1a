#include "interpreter/acceptance/statistics/samples/sampled_factors.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "interpreter/acceptance/statistics/samples/sampled_run.h"
#include "interpreter/types/split_mix.h"

namespace assay {
namespace {

// The properties of factors that fail this many times farther than those of samples do not fail by rounding errors.
constexpr double kFarProperties = 64;
// The runs that show it: a sign that is free is the same in all of them once in 16 million times.
constexpr std::size_t kRunsOfFactors = 24;

// Judges a run's factors by their properties, and numbers that follow from them but for signs by their magnitudes;
// nullopt for other outputs.
std::optional<Judgement> JudgeFactors(const SampledOutput& output, const Choices& choices, const Literal& want,
                                      const Literal& of_run) {
  if (const std::optional<Judgement> own = choices.JudgeChoice(output.path(), of_run)) return own;
  if (!choices.IsUpToSigns(output.path(), HasOneFactorization)) return std::nullopt;
  Judgement judgement;
  judgement.worst.share = ShareOfMagnitudes(PartAt(want, output.path()), PartAt(of_run, output.path()));
  if (judgement.worst.share > 1) judgement.verdict = Verdict::kFail;
  judgement.reason = "numbers whose signs are free have other magnitudes";
  return judgement;
}

}  // namespace

std::string FaultOfFactors(std::span<const SampledOutput> outputs, const Literal& want, const Literal& got,
                           const Choices& choices, const Decisions& decisions, OtherDecisions& decided,
                           SampleRuns& runs) {
  std::optional<Margins> margins;
  for (const SampledOutput& output : outputs) {
    if (choices.FindBefore(output.path(), /*is_sampled=*/true) == nullptr) continue;
    const std::optional<Judgement> own = JudgeFactors(output, choices, want, got);
    if (!own || !IsFailure(own->verdict)) continue;
    if (!margins) margins = decided.FindMargins();
    if (!margins || !margins->open_elements()) return {};
    double largest = 1;
    for (std::size_t run = 0; run < kRunsOfFactors; ++run) {
      const bool is_as_given = *margins->open_elements() == 0 || run % 2 == 0;
      Decisions made = is_as_given ? Decisions(&decisions) : Decisions(&*margins, SplitMix(run));
      const Result<Literal> sample = runs.Run(made, OrderOf(run), run);
      if (!sample) return {};
      const std::optional<Judgement> of_sample = JudgeFactors(output, choices, want, *sample);
      if (!of_sample) return {};
      largest = std::max(largest, of_sample->worst.share);
    }
    if (!(own->worst.share > kFarProperties * largest)) continue;
    return fmt::format("far from lawful results: output {}: {}: {:.3g} of its bound, {} samples {:.3g} at most",
                       output.number(), own->reason, own->worst.share, kRunsOfFactors, largest);
  }
  return {};
}

}  // namespace assay
