// A child process that answers lines on its standard output to lines on its standard input.
#pragma once

#include <sys/types.h>

#include <string>
#include <string_view>

#include "interpreter/types/result.h"

namespace assay {

class ChildProcess {
 public:
  // Starts `command` through /bin/sh in the directory. kBackend when it cannot be started.
  static Result<ChildProcess> Start(const std::string& command, const std::string& directory);
  ChildProcess(ChildProcess&& other) noexcept;
  ChildProcess& operator=(ChildProcess&& other) noexcept;
  ~ChildProcess();  // kills the child and everything it started

  // kBackend errors say whether the child died (and how), closed its output, or did not answer in time, and end with the
  // last lines of its standard error.
  Status WriteLine(std::string_view line, double timeout_seconds);
  Result<std::string> ReadLine(double timeout_seconds);

 private:
  ChildProcess() = default;
  Error Failure(std::string what);
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
