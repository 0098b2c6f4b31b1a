// The functions of PJRT that the plugin has. Each reads and writes the struct of its arguments; Enter (entry.h) is the
// boundary around it.
#pragma once

#include "backends/pjrt/abi/extensions.h"
#include "plugin/entry.h"

namespace assay::pjrt {

#define ASSAY_FUNCTION(name) Status name(PJRT_##name##_Args& args);
#include "plugin/functions.inc"
#undef ASSAY_FUNCTION

// Functions of extensions.
Status Shardings_Parameters(PJRT_Shardings_PJRT_Executable_ParameterShardings_Args& args);
Status Shardings_Outputs(PJRT_Shardings_PJRT_Executable_OutputShardings_Args& args);

}  // namespace assay::pjrt
