// Words of the command lines that assay prints for its reader to run.
#pragma once

#include <string>
#include <string_view>

namespace assay {

// The word as a POSIX shell reads it back: in single quotes, unless no character of it means anything to a shell.
std::string ShellWord(std::string_view word);

}  // namespace assay
