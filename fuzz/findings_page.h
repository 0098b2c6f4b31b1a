// What fuzzing has done and found, as a page for a reader.
#pragma once

#include <string>

#include "fuzz/findings.h"
#include "interpreter/types/result.h"

namespace assay {

// HTML in one file, without scripts: a table of the runs, with their verdicts, rates and coverage, and each finding
// with its module, reason and commands.
Result<std::string> FindingsPage(const FindingsFolder& folder);
Status WriteFindingsPage(const FindingsFolder& folder);  // index.html in it

}  // namespace assay
