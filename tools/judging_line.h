// Shows on standard error which instruction is being judged, if that takes long.
#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

#include "conformance/judging/compare.h"
#include "interpreter/types/thread.h"

namespace assay {

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

// Returns "judging for 34 s: sets, dot.5 (line 12)".
std::string JudgingText(double seconds, std::string_view now);

}  // namespace assay
