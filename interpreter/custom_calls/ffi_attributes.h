// The backend_config of a typed custom call: the dictionary of MLIR that XLA's foreign function interface passes on,
// `{left = true, uplo = 76 : ui8}`.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "interpreter/hlo/module.h"
#include "interpreter/types/result.h"

namespace assay {

// The value of a key as it is written, without its type: "76", "true". Nothing written is the empty dictionary. Errors:
// no such key, or a backend_config that is no dictionary.
Result<std::string> FfiAttribute(const HloInstruction& call, std::string_view key);

// A key whose value is an integer, or a bool.
Result<std::int64_t> FfiInteger(const HloInstruction& call, std::string_view key);
Result<bool> FfiBool(const HloInstruction& call, std::string_view key);
// An integer that stands for one of these characters, as LAPACK's flags do.
Result<char> FfiLetter(const HloInstruction& call, std::string_view key, std::string_view letters);

}  // namespace assay
