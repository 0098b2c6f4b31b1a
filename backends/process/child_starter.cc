#include "backends/process/child_starter.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <condition_variable>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <future>
#include <iterator>
#include <map>
#include <mutex>
#include <random>
#include <set>
#include <string_view>
#include <thread>
#include <utility>

#include "interpreter/types/number_in_text.h"
#include "interpreter/types/thread.h"

namespace assay {
namespace {

// The environment variable whose value identifies the processes that a child started, even those that left the child's
// group and lost their parent.
constexpr std::string_view kMark = "ASSAY_PEER=";

using std::chrono_literals::operator""us;

class Pipe {
 public:
  Pipe() {
    is_open_ = pipe2(ends_.data(), O_CLOEXEC) == 0;
    for (int& end : ends_) MoveBeyondStandard(end);
  }
  ~Pipe() {
    for (const int end : ends_) {
      if (end >= 0) close(end);
    }
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;

  bool is_open() const { return is_open_; }
  int read_end() const { return ends_[0]; }
  int write_end() const { return ends_[1]; }
  void CloseWriteEnd() { close(std::exchange(ends_[1], -1)); }
  // Transfers an end to the caller and makes it non-blocking.
  int Take(int end) {
    fcntl(ends_[end], F_SETFL, O_NONBLOCK);
    return std::exchange(ends_[end], -1);
  }

 private:
  // Moves an end above the standard descriptors. A process that has closed those gets 0 to 2 for its next pipe, where
  // dup2 would overwrite it.
  void MoveBeyondStandard(int& end) {
    if (!is_open_ || end > STDERR_FILENO) return;
    const int moved = fcntl(end, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    is_open_ = moved >= 0;
    if (is_open_) close(std::exchange(end, moved));
  }

  std::array<int, 2> ends_ = {-1, -1};
  bool is_open_ = false;
};

// The data that the child needs between fork and exec, where allocation is not allowed.
struct Program {
  std::vector<char*> arguments, environment;
  const char* directory;
  int in, out, errors, failure;
  pid_t parent;
};

[[noreturn]] void Become(const Program& program) {
  setpgid(0, 0);
  // The child ends with assay, however assay ends.
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != program.parent) _exit(127);
  dup2(program.in, STDIN_FILENO);
  dup2(program.out, STDOUT_FILENO);
  dup2(program.errors, STDERR_FILENO);
  // The program starts with the default signals, whichever ones this process blocks or ignores.
  signal(SIGPIPE, SIG_DFL);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  if (*program.directory == 0 || chdir(program.directory) == 0) {
    execvpe(program.arguments[0], program.arguments.data(), program.environment.data());
  }
  const int reason = errno;
  _exit(write(program.failure, &reason, sizeof reason) < 0 ? 126 : 127);
}

// The limit of waiting for a killed process. It ends at once unless it sleeps in the kernel; then assay stops waiting.
constexpr auto kLongestEnd = std::chrono::seconds(5);

// Waits until the condition holds. Returns false if it does not by the deadline.
template <class Condition>
bool WaitFor(Condition has_happened, std::chrono::steady_clock::time_point deadline) {
  for (auto pause = std::chrono::microseconds(100); !has_happened(); pause = std::min(2 * pause, 10'000us)) {
    if (std::chrono::steady_clock::now() > deadline) return false;
    std::this_thread::sleep_for(pause);
  }
  return true;
}

// Returns the children of this process, in all of its threads.
std::vector<pid_t> OwnChildren() {
  std::vector<pid_t> children;
  std::error_code error;
  for (const auto& task : std::filesystem::directory_iterator("/proc/self/task", error)) {
    std::ifstream list(task.path() / "children");
    for (std::string word; list >> word;) children.push_back(NumberInText<pid_t>(word).value());
  }
  return children;
}

std::vector<pid_t> AllProcesses() {
  std::vector<pid_t> processes;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator("/proc", error)) {
    const std::string name = entry.path().filename().string();
    pid_t pid = 0;
    if (std::from_chars(name.data(), name.data() + name.size(), pid).ec == std::errc()) processes.push_back(pid);
  }
  return processes;
}

bool HasInEnvironment(pid_t pid, const std::string& entry) {
  std::ifstream file(fmt::format("/proc/{}/environ", pid), std::ios::binary);
  const std::string all{std::istreambuf_iterator<char>(file), {}};
  return ('\0' + all).find('\0' + entry + '\0') != std::string::npos;
}

// True if a process has ended. Reaps a child of this process.
bool HasEnded(pid_t pid) {
  if (waitpid(pid, nullptr, WNOHANG) == 0) return false;
  std::ifstream file(fmt::format("/proc/{}/stat", pid));
  const std::string stat{std::istreambuf_iterator<char>(file), {}};
  // The state follows the name, which may have any characters.
  const std::size_t state = stat.rfind(") ");
  return state == std::string::npos || stat[state + 2] == 'Z' || stat[state + 2] == 'X';
}

// Starts and ends all children. The parent-death signal arrives when the thread that forked ends, so one thread that
// never ends forks all of them.
class Starter {
 public:
  static Starter& Get() {
    static Starter* const starter = new Starter;
    return *starter;
  }

