// Text of strangers, made fit for a terminal.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace assay {

// Whether a text may have lines of its own.
enum class Lines { kOne, kMany };

// Control characters and bytes that are no UTF-8 become \xNN, of a text of many lines all but tabs and line breaks.
// What is longer than `longest` bytes is cut, and says how much there was.
std::string Printable(std::string_view text, Lines lines, std::size_t longest);

}  // namespace assay
