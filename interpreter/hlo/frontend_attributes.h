// Reads the frontend attributes that an instruction carries as text.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "interpreter/hlo/module.h"

namespace assay {

// The value of a key of `frontend_attributes={key="value",key={dictionary}}`: the string without its quotes and
// escapes, or the dictionary with its braces. Nothing when the instruction does not have the key.
std::optional<std::string> FrontendAttribute(const HloInstruction& instruction, std::string_view key);

}  // namespace assay
