// The table of functions, and the one symbol that the library exports for frameworks.
#include "backends/pjrt/abi/api.h"

#include <cstring>

#include "backends/pjrt/device/functions.h"

namespace assay::pjrt {
namespace {

void DestroyError(PJRT_Error_Destroy_Args* args) { delete args->error; }

void ErrorMessage(PJRT_Error_Message_Args* args) {
  kErrorFunctions.message(args->error, &args->message, &args->message_size);
}

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
  PJRT_Api api;
  api.extension_start = Extensions();
  api.pjrt_api_version.major_version = kMajorVersion;
  api.pjrt_api_version.minor_version = kMinorVersion;
  // No entry is null: frameworks call older ones without a check.
  void* const lacking = reinterpret_cast<void*>(&NotImplemented);
  auto* const first = reinterpret_cast<std::byte*>(&api.PJRT_Error_Destroy);
  auto* const end = reinterpret_cast<std::byte*>(&api) + sizeof(api);
  for (std::byte* entry = first; entry < end; entry += sizeof(void*)) std::memcpy(entry, &lacking, sizeof(lacking));
  api.PJRT_Error_Destroy = DestroyError;
  api.PJRT_Error_Message = ErrorMessage;
#define ASSAY_FUNCTION(name) api.PJRT_##name = Enter<PJRT_##name##_Args, name>;
#include "backends/pjrt/device/functions.inc"
#undef ASSAY_FUNCTION
  return api;
}

}  // namespace
}  // namespace assay::pjrt

extern "C" __attribute__((visibility("default"))) const assay::pjrt::PJRT_Api* GetPjrtApi() {
  static const assay::pjrt::PJRT_Api api = assay::pjrt::MakeTable();
  return &api;
}
