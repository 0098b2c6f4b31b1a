// The place in the user's program that an instruction comes from, as its metadata and the module's stack tables say.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "interpreter/hlo/module.h"

namespace assay {

struct SourcePlace {
  std::string file;
  std::int64_t line = 0;
  std::string op_name;  // "jit(f)/jit(main)/tanh"; may be empty
};

// Returns the place of the innermost stack frame, or that of source_file and source_line; nullopt if the metadata names
// neither.
std::optional<SourcePlace> SourcePlaceOf(const HloInstruction& instruction);

// Returns "model.py:31 (jit(f)/tanh)".
std::string SourcePlaceText(const SourcePlace& place);

}  // namespace assay
