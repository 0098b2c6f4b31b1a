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

}  // namespace assay
