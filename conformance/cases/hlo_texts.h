// The HLO modules of a text: one or several, as files of tests and dumps have them, also within the lines of a log.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace assay {

struct HloText {
  std::string name;  // of the module; "#3" if it has none, and "NAME#3" if an earlier one has its name: it is the third
  std::string text;
};

// Returns each module of a text. A module starts where a line has "HloModule NAME", after other words too, or after a
// line "// -----"; it ends before the next one or before lines that are none of HLO. Its text has the lines of the
// whole, empty where it is elsewhere, and spaces for the prefix of a log's line, so that places are those of the file.
// A text without a start is returned as it is, without a name.
std::vector<HloText> FindHloTexts(std::string_view text);

}  // namespace assay
