// The formats of an exported suite.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "interpreter/hlo/module.h"
#include "interpreter/types/result.h"

namespace assay {

struct SuiteFormat {
  std::string_view name;       // of the command line
  std::string_view extension;  // of modules
  // Returns the text of a module. Fails with kUnsupported, and the reason, if the format cannot express it.
  Result<std::string> (*print)(const HloModule& module) = nullptr;
  bool takes_refused = false;  // modules that a backend must refuse
  bool has_npz = false;        // arrays are .npz files beside the JSON of the cases
  bool has_pytest = false;     // with a test for each case
};

std::span<const SuiteFormat> SuiteFormats();

}  // namespace assay
