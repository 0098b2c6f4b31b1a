// The text of `assay --version`: what this program is, and what it reads.
#pragma once

#include <string>

namespace assay {

// The commit that the program was built from, as 12 hexadecimal digits; "-dirty" follows if files differed from it.
// Empty if the sources were no clone.
extern const char kCommit[];

// Returns the lines of --version without the last newline: version, commit, the digest of the corpus that commands use
// by default, and the formats. The digest is that of a report of the whole corpus (results.json, "digest").
std::string VersionText();

}  // namespace assay