  // Returns the child's process id, or a negative error number.
  pid_t Fork(const Program& program, const std::string& mark) {
    std::packaged_task<pid_t()> task([&] {
      // The lock ensures that EndMarked does not mistake a child that is not yet registered for a leftover.
      const std::lock_guard lock(children_mutex_);
      std::erase_if(children_, [](const auto& child) { return child.second.is_left && Reap(child.first); });
      const pid_t pid = fork();
      if (pid == 0) Become(program);
      if (pid > 0) children_[pid].mark = mark;
      return pid < 0 ? -errno : pid;
    });
    std::future<pid_t> result = task.get_future();
    {
      const std::lock_guard lock(tasks_mutex_);
      if (!has_thread_) has_thread_ = StartDetachedThread([this] { Work(); });
      if (!has_thread_) return -EAGAIN;
      tasks_.push_back(std::move(task));
    }
    wake_.notify_one();
    return result.get();
  }

  // Returns a new mark. Its random part distinguishes another assay in another namespace of process ids, which may have
  // the same numbers.
  std::string NewMark() {
    const std::lock_guard lock(children_mutex_);
    return fmt::format("{}{}.{}.{:08x}", kMark, getpid(), ++marks_, random_());
  }

  // Ends a child. Holds the mutex for single system calls only: other threads start and end children meanwhile.
  void End(pid_t pid) {
    std::string mark;
    {
      const std::lock_guard lock(children_mutex_);
      const auto child = children_.find(pid);
      if (child == children_.end()) return;
      mark = child->second.mark;
      Kill(pid);
    }
    const auto deadline = std::chrono::steady_clock::now() + kLongestEnd;
    const bool has_ended = WaitFor([&] { return ReapKnown(pid); }, deadline);
    EndMarked(mark, deadline);
    const std::lock_guard lock(children_mutex_);
    if (has_ended) children_.erase(pid);
    if (!has_ended) children_[pid].is_left = true;
  }

  void EndAllForGood() {
    children_mutex_.lock();
    const auto deadline = std::chrono::steady_clock::now() + kLongestEnd;
    for (const auto& [pid, child] : children_) {
      if (!child.is_reaped) Kill(pid);
    }
    for (const auto& [pid, child] : children_) {
      WaitFor([pid = pid, this] { return ReapKnown(pid); }, deadline);
      EndMarked(child.mark, deadline);
    }
  }

  void AdoptOrphans() {
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    adopts_orphans_ = true;
  }

 private:
  struct Child {
    std::string mark;
    bool is_reaped = false;  // the kernel may reuse its process id
    bool is_left = false;    // it did not end in time
  };

  [[noreturn]] void Work() {
    while (true) {
      std::unique_lock lock(tasks_mutex_);
      wake_.wait(lock, [this] { return !tasks_.empty(); });
      std::packaged_task<pid_t()> task = std::move(tasks_.front());
      tasks_.erase(tasks_.begin());
      lock.unlock();
      task();
    }
  }

