// The JSON form of values, in files and in the process protocol (docs/process_protocol.md).
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "interpreter/types/literal.h"
#include "interpreter/types/result.h"
#include "interpreter/types/text_sink.h"

namespace assay {

// Returns {"shape": "f32[2,3]", "data_hex": "..."} (row-major, little-endian), {"tuple": [...]} or {"token": true}.
nlohmann::json ArrayToJson(const Literal& value);
// Writes the text of ArrayToJson piece by piece.
void WriteArrayJson(const Literal& value, const TextSink& sink);

// Reads the form that ArrayToJson writes. kInput errors say which field is wrong. {"data_file": path} must name a
// regular file.
Result<Literal> ArrayFromJson(const nlohmann::json& json);

// Reads a value from an untrusted source. The value must have this shape (layouts are ignored), or sizes within its
// bounds where a dimension is dynamic. A data_file must be a regular file directly in `folder`, not a link; an empty
// `folder` allows none.
Result<Literal> ArrayFromJson(const nlohmann::json& json, const Shape& shape, const std::string& folder);

// Fails with kInput if a stored byte is not a value of the element type: a type narrower than its storage, or pred.
Status CheckStoredRange(const Literal& value);

}  // namespace assay
