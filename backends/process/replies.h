// Parses and checks the messages of a program on a pipe (docs/process_protocol.md).
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "backends/backend.h"
#include "backends/compiler.h"
#include "interpreter/types/literal.h"
#include "interpreter/types/result.h"

namespace assay {

inline constexpr int kNewestVersion = 2;  // of the protocol

// Returns the error for a violation of the protocol.
Error ProtocolError(std::string what);
// Returns the start of a line, printable in a message.
std::string Excerpt(const std::string& line);

// Parses a line that must be a JSON object.
Result<nlohmann::json> ParseMessage(const std::string& line);
Result<BackendDescription> DescriptionFrom(const nlohmann::json& hello);
// Returns the error that a reply reports. Also fails if the reply itself has no known status.
Status StatusOf(const nlohmann::json& reply);
// Reads the outputs, which must have this shape. A data_file must be in `folder`; an empty `folder` allows none.
Result<PerDevice<Literal>> OutputsFrom(const nlohmann::json& reply, const Shape& shape, std::size_t devices,
                                       const std::string& folder);
Result<CompilerTrace> TraceFrom(const nlohmann::json& reply);

}  // namespace assay
