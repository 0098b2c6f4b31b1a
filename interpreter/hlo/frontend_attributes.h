// Access to annotations that an instruction keeps as text: frontend attributes and the backend configuration.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "interpreter/hlo/module.h"

namespace assay {

// Returns the value of a key of `frontend_attributes={key="value",key={dictionary}}`: the string without quotes and
// escapes, or the dictionary with its braces. Returns nothing if the instruction does not have the key.
std::optional<std::string> FrontendAttribute(const HloInstruction& instruction, std::string_view key);
// The same for the text of an attribute, an instruction's or a module's.
std::optional<std::string> FrontendAttribute(std::string_view attributes, std::string_view key);

// Returns the backend_config: the content of a string, or a dictionary with its braces. Empty if there is none.
std::string BackendConfig(const HloInstruction& instruction);

}  // namespace assay
