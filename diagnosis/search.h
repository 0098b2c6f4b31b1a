// Tries candidates on several backends at once, with a result that does not depend on how many there are.
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

#include "diagnosis/failure.h"
#include "diagnosis/subject.h"

namespace assay {

class Search {
 public:
  // One predicate for each worker. No more candidates are begun after so many seconds; 0: no end. `on_try` is told of
  // every candidate that is counted.
  Search(std::vector<StillFails> workers, double budget_seconds, std::function<void(std::int64_t tries)> on_try = {});

  struct Found {
    std::size_t number = 0;
    Subject subject;
  };
  // The first of `count` candidates that still fails. Candidates are made when it is their turn, on any thread; nothing
  // for one that cannot be made. None is found twice. Those behind the first that fails are tried early, and do not
  // count.
  std::optional<Found> First(std::size_t count, const std::function<std::optional<Subject>(std::size_t)>& make);

  std::int64_t tries() const { return tries_; }
  // The time was up, or the backend is gone, before all was tried.
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
  std::unordered_map<std::string, bool> known_;  // by the text of the subject
};

}  // namespace assay
