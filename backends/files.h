// Files as the command line sees them: "-" is standard input, writes are all or nothing.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "interpreter/types/result.h"
#include "interpreter/types/text_sink.h"

namespace assay {

Result<std::string> ReadFile(const std::string& path);
// Makes the folder and tries to write into it: better now than after hours.
Status PrepareFolder(const std::string& folder);
// Writes a file beside the target and renames it: the target has the old bytes or the new ones, also after a full disk,
// an exception of `write` or a loss of power. Threads and processes may write the same path.
Status WriteFileAtomically(const std::string& path, std::string_view bytes);
// The same of what `write` hands over.
Status WriteFileAtomically(const std::string& path, const std::function<void(const TextSink&)>& write);

}  // namespace assay
