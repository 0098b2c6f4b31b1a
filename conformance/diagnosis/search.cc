#include "conformance/diagnosis/search.h"

#include <algorithm>
#include <atomic>

#include "interpreter/types/limits.h"
#include "interpreter/types/parallel.h"
#include "interpreter/types/thread.h"
#include "interpreter/types/without_throwing.h"

namespace assay {

Search::Search(std::vector<StillFails> workers, double budget_seconds, std::function<void(std::int64_t)> on_try)
    : workers_(std::move(workers)), budget_(budget_seconds), on_try_(std::move(on_try)) {}

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
  if (on_try_) on_try_(tries_);
  if (first == count) return std::nullopt;
  // A subject that was found once is never found again; otherwise two edits could undo each other endlessly.
  known_[TextOf(*found[first])] = false;
  return Found{first, *std::move(found[first])};
}

}  // namespace assay
