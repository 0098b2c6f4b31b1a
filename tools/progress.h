// How far a long run is, on standard error.
#pragma once

#include <chrono>
#include <cstddef>
#include <string>

namespace assay {

// On a terminal a line that is written over, with the rate and the time left; elsewhere a line a minute.
class Progress {
 public:
  // `what`: "files of cases".
  Progress(std::size_t total, std::string what);

  // One more has begun.
  void Step(const std::string& name) { StepTo(done_ + 1, name); }
  // So many have begun, here and elsewhere.
  void StepTo(std::size_t done, const std::string& name);
  // Makes room for other output.
  void Clear() const;

 private:
  using Clock = std::chrono::steady_clock;

  // ", 12 a second, 1 min 20 s left"; nothing where it is too early to say.
  std::string Rate() const;

  std::size_t total_;
  std::string what_;
  std::size_t done_ = 0;
  bool is_terminal_;
  Clock::time_point start_ = Clock::now();
  Clock::time_point last_line_ = start_;
};

}  // namespace assay
