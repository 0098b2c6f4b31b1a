// A backend of this process as a program that speaks the process protocol (docs/process_protocol.md), versions 1 and 2.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>

#include "backends/backend.h"

namespace assay {

class Server {
 public:
  // Large arrays may go through files of `files_folder` and the folders in it. Empty: all arrays come and go on the
  // pipe, and no file that a client names is opened.
  explicit Server(Backend& backend, std::filesystem::path files_folder = {});
  virtual ~Server() = default;
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  struct Answer {
    std::optional<std::string> reply;  // a line, without its end; nothing for what is not answered
    bool is_last = false;              // the session ends: somebody said bye
  };
  // What comes of a line. A request that makes no sense, a module that is illegal and a run that fails are answered as
  // errors, and the session goes on. The error is kBackend: the backend has died, so that the program ends without an
  // answer, and whoever has started it may start it again.
  Result<Answer> Take(const std::string& line);

 protected:
  // Replies to a request that the protocol does not have; kInput for one that is not known either. `line` is the
  // request as it came.
  virtual Result<nlohmann::json> ReplyToFurther(const nlohmann::json& request, const std::string& line);
  // True if ReplyToFurther judges; the hello says so.
  virtual bool Judges() const { return false; }

  // Parses and verifies the module of a request, with the numbers of devices that the request has.
  Result<std::unique_ptr<HloModule>> ReadModule(const nlohmann::json& request, const std::string& text) const;
  // Reads the field `inputs` of a request, a list for each device.
  Result<DeviceValues> ReadInputs(const nlohmann::json& request, const HloModule& module) const;
  // Reads the field `outputs`, the value of the root for each device.
  Result<PerDevice<Literal>> ReadOutputs(const nlohmann::json& request, const HloModule& module) const;
  // The JSON of values. Large arrays go to files in the folder that the request names, or that its inputs came from.
  nlohmann::json WriteValues(const std::vector<Literal>& values, const nlohmann::json& request);

 private:
  // What is compiled. The module must outlive its executable.
  struct Compiled {
    std::unique_ptr<const HloModule> module;
    std::unique_ptr<Executable> executable;
  };

  nlohmann::json Hello(const nlohmann::json& message) const;
  // The folder for the arrays of a request, in files_folder_; empty: all of them go on the pipe.
  std::string FolderFor(const nlohmann::json& request) const;
  // The fields of a reply beside its id and its status. `line` is the request as it came.
  Result<nlohmann::json> ReplyTo(const nlohmann::json& request, const std::string& line);
  // ReadModule; the backend has the options of the request then.
  Result<std::unique_ptr<HloModule>> Prepare(const nlohmann::json& request, const std::string& text);
  Result<Compiled> Compile(const nlohmann::json& request, const std::string& text);
  Result<nlohmann::json> Run(const Compiled& compiled, const nlohmann::json& request);
  Result<nlohmann::json> Trace(const nlohmann::json& request, const std::string& text);

  Backend& backend_;
  std::filesystem::path files_folder_;  // absolute, without links; empty: none
  std::int64_t files_written_ = 0;
  std::map<std::string, Compiled> compiled_;  // by its handle
  std::int64_t handles_ = 0;
};

}  // namespace assay
