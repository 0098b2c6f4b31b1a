// expected.json, the results that repro.py accepts (docs/reproducing.md#the-script).
#pragma once

#include <string>

#include "conformance/reports/repro.h"
#include "interpreter/acceptance/profile.h"

namespace assay {

// Returns the text of the file: for each device the arrays of the result, each with its expected bytes and the ranges
// of other numbers that the profile accepts. If ranges cannot express the judge's verdicts, only the elements that
// failed are compared, and each must have its expected bits.
std::string ExpectedText(const ReproSubject& subject, const ReproFinding& finding, const Profile& profile);

}  // namespace assay
