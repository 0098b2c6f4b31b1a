// The repeated parts of golden files, written out (docs/golden_format.md#repeated-parts).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "interpreter/types/result.h"

namespace assay {

// The start of a directive.
inline constexpr std::string_view kDirective = "//!";

// The line of a file that a line of the expanded text comes from.
struct SourceLine {
  int number = 0;
  bool is_as_written = true;  // both lines are equal, so that columns are too
};

struct ExpandedText {
  std::string text;
  std::vector<SourceLine> lines;  // of each line of the text
};

// Writes a text between `for` and `end` once for each value, and each row in a line of its own. Errors have the line in
// the file.
Result<ExpandedText> ExpandGolden(std::string_view text);

// True if a text has a part between `for` and `end`.
bool HasRepeatedParts(std::string_view text);

// Returns the error with its location in the file.
Error InSource(const ExpandedText& expanded, Error error);

}  // namespace assay
