// Quotes words of the command lines that assay prints.
#pragma once

#include <string>
#include <string_view>

namespace assay {

// Returns the word in single quotes, as a POSIX shell reads it; without quotes if no character is special to a shell.
std::string ShellWord(std::string_view word);

}  // namespace assay
