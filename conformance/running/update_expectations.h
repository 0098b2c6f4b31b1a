// Expectations brought up to date with what a check found.
#pragma once

#include <string>

#include "conformance/reports/check_report.h"

namespace assay {

// Rewrites the file, or makes it: cases that fail get an entry, whose reason begins with "not examined: "; where an
// entry is wrong about a case, one for that case alone comes before it, or goes, or gets the new verdict. Entries that
// fit no case go where `has_run_all`. All others stay as they are. Returns the line that counts what was done. Errors
// are those of reading and writing; the file is written whole or not at all.
Result<std::string> UpdateExpectations(const std::string& path, const CheckReport& report, bool has_run_all);

}  // namespace assay
