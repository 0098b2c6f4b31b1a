// The JSON form of values, in files and in the process protocol (docs/process_protocol.md).
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "interpreter/types/literal.h"
#include "interpreter/types/result.h"
#include "interpreter/types/text_sink.h"

namespace assay {

// {"shape": "f32[2,3]", "data_hex": "..."}: row-major, little-endian; {"tuple": [...]}; {"token": true}.
nlohmann::json ArrayToJson(const Literal& value);
// The same as text, piece by piece.
void WriteArrayJson(const Literal& value, const TextSink& sink);

// The inverse. kInput errors say which field is wrong. {"data_file": path} must name a regular file.
Result<Literal> ArrayFromJson(const nlohmann::json& json);

// As above, from a stranger: the value must have this shape (layouts ignored), or sizes below its bounds where a
// dimension is dynamic, and a data_file must be in this very folder and no link. Where the folder is empty there may be
// none.
Result<Literal> ArrayFromJson(const nlohmann::json& json, const Shape& shape, const std::string& folder);

// kInput when an element's byte is none that its type has: a type narrower than its storage, or pred.
Status CheckStoredRange(const Literal& value);

}  // namespace assay
