// Checks a module against the ops, types and number of devices that a backend supports.
#pragma once

#include <optional>
#include <string>

#include "backends/backend.h"

namespace assay {

// Returns why the backend does not support the module; nullopt if it does.
std::optional<std::string> WhyNotTaken(const BackendDescription& backend, const HloModule& module);

}  // namespace assay
