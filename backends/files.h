// Files as the command line uses them: "-" is standard input, and writes are atomic.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "interpreter/types/result.h"
#include "interpreter/types/text_sink.h"

namespace assay {

Result<std::string> ReadFile(const std::string& path);
// Creates the folder and writes a probe file into it, so that a long run fails early.
Status PrepareFolder(const std::string& folder);
// Writes a file beside the target and renames it. The target, or the file that a link leads to, has the old bytes or
// the new ones, even after a full disk, an exception of `write` or a power loss. Threads and processes may write the
// same path. A device or a pipe is written itself.
Status WriteFileAtomically(const std::string& path, std::string_view bytes);
// As above, with the bytes that `write` passes to its sink.
Status WriteFileAtomically(const std::string& path, const std::function<void(const TextSink&)>& write);

}  // namespace assay
