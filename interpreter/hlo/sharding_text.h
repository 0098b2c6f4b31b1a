// Shardings in HLO text. They do not change what a module computes; they are read, checked and kept as text.
#pragma once

#include <string>
#include <string_view>

#include "interpreter/hlo/text_parser.h"
#include "interpreter/types/shape.h"

namespace assay {

// The normal form of the sharding at the current token: the text that XLA prints for it.
Result<std::string> ParseSharding(TextParser& parser);

// The same sharding for each leaf of a tuple, where the text gives one for the whole.
std::string ForEachLeaf(const std::string& sharding, const Shape& shape);
// A sharding's text without the metadata that may stand in it.
std::string WithoutMetadata(std::string_view sharding);

}  // namespace assay
