// Judgements as text.
#pragma once

#include <string>
#include <string_view>

#include "conformance/judging/metrics.h"
#include "interpreter/acceptance/judge.h"

namespace assay {

// Returns "element (1)[7] of x40400000 (3): got ..., want ..., exact value ..., 2 ULP, 0.5 of the allowance".
std::string DescribeWorst(const ElementReport& worst);

// Returns " of (1): PCC 0.9999, cosine 1, relative L2 1e-3, largest error 3 ULP, 2e-4 absolute, 1e-3 relative;
// allclose: numpy yes, torch no".
std::string DescribeMetrics(const ArrayMetrics& metrics);

// Returns text of any number of lines; control characters of names and files are shown as \xNN.
std::string ForTerminal(std::string_view text);

// Returns at most 160 characters of a line for the terminal, and marks the cut.
std::string Shortened(const std::string& line);

}  // namespace assay
