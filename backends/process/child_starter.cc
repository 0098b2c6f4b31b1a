#include "backends/process/child_starter.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <condition_variable>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <future>
#include <iterator>
#include <map>
#include <mutex>
#include <string_view>
#include <thread>
#include <utility>

namespace assay {
namespace {

// By its value a process is known as started by a child, also one that has left the child's group and lost its parent.
constexpr std::string_view kMark = "ASSAY_PEER=";

class Pipe {
 public:
  Pipe() { is_open_ = pipe2(ends_.data(), O_CLOEXEC) == 0; }
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
  // The end is the caller's from here on, and does not block.
  int Take(int end) {
    fcntl(ends_[end], F_SETFL, O_NONBLOCK);
    return std::exchange(ends_[end], -1);
  }

 private:
  std::array<int, 2> ends_ = {-1, -1};
  bool is_open_ = false;
};

// What the child needs between fork and exec, where nothing may be allocated.
struct Program {
  std::vector<char*> arguments, environment;
  const char* directory;
  int in, out, errors, failure;
  pid_t parent;
};

[[noreturn]] void Become(const Program& program) {
  setpgid(0, 0);
  // Whatever ends assay ends the child too.
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != program.parent) _exit(127);
  dup2(program.in, STDIN_FILENO);
  dup2(program.out, STDOUT_FILENO);
  dup2(program.errors, STDERR_FILENO);
  signal(SIGPIPE, SIG_DFL);
  if (*program.directory == 0 || chdir(program.directory) == 0) {
    execvpe(program.arguments[0], program.arguments.data(), program.environment.data());
  }
  const int reason = errno;
  _exit(write(program.failure, &reason, sizeof reason) < 0 ? 126 : 127);
}

// The processes whose parent is this one, in whichever thread.
std::vector<pid_t> OwnChildren() {
  std::vector<pid_t> children;
  std::error_code error;
  for (const auto& task : std::filesystem::directory_iterator("/proc/self/task", error)) {
    std::ifstream list(task.path() / "children");
    for (pid_t pid; list >> pid;) children.push_back(pid);
  }
  return children;
}

bool HasInEnvironment(pid_t pid, const std::string& entry) {
  std::ifstream file(fmt::format("/proc/{}/environ", pid), std::ios::binary);
  const std::string all{std::istreambuf_iterator<char>(file), {}};
  return ('\0' + all).find('\0' + entry + '\0') != std::string::npos;
}

// The parent-death signal comes when the thread that forked ends, so one thread that never does starts all children.
class Starter {
 public:
  static Starter& Get() {
    static Starter* const starter = new Starter;
    return *starter;
  }

  // The child's process id, or a negative error number.
  pid_t Fork(const Program& program, const std::string& mark) {
    std::packaged_task<pid_t()> task([&] {
      // The lock keeps a child that nobody knows yet from being taken for what another one left behind.
      const std::lock_guard lock(children_mutex_);
      const pid_t pid = fork();
      if (pid == 0) Become(program);
      if (pid > 0) children_[pid] = mark;
      return pid < 0 ? -errno : pid;
    });
    std::future<pid_t> result = task.get_future();
    {
      const std::lock_guard lock(tasks_mutex_);
      tasks_.push_back(std::move(task));
    }
    wake_.notify_one();
    return result.get();
  }

  std::string NewMark() {
    const std::lock_guard lock(children_mutex_);
    return fmt::format("{}{}.{}", kMark, getpid(), ++marks_);
  }

  void End(pid_t pid) {
    const std::lock_guard lock(children_mutex_);
    EndLocked(pid);
  }

  void EndAllForGood() {
    children_mutex_.lock();
    while (!children_.empty()) EndLocked(children_.begin()->first);
  }

 private:
  Starter() {
    signal(SIGPIPE, SIG_IGN);
    // Processes whose parents end become children of this one, where they can be found.
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    std::thread([this] { Work(); }).detach();
  }

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

  void EndLocked(pid_t pid) {
    const auto child = children_.find(pid);
    if (child == children_.end()) return;
    kill(-pid, SIGKILL);
    kill(pid, SIGKILL);
    waitpid(pid, nullptr, 0);
    // Those of its group whose parents are dead.
    while (waitpid(-pid, nullptr, 0) > 0) {
    }
    // The end of one may leave its own children to this process.
    while (EndOrphans(child->second)) {
    }
    children_.erase(child);
  }

  // Whether there were any.
  bool EndOrphans(const std::string& mark) {
    bool found = false;
    for (const pid_t pid : OwnChildren()) {
      // Those that have ended are done with when they have been waited for.
      if (children_.contains(pid) || waitpid(pid, nullptr, WNOHANG) != 0 || !HasInEnvironment(pid, mark)) continue;
      kill(pid, SIGKILL);
      waitpid(pid, nullptr, 0);
      found = true;
    }
    return found;
  }

  std::mutex tasks_mutex_;
  std::condition_variable wake_;
  std::vector<std::packaged_task<pid_t()>> tasks_;
  std::mutex children_mutex_;
  std::map<pid_t, std::string> children_;  // with their marks
  std::int64_t marks_ = 0;
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
  // The pipe closes when the program has taken the child's place.
  if (read(failure.read_end(), &reason, sizeof reason) == sizeof reason) {
    EndChild(pid);
    return cannot_start(reason);
  }
  return StartedChild{pid, in.Take(1), out.Take(0), errors.Take(0)};
}

void EndChild(pid_t pid) { Starter::Get().End(pid); }

void EndAllChildrenForGood() { Starter::Get().EndAllForGood(); }

}  // namespace assay
