// The progress of a long run, and the instruction that is being judged if that takes long, on standard error.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

#include "conformance/judging/compare.h"
#include "interpreter/types/thread.h"

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

// On a terminal a line that is rewritten in place, from the fourth second on; otherwise a line every 30 s.
class JudgingLine {
 public:
  JudgingLine();
  ~JudgingLine();
  JudgingLine(const JudgingLine&) = delete;
  JudgingLine& operator=(const JudgingLine&) = delete;

  // Restarts the count of seconds.
  void Restart();
  // May be called on any thread during the lifetime of this object.
  JudgingObserver Observer();

 private:
  using Clock = std::chrono::steady_clock;

  void Show();
  // Returns "sets, dot.5 (line 12)". The caller must hold the mutex.
  std::string Now() const;

  const bool is_terminal_;
  Clock::time_point start_ = Clock::now();
  std::mutex mutex_;
  std::condition_variable ended_;
  bool has_ended_ = false;
  bool has_shown_ = false;
  Clock::time_point shown_ = start_;
  // The instruction or the stage that is being judged.
  std::string stage_, name_;
  int line_ = 0;
  std::optional<JoinedThreads> thread_;
};

}  // namespace assay
