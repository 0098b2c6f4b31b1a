// The smallest module and inputs that still fail (docs/reproducing.md#a-smaller-module).
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "conformance/diagnosis/failure.h"
#include "conformance/diagnosis/subject.h"
#include "interpreter/evaluator/evaluator.h"

namespace assay {

// A parallel search over candidates on several backends, whose result does not depend on their number.

class Search {
 public:
  // Takes one predicate for each worker. After `budget_seconds` no candidate is started; 0: no limit.
  Search(std::vector<StillFails> workers, double budget_seconds);

  struct Found {
    std::size_t number = 0;
    Subject subject;
  };
  // Returns the first of `count` candidates that still fails. `make` builds a candidate when it is needed, on any
  // thread; it returns nothing for an impossible one. No candidate is found twice. Candidates after the first failing
  // one may be tried early, and do not count.
  std::optional<Found> First(std::size_t count, const std::function<std::optional<Subject>(std::size_t)>& make);

  std::int64_t tries() const { return tries_; }
  // True if the time ran out, or the backend was lost, before all candidates were tried.
  bool is_cut_short() const { return is_cut_short_; }
  const std::optional<Error>& error() const { return error_; }
  double Seconds() const;

 private:
  using Clock = std::chrono::steady_clock;
  bool Try(StillFails& still_fails, const Subject& subject);

  std::vector<StillFails> workers_;
  double budget_;
  Clock::time_point start_ = Clock::now();
  std::int64_t tries_ = 0;
  std::mutex mutex_;
  std::atomic<bool> is_cut_short_ = false;
  std::optional<Error> error_;
  std::unordered_map<std::string, bool> known_;  // key: the text of the subject
};

struct Reduction {
  Subject subject;
  SubjectSize before, after;
  std::int64_t tries = 0;
  double seconds = 0;
  bool is_cut_short = false;  // the time ran out before the module was minimal
};

// The changes that a reduction may make.
enum class ReductionScope {
  kRegion,  // removes instructions, opens calls and loops; the remaining ones compute the same on the same values
  kAll,     // changes sizes, types, attributes and values, too
};

// Reduces a subject, which must fail. Every step is a legal module that the reference evaluates. `on_step` receives the
// current subject before each kind of step.
Result<Reduction> Reduce(const Subject& subject, Search& search, const EvaluationLimits& limits, ReductionScope extent,
                         const std::function<void(std::string_view step, const Subject&)>& on_step = {});

// Returns limits of the reference for variants of a subject, which may loop forever: a multiple of the subject's own
// steps, but not more than the limits that the user set.
Result<EvaluationLimits> LimitsFor(const Subject& subject, EvaluationLimits asked);

}  // namespace assay
