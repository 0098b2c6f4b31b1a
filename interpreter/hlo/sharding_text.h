// Shardings in HLO text. They do not change the result of a module; they are parsed, checked and kept as text.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "interpreter/hlo/text_parser.h"
#include "interpreter/types/shape.h"

namespace assay {

// Parses the sharding at the current token. Returns its normal form, the text that XLA prints.
Result<std::string> ParseSharding(TextParser& parser);

// Splits the text of a tuple's sharding, "{{replicated}, {devices=[2]<=[2]}}", into those of its elements.
std::vector<std::string> SplitShardings(std::string_view tuple);
// Repeats a sharding for each leaf of a tuple if the text has one for the whole tuple.
std::string ForEachLeaf(const std::string& sharding, const Shape& shape);
// Returns a sharding's text without its metadata.
std::string WithoutMetadata(std::string_view sharding);

}  // namespace assay
