// A server of the process protocol that also reads modules of any form and judges backends
// (docs/process_protocol.md#judging).
#pragma once

#include <map>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>

#include "backends/process/server.h"
#include "tools/serving/given_outputs.h"

namespace assay {

// For a client that may do what the user of this process may: requests name files and start programs.
class JudgingServer final : public Server {
 public:
  using Server::Server;

 protected:
  Result<nlohmann::json> ReplyToFurther(const nlohmann::json& request, const std::string& line) override;
  bool Judges() const override { return true; }

 private:
  Result<nlohmann::json> Load(const nlohmann::json& request, const std::string& path);
  Result<nlohmann::json> Judge(const nlohmann::json& request, const std::string& text);
  Result<Backend*> BackendOf(const nlohmann::json& request, const HloModule& module, const DeviceValues& inputs,
                             std::optional<GivenOutputs>& given);
  // The backend that a request names, by its name or as the words of a peer's command. It stays open for the next
  // request; a program that has died is started again.
  Result<Backend*> OpenNamed(const nlohmann::json& request);

  std::map<std::string, std::unique_ptr<Backend>> opened_;  // by the name and the time for one request
};

}  // namespace assay
