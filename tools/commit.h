#pragma once

namespace assay {

// The commit that the program was built from, as 12 hexadecimal digits; "-dirty" follows if files differed from it.
// Empty if the sources were no clone.
extern const char kCommit[];

}  // namespace assay
