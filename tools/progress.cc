#include "tools/progress.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <utility>

#include "tools/report_text.h"

namespace assay {
namespace {

std::string Duration(double seconds) {
  const auto whole = static_cast<std::int64_t>(seconds + 0.5);
  if (whole >= 3600) return fmt::format("{} h {} min", whole / 3600, whole / 60 % 60);
  return whole >= 60 ? fmt::format("{} min {} s", whole / 60, whole % 60) : fmt::format("{} s", whole);
}

}  // namespace

Progress::Progress(std::size_t total, std::string what)
    : total_(total), what_(std::move(what)), is_terminal_(isatty(STDERR_FILENO) != 0) {}

std::string Progress::Rate() const {
  const double seconds = std::chrono::duration<double>(Clock::now() - start_).count();
  // The last item has only begun: it does not count as done.
  if (seconds < 1 || done_ < 2) return "";
  const double rate = static_cast<double>(done_ - 1) / seconds;
  return fmt::format(", {:.3g} a second, {} left", rate, Duration(static_cast<double>(total_ - done_ + 1) / rate));
}

void Progress::StepTo(std::size_t done, const std::string& name) {
  done_ = done;
  if (is_terminal_) {
    fmt::print(stderr, "\r\033[K[{}/{}{}] {}", done_, total_, Rate(), Shortened(name));
    return;
  }
  constexpr std::chrono::minutes kPause(1);
  if (Clock::now() - last_line_ < kPause) return;
  last_line_ = Clock::now();
  fmt::print(stderr, "{} of {} {}{}\n", done_, total_, what_, Rate());
}

void Progress::Clear() const {
  if (is_terminal_) fmt::print(stderr, "\r\033[K");
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
    const std::string what = Now();
    const std::string text =
        Shortened(fmt::format("judging for {:.0f} s{}{}", std::chrono::duration<double>(now - start_).count(),
                              what.empty() ? "" : ": ", what));
    fmt::print(stderr, "{}{}{}", is_terminal_ ? "\r\033[K" : "", text, is_terminal_ ? "" : "\n");
    std::fflush(stderr);
  }
}

}  // namespace assay
