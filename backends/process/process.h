// A backend on a pipe: any program that speaks the process protocol (docs/process_protocol.md).
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>

#include "backends/backend.h"
#include "backends/process/child_process.h"

namespace assay {

class ProcessBackend final : public Backend {
 public:
  // Starts the program and exchanges hellos; kBackend when it has not said hello in time.
  static Result<std::unique_ptr<Backend>> Open(std::vector<std::string> command, std::string directory,
                                               double timeout_seconds);

  ~ProcessBackend() override;  // says goodbye, and waits a little

  const BackendDescription& description() const override { return description_; }
  // A program of version 2 compiles the module now, one of version 1 gets it with each run. After a failure of the
  // program the next call starts it again, and what it had compiled is compiled again when it is run.
  Result<std::unique_ptr<Executable>> Compile(const HloModule& module) override;
  void SetOptions(CompilerOptions options) override { options_ = std::move(options); }
  Result<CompilerTrace> Trace(const HloModule& module) override;

 private:
  friend class ProcessExecutable;
  ProcessBackend(std::vector<std::string> command, std::string directory, double timeout_seconds);
  Status Connect();
  // Starts the program if need be, sends the request with an id of its own, and gives the reply to it. An error other
  // than of the start ends the program.
  Result<nlohmann::json> Ask(nlohmann::json request, std::size_t longest_reply);
  Result<nlohmann::json> Exchange(std::int64_t id, const std::string& request, std::size_t longest_reply);
  // Asks for nothing: without a program there is nobody to tell.
  void Tell(const nlohmann::json& message);

  std::vector<std::string> command_;
  std::string directory_;
  double timeout_seconds_;
  std::optional<ChildProcess> child_;
  std::int64_t next_id_ = 1;
  bool takes_files_ = false;
  int version_ = 1;          // of the protocol
  std::int64_t starts_ = 0;  // of the program: what it compiled before the last one is lost
  BackendDescription description_;
  CompilerOptions options_;
};

}  // namespace assay
