// The functions of PJRT that the plugin has. Each reads and writes the struct of its arguments; Enter (entry.h) is the
// boundary around it.
#pragma once

#include "backends/pjrt/abi/extensions.h"
#include "backends/pjrt/device/entry.h"

namespace assay::pjrt {

#define ASSAY_FUNCTION(name) Status name(PJRT_##name##_Args& args);
#include "backends/pjrt/device/functions.inc"
#undef ASSAY_FUNCTION

// Functions of extensions.
Status Layouts_Destroy(PJRT_Layouts_MemoryLayout_Destroy_Args& args);
Status Layouts_Serialize(PJRT_Layouts_MemoryLayout_Serialize_Args& args);
Status Layouts_ClientDefault(PJRT_Layouts_PJRT_Client_GetDefaultLayout_Args& args);
Status Layouts_TopologyDefault(PJRT_Layouts_PJRT_Topology_GetDefaultLayout_Args& args);
Status Layouts_Buffer(PJRT_Layouts_PJRT_Buffer_MemoryLayout_Args& args);
Status Layouts_Outputs(PJRT_Layouts_PJRT_Executable_GetOutputLayouts_Args& args);
Status Layouts_Parameters(PJRT_Layouts_PJRT_Executable_GetParameterLayouts_Args& args);
Status Shardings_Parameters(PJRT_Shardings_PJRT_Executable_ParameterShardings_Args& args);
Status Shardings_Outputs(PJRT_Shardings_PJRT_Executable_OutputShardings_Args& args);

}  // namespace assay::pjrt
