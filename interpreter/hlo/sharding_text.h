// Shardings in HLO text. They do not change what a module computes; they are read, checked and kept as text.
#pragma once

#include <string>
#include <string_view>

#include "interpreter/hlo/text_parser.h"

namespace assay {

// The normal form of the sharding at the current token: the text that XLA prints for it.
Result<std::string> ParseSharding(TextParser& parser);

// A sharding's text without the metadata that may stand in it.
std::string WithoutMetadata(std::string_view sharding);

}  // namespace assay
