// A parallel search over candidates on several backends, whose result does not depend on their number.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "conformance/diagnosis/failure.h"
#include "conformance/diagnosis/subject.h"

namespace assay {

class Search {
 public:
  // Takes one predicate for each worker. After `budget_seconds` no candidate is started; 0: no limit. `on_try` is
  // called for every counted candidate.
  Search(std::vector<StillFails> workers, double budget_seconds, std::function<void(std::int64_t tries)> on_try = {});

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
  std::function<void(std::int64_t)> on_try_;
  Clock::time_point start_ = Clock::now();
  std::int64_t tries_ = 0;
  std::mutex mutex_;
  std::atomic<bool> is_cut_short_ = false;
  std::optional<Error> error_;
  std::unordered_map<std::string, bool> known_;  // key: the text of the subject
};

}  // namespace assay
