#include "backends/child_process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstring>
#include <utility>
#include <vector>

namespace assay {
namespace {

// A reply longer than this is no value of any module that fits the memory limit.
constexpr std::size_t kMaxLine = std::size_t{4} << 30;
constexpr std::size_t kErrorTextKept = 4096;

using Clock = std::chrono::steady_clock;

int MillisecondsUntil(Clock::time_point deadline) {
  const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now()).count();
  return left < 0 ? 0 : static_cast<int>(std::min<long long>(left + 1, 1 << 30));
}

Clock::time_point Deadline(double seconds) {
  return Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
}

}  // namespace

Result<ChildProcess> ChildProcess::Start(const std::vector<std::string>& command, const std::string& directory) {
  const auto cannot_start = [&] {
    return Error{ErrorCode::kBackend, fmt::format("cannot start {}: {}", command[0], std::strerror(errno))};
  };
  int in[2], out[2], err[2];
  if (pipe2(in, O_CLOEXEC) != 0 || pipe2(out, O_CLOEXEC) != 0 || pipe2(err, O_CLOEXEC) != 0) return cannot_start();
  std::vector<char*> arguments;
  for (const std::string& argument : command) arguments.push_back(const_cast<char*>(argument.c_str()));
  arguments.push_back(nullptr);
  signal(SIGPIPE, SIG_IGN);
  const pid_t pid = fork();
  if (pid < 0) return cannot_start();
  if (pid == 0) {
    setpgid(0, 0);
    // Whatever ends assay ends the child too.
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    dup2(in[0], STDIN_FILENO);
    dup2(out[1], STDOUT_FILENO);
    dup2(err[1], STDERR_FILENO);
    signal(SIGPIPE, SIG_DFL);
    if (!directory.empty() && chdir(directory.c_str()) != 0) _exit(127);
    execvp(arguments[0], arguments.data());
    const std::string_view reason = std::strerror(errno);
    if (write(STDERR_FILENO, reason.data(), reason.size()) < 0) _exit(126);
    _exit(127);
  }
  setpgid(pid, pid);
  close(in[0]);
  close(out[1]);
  close(err[1]);
  for (int fd : {in[1], out[0], err[0]}) fcntl(fd, F_SETFL, O_NONBLOCK);
  ChildProcess child;
  child.pid_ = pid;
  child.to_child_ = in[1];
  child.from_child_ = out[0];
  child.errors_ = err[0];
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
  if (pid_ < 0) return;
  kill(-pid_, SIGKILL);
  waitpid(pid_, nullptr, 0);
  pid_ = -1;
}

void ChildProcess::DrainErrors() {
  if (errors_ < 0) return;
  char chunk[4096];
  // A child that never stops writing must not keep its reader.
  for (int i = 0; i < 256; ++i) {
    const ssize_t n = read(errors_, chunk, sizeof chunk);
    if (n == 0) {
      // poll would report a closed pipe at once, for ever.
      close(errors_);
      errors_ = -1;
    }
    if (n <= 0) return;
    error_text_.append(chunk, n);
    if (error_text_.size() > 2 * kErrorTextKept) error_text_.erase(0, error_text_.size() - kErrorTextKept);
  }
}

Error ChildProcess::WithErrorText(ErrorCode code, std::string what) {
  DrainErrors();
  Kill();
  while (!error_text_.empty() && error_text_.back() == '\n') error_text_.pop_back();
  if (!error_text_.empty()) what += "; its standard error ends with:\n" + error_text_;
  return {code, std::move(what)};
}

Error ChildProcess::Died() {
  // A child that closed its output is about to end: it has half a second to say how.
  int status = 0;
  pid_t ended = 0;
  for (int i = 0; i < 50 && (ended = waitpid(pid_, &status, WNOHANG)) == 0; ++i) usleep(10000);
  std::string what = "the backend closed its output";
  if (ended == pid_) {
    what = WIFSIGNALED(status)
               ? fmt::format("the backend died of signal {} ({})", WTERMSIG(status), strsignal(WTERMSIG(status)))
               : fmt::format("the backend ended with exit code {}", WEXITSTATUS(status));
    kill(-pid_, SIGKILL);
    pid_ = -1;
  }
  return WithErrorText(ErrorCode::kBackend, std::move(what));
}

Error ChildProcess::TookTooLong(std::string what) { return WithErrorText(ErrorCode::kLimit, std::move(what)); }

Status ChildProcess::WriteLine(std::string_view line, double timeout_seconds) {
  if (pid_ < 0) return Error{ErrorCode::kBackend, "the backend is not running"};
  std::string text(line);
  text += '\n';
  const auto deadline = Deadline(timeout_seconds);
  std::size_t written = 0;
  while (written < text.size()) {
    const ssize_t n = write(to_child_, text.data() + written, text.size() - written);
    if (n > 0) {
      written += n;
      continue;
    }
    if (n < 0 && errno != EAGAIN && errno != EINTR) return Died();
    DrainErrors();
    pollfd fds[] = {{to_child_, POLLOUT, 0}, {errors_, POLLIN, 0}};
    poll(fds, 2, std::min(MillisecondsUntil(deadline), 1000));
    if (Clock::now() > deadline) {
      return TookTooLong(fmt::format("the backend did not read its request within {} s", timeout_seconds));
    }
  }
  return {};
}

Result<std::string> ChildProcess::ReadLine(double timeout_seconds) {
  if (pid_ < 0) return Error{ErrorCode::kBackend, "the backend is not running"};
  const auto deadline = Deadline(timeout_seconds);
  std::size_t searched = 0;
  std::vector<char> chunk(1 << 16);
  while (true) {
    const std::size_t end = buffered_.find('\n', searched);
    if (end != std::string::npos) {
      std::string line = buffered_.substr(0, end);
      buffered_.erase(0, end + 1);
      return line;
    }
    searched = buffered_.size();
    if (searched > kMaxLine) return WithErrorText(ErrorCode::kBackend, "the backend sent a line of more than 4 GiB");
    DrainErrors();
    const ssize_t n = read(from_child_, chunk.data(), chunk.size());
    if (n == 0 || (n < 0 && errno != EAGAIN && errno != EINTR)) return Died();
    if (Clock::now() > deadline) {
      return TookTooLong(fmt::format("the backend did not answer within {} s", timeout_seconds));
    }
    if (n > 0) {
      buffered_.append(chunk.data(), n);
      continue;
    }
    pollfd fds[] = {{from_child_, POLLIN, 0}, {errors_, POLLIN, 0}};
    poll(fds, 2, std::min(MillisecondsUntil(deadline), 1000));
  }
}

}  // namespace assay
