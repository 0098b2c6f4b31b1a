// Checks a module against the ops, types, devices and formats that a backend supports.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "backends/backend.h"

namespace assay {

// Returns why the backend does not support the module; nullopt if it does.
std::optional<std::string> WhyNotTaken(const BackendDescription& backend, const HloModule& module);

// Returns the StableHLO, text or bytecode, that a backend which takes it gets beside the module's HLO; null if there is
// none. A program of several partitions is that of all, and the HLO that of each. `hlo` is the module's exact text.
const std::string* StableHloFor(bool takes_stablehlo, const HloModule& module, std::string_view hlo);

}  // namespace assay
