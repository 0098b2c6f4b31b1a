// A child process that answers each line on its standard input with a line on its standard output.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "backends/process/line_buffer.h"
#include "interpreter/types/result.h"

namespace assay {

// The time by which an exchange of lines must be complete.
class Deadline {
 public:
  explicit Deadline(double seconds) : Deadline(seconds, seconds) {}  // from now
  // Starts now. `limit` is the number of seconds that messages name, of a limit that began earlier.
  Deadline(double seconds, double limit);
  double seconds() const { return seconds_; }
  bool HasPassed() const { return MillisecondsLeft() == 0; }
  int MillisecondsLeft() const;

 private:
  double seconds_;
  std::chrono::steady_clock::time_point end_;
};

class ChildProcess {
 public:
  // Starts a program with its arguments in the directory. Fails with kBackend if it cannot be started.
  static Result<ChildProcess> Start(const std::vector<std::string>& command, const std::string& directory);
  ChildProcess(ChildProcess&& other) noexcept;
  ChildProcess& operator=(ChildProcess&& other) noexcept;
  ~ChildProcess();  // kills the child and everything it started

  // Drops the standard error read so far from later errors, unless the child has ended.
  void ForgetErrorText();

  // Send and receive a line. Both fail with kBackend if the child died (the message says how), closed its output or
  // sent a line longer than `longest` bytes, and with kLimit if it does not answer in time. Messages include a partial
  // line and the last lines of the standard error. An error ends the child.
  Status WriteLine(std::string_view line, const Deadline& deadline);
  Result<std::string> ReadLine(const Deadline& deadline, std::size_t longest);

  // Sends a last line and the end of input, and lets the child exit by itself until the deadline.
  void Leave(std::string_view line, const Deadline& deadline);

 private:
  ChildProcess() = default;
  bool HasEnded() const;
  Error Died();
  Error Gone(ErrorCode code, std::string what);
  void Wait(int fd, short event, const Deadline& deadline) const;
  void Kill();
  void DrainErrors();

  pid_t pid_ = -1;
  int to_child_ = -1;
  int from_child_ = -1;
  int errors_ = -1;
  LineBuffer buffered_;
  std::string error_text_;
};

}  // namespace assay
