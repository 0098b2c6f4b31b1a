// Programs that a process other than assay starts: its signal handling and its children stay unchanged.
#include "backends/process/child_starter.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <fstream>
#include <string>
#include <thread>

#include "backends/process/child_process.h"
#include "spec_tests/catch.h"

namespace assay {
namespace {

StartedChild Shell(const std::string& script) {
  const Result<StartedChild> child = StartChild({"/bin/sh", "-c", script}, "");
  REQUIRE(child);
  return *child;
}

void Close(const StartedChild& child) {
  for (const int descriptor : {child.to_child, child.from_child, child.errors}) close(descriptor);
}

// Reads a line of its standard output, which does not block.
std::string LineOf(const StartedChild& child) {
  std::string line;
  char c = 0;
  for (int i = 0; i < 20'000 && c != '\n'; ++i) {
    if (read(child.from_child, &c, 1) == 1) {
      line += c;
    } else {
      usleep(1000);
    }
  }
  return line;
}

bool IsRunning(pid_t pid) {
  std::ifstream file("/proc/" + std::to_string(pid) + "/stat");
  std::string stat;
  if (!std::getline(file, stat)) return false;
  return stat[stat.rfind(") ") + 2] != 'Z';
}

// EndChild waits a few seconds at most. On a busy machine a killed process may end later.
bool Ends(pid_t pid) {
  for (int i = 0; i < 60'000 && IsRunning(pid); ++i) usleep(1000);
  return !IsRunning(pid);
}

bool IsDefault(int number) {
  struct sigaction action = {};
  sigaction(number, nullptr, &action);
  return action.sa_handler == SIG_DFL;
}

}  // namespace

TEST_CASE("a child changes neither the signals nor the children of the process") {
  Result<ChildProcess> child = ChildProcess::Start({"/bin/sh", "-c", "exec 0<&-; echo closed; exec sleep 1000"}, "");
  REQUIRE(child);
  CHECK(IsDefault(SIGPIPE));
  int is_subreaper = -1;
  prctl(PR_GET_CHILD_SUBREAPER, &is_subreaper);
  CHECK(is_subreaper == 0);
  // The pipe has no reader now: SIGPIPE would end this test.
  REQUIRE(child->ReadLine(Deadline(20), 100));
  CHECK(!child->WriteLine("hello", Deadline(20)));
  sigset_t pending;
  sigpending(&pending);
  CHECK(sigismember(&pending, SIGPIPE) == 0);
}

TEST_CASE("an own child of the process is not waited for") {
  const pid_t own = fork();
  if (own == 0) _exit(7);
  const StartedChild child = Shell("exec sleep 1000");
  siginfo_t end = {};
  waitid(P_PID, own, &end, WEXITED | WNOWAIT);
  EndChild(child.pid);
  Close(child);
  int status = 0;
  CHECK(waitpid(own, &status, 0) == own);
  CHECK(WEXITSTATUS(status) == 7);
}

TEST_CASE("processes that a child has started end with it, even if they left its group and lost their parent") {
  const StartedChild child = Shell("setsid sh -c 'echo $$; exec sleep 1000' & wait");
  const pid_t orphan = std::stoi("0" + LineOf(child));
  REQUIRE(orphan > 0);
  CHECK(IsRunning(orphan));
  EndChild(child.pid);
  Close(child);
  CHECK(Ends(child.pid));
  CHECK(Ends(orphan));
}

TEST_CASE("a child that does not end holds up no other") {
  const StartedChild stuck = Shell("exec sleep 1000"), other = Shell("exec sleep 1000");
  // A parent cannot wait for a traced process before its tracer has: like a process that sleeps in the kernel.
  int ready[2];
  REQUIRE(pipe2(ready, O_CLOEXEC) == 0);
  const pid_t tracer = fork();
  if (tracer == 0) {
    const bool traces = ptrace(PTRACE_SEIZE, stuck.pid, nullptr, nullptr) == 0;
    if (write(ready[1], traces ? "1" : "0", 1) == 1) sleep(60);
    _exit(0);
  }
  char traces = '0';
  REQUIRE(read(ready[0], &traces, 1) == 1);
  if (traces == '1') {
    std::atomic<bool> began = false;
    std::thread ending([&] {
      began = true;
      EndChild(stuck.pid);
    });
    while (!began || IsRunning(stuck.pid)) usleep(1000);
    EndChild(other.pid);
    // A wait for the tracer's end would have reaped it.
    CHECK(waitpid(tracer, nullptr, WNOHANG) == 0);
    CHECK(!IsRunning(other.pid));
    ending.join();
    CHECK(waitpid(tracer, nullptr, WNOHANG) == 0);
  } else {
    EndChild(stuck.pid);
    EndChild(other.pid);
  }
  kill(tracer, SIGKILL);
  waitpid(tracer, nullptr, 0);
  // The process can be reaped now; starting the next one does so.
  const StartedChild next = Shell("exec sleep 1000");
  CHECK(waitpid(stuck.pid, nullptr, WNOHANG) == -1);
  EndChild(next.pid);
  for (const StartedChild& child : {stuck, other, next}) Close(child);
  for (const int end : ready) close(end);
}

}  // namespace assay
