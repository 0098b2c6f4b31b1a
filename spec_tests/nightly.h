// Tests that take too long for every run. `tools/dev nightly` sets ASSAY_NIGHTLY=1, which runs all of them.
#pragma once

#include <string>

namespace assay::testing {

// True if the nightly tests run. Otherwise records that `part` of the running case is left out; tools/count_tests.py
// counts and names these parts.
bool IsNightly(const std::string& part);

}  // namespace assay::testing
