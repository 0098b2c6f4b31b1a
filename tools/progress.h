// Shows the progress of a long run on standard error.
#pragma once

#include <chrono>
#include <cstddef>
#include <string>

namespace assay {

// On a terminal a line that is rewritten in place, with the rate and the time left; otherwise a line a minute.
class Progress {
 public:
  // `what` is the text "files of cases".
  Progress(std::size_t total, std::string what);

  // Counts one more item as begun.
  void Step(const std::string& name) { StepTo(done_ + 1, name); }
  // Sets the number of items that have begun, here and in other processes.
  void StepTo(std::size_t done, const std::string& name);
  // Clears the line before other output.
  void Clear() const;

 private:
  using Clock = std::chrono::steady_clock;

  // Returns ", 12 a second, 1 min 20 s left"; nothing if it is too early to know.
  std::string Rate() const;

  std::size_t total_;
  std::string what_;
  std::size_t done_ = 0;
  bool is_terminal_;
  Clock::time_point start_ = Clock::now();
  Clock::time_point last_line_ = start_;
};

}  // namespace assay
