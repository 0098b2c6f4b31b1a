// Updates expectations to the results of a check.
#pragma once

#include <string>

#include "conformance/reports/check_report.h"

namespace assay {

// Rewrites the file or creates it. A failed case gets an entry whose reason begins with "not examined: ". If an entry
// is wrong about a case, an entry for that case alone is inserted before it, removed, or changed to the new verdict.
// Entries that match no case are removed if `has_run_all`. All others stay unchanged. Returns a line with the numbers
// of changes. Fails if the file cannot be read or written; it is written atomically.
Result<std::string> UpdateExpectations(const std::string& path, const CheckReport& report, bool has_run_all);

}  // namespace assay
