// Reads what an instruction carries as text: frontend attributes, the backend configuration.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "interpreter/hlo/module.h"

namespace assay {

// The value of a key of `frontend_attributes={key="value",key={dictionary}}`: the string without its quotes and
// escapes, or the dictionary with its braces. Nothing when the instruction does not have the key.
std::optional<std::string> FrontendAttribute(const HloInstruction& instruction, std::string_view key);
// The same in the text of an attribute, an instruction's or a module's.
std::optional<std::string> FrontendAttribute(std::string_view attributes, std::string_view key);

// The backend_config: the characters of a string, or a dictionary with its braces. Empty when there is none.
std::string BackendConfig(const HloInstruction& instruction);

}  // namespace assay
