// Judgements as text for people.
#pragma once

#include <string>
#include <string_view>

#include "interpreter/acceptance/judge.h"

namespace assay {

// "element (1)[7] of x40400000 (3): got ..., want ..., exact value ..., 2 ULP, 0.5 of the allowance"
std::string DescribeWorst(const ElementReport& worst);

// A text of any number of lines, with control characters of names and files shown as \xNN.
std::string ForTerminal(std::string_view text);

// At most 160 characters of a line, the cut marked, for the terminal.
std::string Shortened(const std::string& line);

}  // namespace assay
