// Untrusted text, made safe to print on a terminal.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace assay {

// The number of lines that a text may have.
enum class Lines { kOne, kMany };

// Replaces control characters and bytes that are not UTF-8 with \xNN. A text of many lines keeps its tabs and line
// breaks. Cuts a text longer than `longest` bytes and appends its length.
std::string Printable(std::string_view text, Lines lines, std::size_t longest);

}  // namespace assay