  static void Kill(pid_t pid) {
    kill(-pid, SIGKILL);
    kill(pid, SIGKILL);
  }

  // True if a child and all inherited processes of its group have ended. Reaps them.
  static bool Reap(pid_t pid) {
    if (waitpid(pid, nullptr, WNOHANG) == 0) return false;
    pid_t of_group = 0;
    while ((of_group = waitpid(-pid, nullptr, WNOHANG)) > 0) {
    }
    return of_group < 0;
  }

  bool ReapKnown(pid_t pid) {
    const std::lock_guard lock(children_mutex_);
    Child& child = children_[pid];
    if (!child.is_reaped) child.is_reaped = Reap(pid);
    return child.is_reaped;
  }

  bool IsKnown(pid_t pid) {
    const std::lock_guard lock(children_mutex_);
    return children_.contains(pid);
  }

  // Kills the processes with the mark in their environment, until none is left.
  void EndMarked(const std::string& mark, std::chrono::steady_clock::time_point deadline) {
    std::set<pid_t> killed;
    for (bool found_any = true; found_any;) {
      found_any = false;
      for (const pid_t pid : adopts_orphans_ ? OwnChildren() : AllProcesses()) {
        if (killed.contains(pid) || IsKnown(pid)) continue;
        // An orphan that has ended by itself has no environment; waitpid reaps it.
        if (adopts_orphans_ && waitpid(pid, nullptr, WNOHANG) != 0) continue;
        if (!HasInEnvironment(pid, mark)) continue;
        kill(pid, SIGKILL);
        killed.insert(pid);
        WaitFor([pid] { return HasEnded(pid); }, deadline);
        found_any = true;
      }
    }
  }

  std::mutex tasks_mutex_;
  std::condition_variable wake_;
  std::vector<std::packaged_task<pid_t()>> tasks_;
  bool has_thread_ = false;
  // Recursive: EndAllForGood never unlocks it and still ends children.
  std::recursive_mutex children_mutex_;
  std::map<pid_t, Child> children_;
  std::int64_t marks_ = 0;
  std::random_device random_;
  std::atomic<bool> adopts_orphans_ = false;
};

}  // namespace

Result<StartedChild> StartChild(const std::vector<std::string>& command, const std::string& directory) {
  const auto cannot_start = [&](int reason) {
    return Error{ErrorCode::kBackend, fmt::format("cannot start {}: {}", command[0], std::strerror(reason))};
  };
  Pipe in, out, errors, failure;
  for (const Pipe* pipe : {&in, &out, &errors, &failure}) {
    if (!pipe->is_open()) return cannot_start(errno);
  }
  std::string mark = Starter::Get().NewMark();
  Program program{
      {}, {}, directory.c_str(), in.read_end(), out.write_end(), errors.write_end(), failure.write_end(), getpid()};
  for (const std::string& word : command) program.arguments.push_back(const_cast<char*>(word.c_str()));
  program.arguments.push_back(nullptr);
  for (char** entry = environ; *entry != nullptr; ++entry) {
    if (!std::string_view(*entry).starts_with(kMark)) program.environment.push_back(*entry);
  }
  program.environment.push_back(mark.data());
  program.environment.push_back(nullptr);
  const pid_t pid = Starter::Get().Fork(program, mark);
  if (pid < 0) return cannot_start(-pid);
  setpgid(pid, pid);
  failure.CloseWriteEnd();
  int reason = 0;
  // exec closes the pipe, so a read of nothing means success.
  if (read(failure.read_end(), &reason, sizeof reason) == sizeof reason) {
    EndChild(pid);
    return cannot_start(reason);
  }
  return StartedChild{pid, in.Take(1), out.Take(0), errors.Take(0)};
}

void EndChild(pid_t pid) { Starter::Get().End(pid); }

void EndAllChildrenForGood() { Starter::Get().EndAllForGood(); }

void AdoptOrphans() { Starter::Get().AdoptOrphans(); }

}  // namespace assay
