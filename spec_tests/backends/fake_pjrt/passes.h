// The compiler of the fake plugin, for its platform `cpu`: XLA's settings for passes and dumps, and one pass, `swap`,
// which is wrong.
#pragma once

#include <string_view>

#include "interpreter/hlo/module.h"

namespace assay::pjrt {

// Swaps the operands of subtractions, unless the options (a serialized CompileOptionsProto) disable the pass. Writes
// the module before and after to the folder that the options name.
void RunPasses(HloModule& module, std::string_view compile_options);

}  // namespace assay::pjrt
