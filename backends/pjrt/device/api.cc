// The table of functions, and the one symbol that the library exports for frameworks.
#include "backends/pjrt/abi/api.h"

#include "backends/pjrt/device/functions.h"

namespace assay::pjrt {
namespace {

PJRT_Error* NotImplemented(void*) {
  return new PJRT_Error(PJRT_Error_Code_UNIMPLEMENTED, "assay's plugin does not have this function of PJRT");
}

#define ASSAY_FUNCTION(name, ...) table.PJRT_##name = Enter<PJRT_##name##_Args, name>;
#define ASSAY_GETTER ASSAY_FUNCTION
#define ASSAY_NO_FUNCTION(name)

PJRT_Layouts_Extension MakeLayouts() {
  PJRT_Layouts_Extension table;
#include "backends/pjrt/abi/layouts.inc"
  return table;
}

PJRT_Shardings_Extension MakeShardings() {
  PJRT_Shardings_Extension table;
#include "backends/pjrt/abi/shardings.inc"
  return table;
}

// The list of extensions. Its structs are not const in the binary interface, but nothing changes them.
PJRT_Extension_Base* Extensions() {
  static PJRT_Layouts_Extension layouts = MakeLayouts();
  static PJRT_Shardings_Extension shardings = MakeShardings();
  shardings.base.next = &layouts.base;
  return &shardings.base;
}

PJRT_Api MakeTable() {
  PJRT_Api table = TableOf(NotImplemented);
  table.sized.extension_start = Extensions();
#include "backends/pjrt/abi/functions.inc"
  return table;
}

#undef ASSAY_FUNCTION
#undef ASSAY_GETTER
#undef ASSAY_NO_FUNCTION

}  // namespace
}  // namespace assay::pjrt

extern "C" __attribute__((visibility("default"))) const assay::pjrt::PJRT_Api* GetPjrtApi() {
  static const assay::pjrt::PJRT_Api api = assay::pjrt::MakeTable();
  return &api;
}
