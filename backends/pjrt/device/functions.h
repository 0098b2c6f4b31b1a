// The functions of PJRT that the plugin has. Each reads and writes the struct of its arguments; Enter (entry.h) is the
// boundary around it.
#pragma once

#include "backends/pjrt/abi/extensions.h"
#include "backends/pjrt/device/entry.h"

namespace assay::pjrt {

#define ASSAY_FUNCTION(name, ...) Status name(PJRT_##name##_Args& args);
#define ASSAY_GETTER(name, ...) void name(PJRT_##name##_Args& args);
#define ASSAY_NO_FUNCTION(name)
#include "backends/pjrt/abi/functions.inc"
#undef ASSAY_FUNCTION
#undef ASSAY_GETTER
#undef ASSAY_NO_FUNCTION

// Sets the begin and the size of a list that a function returns.
template <class List, class Begin, class Size>
void SetList(List&& list, Begin& begin, Size& size) {
  begin = list.data();
  size = list.size();
}

// Functions of extensions.
void Layouts_Destroy(PJRT_Layouts_MemoryLayout_Destroy_Args& args);
Status Layouts_Serialize(PJRT_Layouts_MemoryLayout_Serialize_Args& args);
Status Layouts_ClientDefault(PJRT_Layouts_PJRT_Client_GetDefaultLayout_Args& args);
Status Layouts_TopologyDefault(PJRT_Layouts_PJRT_Topology_GetDefaultLayout_Args& args);
void Layouts_Buffer(PJRT_Layouts_PJRT_Buffer_MemoryLayout_Args& args);
void Layouts_Outputs(PJRT_Layouts_PJRT_Executable_GetOutputLayouts_Args& args);
void Layouts_Parameters(PJRT_Layouts_PJRT_Executable_GetParameterLayouts_Args& args);
void Shardings_Parameters(PJRT_Shardings_PJRT_Executable_ParameterShardings_Args& args);
void Shardings_Outputs(PJRT_Shardings_PJRT_Executable_OutputShardings_Args& args);

}  // namespace assay::pjrt
