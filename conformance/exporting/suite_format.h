// The formats of an exported suite.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "interpreter/hlo/module.h"
#include "interpreter/types/result.h"

namespace assay {

struct SuiteFormat {
  std::string_view name;       // the value of --format
  std::string_view extension;  // of the files of modules, with the dot
  // Returns the text of a module. Fails with kUnsupported, and the reason, if the format cannot express it.
  Result<std::string> (*print)(const HloModule& module) = nullptr;
  bool takes_refused = false;  // true: the suite also has modules that a backend must refuse
  bool has_npz = false;        // true: the arrays are in .npz files, not in the JSON of the cases
  bool has_pytest = false;     // true: the suite has test_suite.py and conftest.py
};

std::span<const SuiteFormat> SuiteFormats();

}  // namespace assay
