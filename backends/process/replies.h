// What a program on a pipe says, read with distrust (docs/process_protocol.md).
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

// The error of a program that breaks the protocol.
Error Lie(std::string what);
// The start of a line, fit for an error's message.
std::string Excerpt(const std::string& line);

// The object that a line is.
Result<nlohmann::json> ParseMessage(const std::string& line);
Result<BackendDescription> DescriptionFrom(const nlohmann::json& hello);
// The error that a reply reports, or that it is.
Status StatusOf(const nlohmann::json& reply);
// The values have this shape. Files are taken from the folder only; none where it is empty.
Result<PerDevice<Literal>> OutputsFrom(const nlohmann::json& reply, const Shape& shape, std::size_t devices,
                                       const std::string& folder);
Result<CompilerTrace> TraceFrom(const nlohmann::json& reply);

}  // namespace assay
