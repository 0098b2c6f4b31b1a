// The table of functions, and the one symbol that the library exports for frameworks.
#include "backends/pjrt/abi/api.h"

#include "backends/pjrt/device/functions.h"

namespace assay::pjrt {
namespace {

PJRT_Error* NotImplemented(void*) {
  return new PJRT_Error(PJRT_Error_Code_UNIMPLEMENTED, "assay's plugin does not have this function of PJRT");
}

// The list of extensions. Its structs are not const in the binary interface, but nothing changes them.
PJRT_Extension_Base* Extensions() {
  static PJRT_Shardings_Extension shardings = {
      .PJRT_Shardings_PJRT_Executable_ParameterShardings =
          Enter<PJRT_Shardings_PJRT_Executable_ParameterShardings_Args, Shardings_Parameters>,
      .PJRT_Shardings_PJRT_Executable_OutputShardings =
          Enter<PJRT_Shardings_PJRT_Executable_OutputShardings_Args, Shardings_Outputs>};
  static PJRT_Layouts_Extension layouts = {
      .PJRT_Layouts_MemoryLayout_Destroy = Enter<PJRT_Layouts_MemoryLayout_Destroy_Args, Layouts_Destroy>,
      .PJRT_Layouts_MemoryLayout_Serialize = Enter<PJRT_Layouts_MemoryLayout_Serialize_Args, Layouts_Serialize>,
      .PJRT_Layouts_PJRT_Client_GetDefaultLayout =
          Enter<PJRT_Layouts_PJRT_Client_GetDefaultLayout_Args, Layouts_ClientDefault>,
      .PJRT_Layouts_PJRT_Buffer_MemoryLayout = Enter<PJRT_Layouts_PJRT_Buffer_MemoryLayout_Args, Layouts_Buffer>,
      .PJRT_Layouts_PJRT_Topology_GetDefaultLayout =
          Enter<PJRT_Layouts_PJRT_Topology_GetDefaultLayout_Args, Layouts_TopologyDefault>,
      .PJRT_Layouts_PJRT_Executable_GetOutputLayouts =
          Enter<PJRT_Layouts_PJRT_Executable_GetOutputLayouts_Args, Layouts_Outputs>,
      .PJRT_Layouts_PJRT_Executable_GetParameterLayouts =
          Enter<PJRT_Layouts_PJRT_Executable_GetParameterLayouts_Args, Layouts_Parameters>};
  shardings.base.next = &layouts.base;
  return &shardings.base;
}

PJRT_Api MakeTable() {
  PJRT_Api api = TableOf(NotImplemented);
  api.sized.extension_start = Extensions();
#define ASSAY_FUNCTION(name, ...) api.PJRT_##name = Enter<PJRT_##name##_Args, name>;
#define ASSAY_GETTER ASSAY_FUNCTION
#define ASSAY_NO_FUNCTION(name)
#include "backends/pjrt/abi/functions.inc"
#undef ASSAY_FUNCTION
#undef ASSAY_GETTER
#undef ASSAY_NO_FUNCTION
  return api;
}

}  // namespace
}  // namespace assay::pjrt

extern "C" __attribute__((visibility("default"))) const assay::pjrt::PJRT_Api* GetPjrtApi() {
  static const assay::pjrt::PJRT_Api api = assay::pjrt::MakeTable();
  return &api;
}
