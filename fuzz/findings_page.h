// The runs and findings of fuzzing as a page.
#pragma once

#include <string>

#include "fuzz/findings.h"
#include "interpreter/types/result.h"

namespace assay {

// Returns one HTML file without scripts: a table of the runs, with their verdicts, rates and coverage, and each finding
// with its module, reason and commands.
Result<std::string> FindingsPage(const FindingsFolder& folder);
Status WriteFindingsPage(const FindingsFolder& folder);  // writes index.html into the folder

}  // namespace assay
