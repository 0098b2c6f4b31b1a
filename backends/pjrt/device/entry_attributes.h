// The attributes of a program's parameters and results, which frameworks put on function main.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "interpreter/stablehlo/operation.h"

namespace assay::pjrt {

// A text for each parameter and result; none where the attribute is absent. The lists may be shorter than the entry's.
struct EntryTexts {
  std::vector<std::optional<std::string>> parameters, results;
};

// Returns the texts of an attribute, such as mhlo.memory_kind.
EntryTexts ReadEntryTexts(const stablehlo::Program& program, std::string_view attribute);

}  // namespace assay::pjrt
