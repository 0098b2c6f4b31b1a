#include "tools/judging_line.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>

#include "tools/report_text.h"

namespace assay {

std::string JudgingText(double seconds, std::string_view now) {
  return fmt::format("judging for {:.0f} s{}{}", seconds, now.empty() ? "" : ": ", now);
}

JudgingLine::JudgingLine() : is_terminal_(isatty(STDERR_FILENO) != 0), thread_(std::in_place) {
  // Without a thread nothing is shown.
  static_cast<void>(thread_->Start([this] { Show(); }));
}

JudgingLine::~JudgingLine() {
  {
    const std::lock_guard lock(mutex_);
    has_ended_ = true;
  }
  ended_.notify_all();
  thread_.reset();
  if (is_terminal_ && has_shown_) fmt::print(stderr, "\r\033[K");
}

void JudgingLine::Restart() {
  const std::lock_guard lock(mutex_);
  start_ = shown_ = Clock::now();
  stage_.clear();
}

JudgingObserver JudgingLine::Observer() {
  return [this](std::string_view stage, const HloInstruction& instruction) {
    // Called for every executed instruction: the text is built only when it is shown.
    const std::lock_guard lock(mutex_);
    stage_ = stage;
    name_ = instruction.name;
    line_ = instruction.location.line;
  };
}

std::string JudgingLine::Now() const {
  if (stage_.empty()) return {};
  return fmt::format("{}, {}{}", stage_, name_, line_ > 0 ? fmt::format(" (line {})", line_) : "");
}

void JudgingLine::Show() {
  constexpr std::chrono::seconds kFirst(4), kBetweenLines(30), kLook(1);
  std::unique_lock lock(mutex_);
  while (!ended_.wait_for(lock, kLook, [this] { return has_ended_; })) {
    const Clock::time_point now = Clock::now();
    if (is_terminal_ ? now - start_ < kFirst : now - shown_ < kBetweenLines) continue;
    shown_ = now;
    has_shown_ = true;
    const std::string text = Shortened(JudgingText(std::chrono::duration<double>(now - start_).count(), Now()));
    fmt::print(stderr, "{}{}{}", is_terminal_ ? "\r\033[K" : "", text, is_terminal_ ? "" : "\n");
    std::fflush(stderr);
  }
}

}  // namespace assay
