// What a backend says that it takes, held against a module.
#pragma once

#include <optional>
#include <string>

#include "backends/backend.h"

namespace assay {

// Why the module is not among what the backend takes; nothing when it is.
std::optional<std::string> WhyNotTaken(const BackendDescription& backend, const HloModule& module);

}  // namespace assay
