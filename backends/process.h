// A backend on a pipe: any program that speaks the process protocol (docs/process_protocol.md).
#pragma once

#include <nlohmann/json.hpp>
#include <optional>

#include "backends/backend.h"
#include "backends/child_process.h"

namespace assay {

class ProcessBackend final : public Backend {
 public:
  // Starts the program and exchanges hellos; kBackend when it has not said hello in time.
  static Result<std::unique_ptr<Backend>> Open(std::vector<std::string> command, std::string directory,
                                               double timeout_seconds);

  ~ProcessBackend() override;  // says goodbye, and waits a little

  const BackendDescription& description() const override { return description_; }
  // After a failure of the program the next call starts it again.
  Result<std::vector<Literal>> Run(const HloModule& module, const std::vector<std::vector<Literal>>& inputs) override;

 private:
  ProcessBackend(std::vector<std::string> command, std::string directory, double timeout_seconds);
  Status Connect();
  Result<nlohmann::json> Exchange(std::int64_t id, const std::string& request, std::size_t longest_reply);

  std::vector<std::string> command_;
  std::string directory_;
  double timeout_seconds_;
  std::optional<ChildProcess> child_;
  std::int64_t next_id_ = 1;
  bool takes_files_ = false;
  BackendDescription description_;
};

}  // namespace assay
