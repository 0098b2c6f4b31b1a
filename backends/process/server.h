// A server of a backend over the process protocol (docs/process_protocol.md), versions 1 and 2.
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
  // Large arrays may go through files of `files_folder` and the folders below it. If it is empty, all arrays go through
  // the pipe, and no file that a client names is opened.
  explicit Server(Backend& backend, std::filesystem::path files_folder = {});
  virtual ~Server() = default;
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  struct Answer {
    std::optional<std::string> reply;  // a line, without its end; nullopt if the request has no reply
    bool is_last = false;              // the session ends: the client said bye
  };
  // Handles a line. The reply to an invalid request, an illegal module or a failed run is an error, and the session
  // continues. Fails with kBackend if the backend has died: the program then ends without a reply, and the client may
  // restart it.
  Result<Answer> Take(const std::string& line);

 protected:
  // Replies to a request that is not part of the protocol. Fails with kInput for one that is unknown here too. `line`
  // is the unmodified request.
  virtual Result<nlohmann::json> ReplyToFurther(const nlohmann::json& request, const std::string& line);
  // True if ReplyToFurther judges results; the hello announces it.
  virtual bool Judges() const { return false; }

  // Parses and verifies the module of a request, with the numbers of devices that the request has.
  Result<std::unique_ptr<HloModule>> ReadModule(const nlohmann::json& request, const std::string& text) const;
  // Reads the field `inputs` of a request, a list for each device.
  Result<DeviceValues> ReadInputs(const nlohmann::json& request, const HloModule& module) const;
  // Reads a field of a request that has a list of values of these shapes for each device.
  Result<DeviceValues> ReadLists(const nlohmann::json& request, const char* field, std::int64_t devices,
                                 const std::vector<Shape>& shapes) const;
  // Reads the field `outputs`, the value of the root for each device.
  Result<PerDevice<Literal>> ReadOutputs(const nlohmann::json& request, const HloModule& module) const;
  // Returns the JSON of values. Large arrays go to files in the folder that the request names, or that its inputs came
  // from.
  nlohmann::json WriteValues(const std::vector<Literal>& values, const nlohmann::json& request);

 private:
  // A compiled module. The module must outlive its executable.
  struct Compiled {
    std::unique_ptr<const HloModule> module;
    std::unique_ptr<Executable> executable;
  };

  nlohmann::json Hello(const nlohmann::json& message) const;
  // Returns the folder for the arrays of a request, in files_folder_. If it is empty, all arrays go through the pipe.
  std::string FolderFor(const nlohmann::json& request) const;
  // Returns the fields of a reply besides its id and its status. `line` is the unmodified request.
  Result<nlohmann::json> ReplyTo(const nlohmann::json& request, const std::string& line);
  // Reads the module and sets the backend's options to those of the request.
  Result<std::unique_ptr<HloModule>> Prepare(const nlohmann::json& request, const std::string& text);
  Result<Compiled> Compile(const nlohmann::json& request, const std::string& text);
  Result<nlohmann::json> Run(const Compiled& compiled, const nlohmann::json& request);
  Result<nlohmann::json> Trace(const nlohmann::json& request, const std::string& text);

  Backend& backend_;
  std::filesystem::path files_folder_;  // absolute, without links; empty: no files
  std::int64_t files_written_ = 0;
  std::map<std::string, Compiled> compiled_;  // by its handle
  std::int64_t handles_ = 0;
};

}  // namespace assay
