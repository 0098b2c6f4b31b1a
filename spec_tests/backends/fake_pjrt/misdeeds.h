// The behaviour that a client of the fake plugin is told: words with commas between them.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "interpreter/hlo/module.h"

namespace assay::pjrt {

// Returns the rest of the first word of a list that has this start.
std::optional<std::string> Find(std::string_view words, std::string_view start);

// Returns the misdeeds that are for this module: of MISDEED@OP those whose op the module has.
std::string MisdeedsFor(const HloModule& module, const std::string& behaviour);

}  // namespace assay::pjrt
