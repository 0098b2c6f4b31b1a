// The backends that the command line knows.
#pragma once

#include <memory>
#include <string_view>

#include "backends/backend.h"
#include "interpreter/types/result.h"

namespace assay {

// What OpenBackend opens (backends/backend.h), or "mutant:ID" (fuzz/mutants/mutant.h).
Result<std::unique_ptr<Backend>> OpenAnyBackend(std::string_view name, double timeout_seconds);

}  // namespace assay
