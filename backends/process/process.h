// A backend on a pipe: any program that speaks the process protocol (docs/process_protocol.md).
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>

#include "backends/backend.h"
#include "backends/process/child_process.h"

namespace assay {

class ProcessBackend final : public Backend {
 public:
  // Starts the program and exchanges hellos. Fails with kBackend if its hello does not arrive in time.
  static Result<std::unique_ptr<Backend>> Open(std::vector<std::string> command, std::string directory,
                                               double timeout_seconds);

  ~ProcessBackend() override;  // says goodbye, and waits up to 3 s

  const BackendDescription& description() const override { return description_; }
  // Compiles the module. A program of version 2 compiles it now; one of version 1 receives it with each run. After the
  // program fails, the next call restarts it, and a run recompiles its module.
  Result<std::unique_ptr<Executable>> Compile(const HloModule& module) override;
  void SetOptions(CompilerOptions options) override { options_ = std::move(options); }
  Result<CompilerTrace> Trace(const HloModule& module) override;

 private:
  friend class ProcessExecutable;
  ProcessBackend(std::vector<std::string> command, std::string directory, double timeout_seconds);
  Status Connect();
  // Starts the program if necessary, sends the request with its own id, and returns the reply. Every error but one of
  // the start ends the program.
  Result<nlohmann::json> Ask(nlohmann::json request, std::size_t longest_reply);
  Result<nlohmann::json> Exchange(std::int64_t id, const std::string& request, std::size_t longest_reply);
  // Sends a message that has no reply. Does nothing if the program does not run.
  void Tell(const nlohmann::json& message);

  std::vector<std::string> command_;
  std::string directory_;
  double timeout_seconds_;
  std::optional<ChildProcess> child_;
  std::int64_t next_id_ = 1;
  bool takes_files_ = false;
  int version_ = 1;          // of the protocol
  std::int64_t starts_ = 0;  // the number of starts of the program; a start invalidates earlier handles
  BackendDescription description_;
  CompilerOptions options_;
};

}  // namespace assay
