// A server of the process protocol that also reads modules of any form and judges backends
// (docs/process_protocol.md#judging).
#pragma once

#include <map>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>

#include "backends/process/server.h"
#include "conformance/judging/compare.h"
#include "conformance/judging/module_report.h"
#include "tools/serving/given_outputs.h"

namespace assay {

// Trusts its client with the rights of this process: requests name files and start programs.
class JudgingServer final : public Server {
 public:
  using Server::Server;

 protected:
  Result<nlohmann::json> ReplyToFurther(const nlohmann::json& request, const std::string& line) override;
  bool Judges() const override { return true; }

 private:
  Result<nlohmann::json> Load(const nlohmann::json& request, const std::string& path);
  Result<nlohmann::json> Judge(const nlohmann::json& request, const std::string& text);
  // Judges the module `after` of a request on the reference, or on the backend that it names, by the module before it.
  Result<nlohmann::json> JudgePair(const nlohmann::json& request, const std::string& text);
  // Adds the outputs and their judgements to the reply.
  void AddOutputs(const nlohmann::json& request, const ModuleReport& report, const Literal& want, const Literal& got,
                  nlohmann::json& reply);
  Result<nlohmann::json> TraceEvents(const nlohmann::json& request, const std::string& text);
  // Judges an execution of a program of a framework (backends/pjrt/device/whole_program.h), which is in this file. In
  // execution_judging.cc.
  Result<nlohmann::json> JudgeExecution(const nlohmann::json& request, const std::string& path);
  // Reads the profile and the judging time. A request without a profile uses the backend's.
  static Result<CompareOptions> OptionsOf(const nlohmann::json& request);
  Result<Backend*> BackendOf(const nlohmann::json& request, const HloModule& module, const DeviceValues& inputs,
                             std::optional<GivenOutputs>& given);
  // Opens the backend that a request names, by its name or by the words of a peer's command. It stays open for later
  // requests; a program that has ended is started again.
  Result<Backend*> OpenNamed(const nlohmann::json& request);

  std::shared_ptr<const ModuleSource> loaded_source_;       // of the last request `load`; null: it was not StableHLO
  std::map<std::string, std::unique_ptr<Backend>> opened_;  // by the name and the time limit of one request
};

}  // namespace assay
