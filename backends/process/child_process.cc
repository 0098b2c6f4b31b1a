#include "backends/process/child_process.h"

#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <optional>
#include <utility>

#include "backends/json/printable.h"
#include "backends/process/child_starter.h"

namespace assay {
namespace {

constexpr std::size_t kErrorTextKept = 4096;
constexpr std::size_t kShownOfLine = 200;
// About thirty years. A longer wait would overflow the clock.
constexpr double kLongestWait = 1e9;
// poll cannot report the end of a child that has left its pipes to another process, so the child's state is polled too.
constexpr int kMillisecondsBetweenLooks = 100;

using Clock = std::chrono::steady_clock;

// Returns how a child ended, without reaping it. The result is empty while the child runs.
siginfo_t EndOf(pid_t pid) {
  siginfo_t end = {};
  waitid(P_PID, static_cast<id_t>(pid), &end, WEXITED | WNOHANG | WNOWAIT);
  return end;
}

// Writes to a pipe. A pipe without a reader fails with EPIPE and does not raise SIGPIPE: its action belongs to the
// whole process, and a program that links libassay may rely on it.
ssize_t WriteToPipe(int fd, std::string_view bytes) {
  sigset_t pipe_signal, pending, before;
  sigemptyset(&pipe_signal);
  sigaddset(&pipe_signal, SIGPIPE);
  sigpending(&pending);
  pthread_sigmask(SIG_BLOCK, &pipe_signal, &before);
  const ssize_t n = write(fd, bytes.data(), bytes.size());
  const int reason = errno;
  if (n < 0 && reason == EPIPE && sigismember(&pending, SIGPIPE) == 0) {
    constexpr timespec kNow = {};
    while (sigtimedwait(&pipe_signal, nullptr, &kNow) < 0 && errno == EINTR) {
    }
  }
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  errno = reason;
  return n;
}

}  // namespace

Deadline::Deadline(double seconds, double limit)
    : seconds_(limit),
      end_(Clock::now() + std::chrono::duration_cast<Clock::duration>(
                              std::chrono::duration<double>(std::fmin(seconds, kLongestWait)))) {}

int Deadline::MillisecondsLeft() const {
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(end_ - Clock::now()).count();
  return static_cast<int>(std::clamp<std::int64_t>(left, 0, 1 << 30));
}

Result<ChildProcess> ChildProcess::Start(const std::vector<std::string>& command, const std::string& directory) {
  ASSAY_TRY(const StartedChild started, StartChild(command, directory));
  ChildProcess child;
  child.pid_ = started.pid;
  child.to_child_ = started.to_child;
  child.from_child_ = started.from_child;
  child.errors_ = started.errors;
  return child;
}

ChildProcess::ChildProcess(ChildProcess&& other) noexcept { *this = std::move(other); }

ChildProcess& ChildProcess::operator=(ChildProcess&& other) noexcept {
  std::swap(pid_, other.pid_);
  std::swap(to_child_, other.to_child_);
  std::swap(from_child_, other.from_child_);
  std::swap(errors_, other.errors_);
  std::swap(buffered_, other.buffered_);
  std::swap(error_text_, other.error_text_);
  return *this;
}

ChildProcess::~ChildProcess() {
  Kill();
  for (int fd : {to_child_, from_child_, errors_}) {
    if (fd >= 0) close(fd);
  }
}

void ChildProcess::Kill() {
  if (pid_ >= 0) EndChild(std::exchange(pid_, -1));
}

bool ChildProcess::HasEnded() const { return EndOf(pid_).si_pid == pid_; }

void ChildProcess::Wait(int fd, short event, const Deadline& deadline) const {
  pollfd fds[] = {{fd, event, 0}, {errors_, POLLIN, 0}};
  poll(fds, 2, std::min(deadline.MillisecondsLeft(), kMillisecondsBetweenLooks));
}

void ChildProcess::DrainErrors() {
  if (errors_ < 0) return;
  char chunk[4096];
  // The limit of the loop ensures progress although a child may never stop writing.
  for (int i = 0; i < 256; ++i) {
    const ssize_t n = read(errors_, chunk, sizeof chunk);
    if (n == 0) {
      // poll would report a closed pipe at once, forever.
      close(errors_);
      errors_ = -1;
    }
    if (n <= 0) return;
    error_text_.append(chunk, n);
    if (error_text_.size() > 2 * kErrorTextKept) error_text_.erase(0, error_text_.size() - kErrorTextKept);
  }
}

void ChildProcess::ForgetErrorText() {
  if (pid_ < 0 || HasEnded()) return;
  DrainErrors();
  error_text_.clear();
}

Error ChildProcess::Gone(ErrorCode code, std::string what) {
  DrainErrors();
  Kill();
  if (const std::string_view cut = buffered_.Cut(); !cut.empty()) {
    what += fmt::format("; of a line it had sent: {}", Printable(cut, Lines::kOne, kShownOfLine));
  }
  while (!error_text_.empty() && error_text_.back() == '\n') error_text_.pop_back();
  if (!error_text_.empty()) {
    what += "; its standard error ends with:\n" + Printable(error_text_, Lines::kMany, 2 * kErrorTextKept);
  }
  return {code, std::move(what)};
}

Error ChildProcess::Died() {
  // A child that closed its output is about to end. Its status is polled for half a second.
  siginfo_t end = {};
  for (int i = 0; i < 50 && (end = EndOf(pid_)).si_pid != pid_; ++i) usleep(10000);
  if (end.si_pid != pid_) return Gone(ErrorCode::kBackend, "the backend closed its output");
  return Gone(ErrorCode::kBackend,
              end.si_code == CLD_EXITED
                  ? fmt::format("the backend ended with exit code {}", end.si_status)
                  : fmt::format("the backend died of signal {} ({})", end.si_status, strsignal(end.si_status)));
}

Status ChildProcess::WriteLine(std::string_view line, const Deadline& deadline) {
  if (pid_ < 0) return Error{ErrorCode::kBackend, "the backend is not running"};
  std::string text(line);
  text += '\n';
  std::size_t written = 0;
  while (written < text.size()) {
    const bool has_ended = HasEnded();
    const ssize_t n = WriteToPipe(to_child_, std::string_view(text).substr(written));
    if (n > 0) {
      written += n;
      continue;
    }
    if (has_ended || (n < 0 && errno != EAGAIN && errno != EINTR)) return Died();
    if (deadline.HasPassed()) {
      return Gone(ErrorCode::kLimit,
                  fmt::format("the backend did not read its request within {} s", deadline.seconds()));
    }
    DrainErrors();
    Wait(to_child_, POLLOUT, deadline);
  }
  return {};
}

Result<std::string> ChildProcess::ReadLine(const Deadline& deadline, std::size_t longest) {
  if (pid_ < 0) return Error{ErrorCode::kBackend, "the backend is not running"};
  std::vector<char> chunk(1 << 16);
  while (true) {
    if (deadline.HasPassed()) {
      return Gone(ErrorCode::kLimit, fmt::format("the backend did not answer within {} s", deadline.seconds()));
    }
    Result<std::optional<std::string>> line = buffered_.TakeLine(longest);
    if (!line) return Gone(line.error().code, line.error().message);
    if (*line) return **std::move(line);
    DrainErrors();
    // HasEnded precedes read, so that output from before the end is still read.
    const bool has_ended = HasEnded();
    const ssize_t n = read(from_child_, chunk.data(), chunk.size());
    if (n > 0) {
      buffered_.Append({chunk.data(), static_cast<std::size_t>(n)});
      continue;
    }
    if (n == 0 || has_ended || (errno != EAGAIN && errno != EINTR)) return Died();
    Wait(from_child_, POLLIN, deadline);
  }
}

void ChildProcess::Leave(std::string_view line, const Deadline& deadline) {
  if (pid_ < 0 || !WriteLine(line, deadline)) return;
  close(std::exchange(to_child_, -1));
  std::vector<char> chunk(1 << 16);
  // Discards the child's remaining output, which could block it.
  while (!HasEnded() && !deadline.HasPassed()) {
    DrainErrors();
    if (read(from_child_, chunk.data(), chunk.size()) <= 0) usleep(2000);
  }
  Kill();
}

}  // namespace assay
