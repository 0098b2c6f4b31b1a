// The backend_config of a typed custom call: the dictionary of MLIR that XLA's foreign function interface passes on,
// `{left = true, uplo = 76 : ui8}`.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "interpreter/hlo/module.h"
#include "interpreter/types/result.h"

namespace assay {

// Returns the value of a key as written, without its type: "76", "true". An empty backend_config is an empty
// dictionary. Fails if the key is absent or the backend_config is not a dictionary.
Result<std::string> FfiAttribute(const HloInstruction& call, std::string_view key);

// Returns the value of a key as an integer or a bool.
Result<std::int64_t> FfiInteger(const HloInstruction& call, std::string_view key);
Result<bool> FfiBool(const HloInstruction& call, std::string_view key);
// Returns an integer value as one of the characters `letters`, such as LAPACK's flags.
Result<char> FfiLetter(const HloInstruction& call, std::string_view key, std::string_view letters);

}  // namespace assay
