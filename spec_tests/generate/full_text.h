// A module as text that reads back to the same module.
#pragma once

#include <string>

#include "interpreter/hlo/printer.h"

namespace assay::testing {

inline std::string FullText(const HloModule& module) {
  return PrintHloModule(module, {.large_constants = true, .reads_back = true});
}

}  // namespace assay::testing
