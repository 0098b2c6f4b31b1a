// A child process that answers lines on its standard output to lines on its standard input.
#pragma once

#include <sys/types.h>

#include <string>
#include <string_view>
#include <vector>

#include "interpreter/types/result.h"

namespace assay {

class ChildProcess {
 public:
  // Starts a program with its arguments in the directory. kBackend when it cannot be started.
  static Result<ChildProcess> Start(const std::vector<std::string>& command, const std::string& directory);
  ChildProcess(ChildProcess&& other) noexcept;
  ChildProcess& operator=(ChildProcess&& other) noexcept;
  ~ChildProcess();  // kills the child and everything it started

  // Errors say whether the child died (and how) or closed its output (kBackend), or did not answer in time (kLimit),
  // and end with the last lines of its standard error. After an error the child is gone.
  Status WriteLine(std::string_view line, double timeout_seconds);
  Result<std::string> ReadLine(double timeout_seconds);

 private:
  ChildProcess() = default;
  Error Died();
  Error TookTooLong(std::string what);
  Error WithErrorText(ErrorCode code, std::string what);
  void Kill();
  void DrainErrors();

  pid_t pid_ = -1;
  int to_child_ = -1;
  int from_child_ = -1;
  int errors_ = -1;
  std::string buffered_;
  std::string error_text_;
};

}  // namespace assay
