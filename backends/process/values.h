// Values in the messages of the process protocol (docs/process_protocol.md#values).
#pragma once

#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>

#include "interpreter/types/literal.h"

namespace assay {

// A function that writes an array to a file and returns its path; nullopt if it cannot.
using ArrayWriter = std::function<std::optional<std::string>(const Literal&)>;

// Returns the JSON of a value. Arrays over 64 KiB go to files if there is a writer and it succeeds.
nlohmann::json ValueJson(const Literal& value, const ArrayWriter& write);

// Writes the elements of an array as a data_file. False if it cannot be written, or if the path exists.
bool WriteElements(const std::string& path, const Literal& array);

}  // namespace assay
