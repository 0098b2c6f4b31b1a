#include "conformance/diagnosis/reduce.h"

#include <algorithm>
#include <atomic>
#include <span>

#include "conformance/diagnosis/steps.h"
#include "interpreter/types/limits.h"
#include "interpreter/types/parallel.h"
#include "interpreter/types/thread.h"
#include "interpreter/types/without_throwing.h"

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

Search::Search(std::vector<StillFails> workers, double budget_seconds)
    : workers_(std::move(workers)), budget_(budget_seconds) {}

double Search::Seconds() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }

bool Search::Try(StillFails& still_fails, const Subject& subject) {
  Result<bool> fails = false;
  std::string text;
  const Status ended = WithoutThrowing([&]() -> Status {
    text = TextOf(subject);  // the text of large arrays reaches a limit, too
    {
      const std::lock_guard lock(mutex_);
      if (const auto known = known_.find(text); known != known_.end()) {
        fails = known->second;
        return {};
      }
    }
    fails = still_fails(*subject.module, subject.arguments);
    return {};
  });
  if (!ended) fails = false;  // it reached a limit, such as the rest of the budget
  const std::lock_guard lock(mutex_);
  if (!fails) {
    if (!error_) error_ = fails.error();
    is_cut_short_ = true;
  }
  const bool is_found = fails && *fails;
  if (!text.empty()) known_[text] = is_found;
  return is_found;
}

std::optional<Search::Found> Search::First(std::size_t count,
                                           const std::function<std::optional<Subject>(std::size_t)>& make) {
  std::vector<std::optional<Subject>> found(count);
  std::vector<char> was_made(count, 0);
  std::atomic<std::size_t> next = 0, first = count;
  const auto work = [&](std::size_t worker) {
    const DefaultFloatEnvironment environment;
    for (std::size_t i; (i = next++) < first;) {
      if (is_cut_short_ || (budget_ > 0 && Seconds() > budget_)) {
        is_cut_short_ = true;
        break;
      }
      const TimeLimit time(budget_ > 0 ? std::max(budget_ - Seconds(), 1e-9) : 0, "--budget");
      // A candidate that does not fit into memory is none.
      Result<std::optional<Subject>> made =
          WithoutThrowing([&]() -> Result<std::optional<Subject>> { return make(i); });
      std::optional<Subject> candidate = made ? *std::move(made) : std::nullopt;
      was_made[i] = candidate.has_value();
      if (!candidate || !Try(workers_[worker], *candidate)) continue;
      found[i] = std::move(candidate);
      for (std::size_t before = first; i < before && !first.compare_exchange_weak(before, i);) {
      }
    }
  };
  {
    JoinedThreads threads;
    const std::size_t workers = std::min(workers_.size(), count);
    for (std::size_t worker = 1; worker < workers && threads.Start([&, worker] { work(worker); }); ++worker) {
    }
    work(0);
  }
  tries_ +=
      std::count(was_made.begin(), was_made.begin() + std::min<std::ptrdiff_t>(first + 1, std::ssize(was_made)), 1);
  if (first == count) return std::nullopt;
  // A subject that was found once is never found again; otherwise two edits could undo each other endlessly.
  known_[TextOf(*found[first])] = false;
  return Found{first, *std::move(found[first])};
}

}  // namespace assay
