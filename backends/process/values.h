// Values on their way through the process protocol (docs/process_protocol.md#values).
#pragma once

#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>

#include "interpreter/types/literal.h"

namespace assay {

// Puts an array into a file: its path, or nothing where that cannot be written.
using ArrayWriter = std::function<std::optional<std::string>(const Literal&)>;

// Arrays over a mebibyte go through files where there is a writer and it can write.
nlohmann::json ValueJson(const Literal& value, const ArrayWriter& write);

// Writes the elements of an array as a data_file. False if it cannot be written, or if the path exists.
bool WriteElements(const std::string& path, const Literal& array);

}  // namespace assay
