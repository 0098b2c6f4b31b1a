// Errors, events and contexts.
#include "backends/pjrt/device/functions.h"
#include "backends/pjrt/device/objects.h"

namespace assay::pjrt {

Status Error_GetCode(PJRT_Error_GetCode_Args& args) {
  args.code = args.error->code;
  return {};
}

Status Error_ForEachPayload(PJRT_Error_ForEachPayload_Args&) { return {}; }

Status Event_Destroy(PJRT_Event_Destroy_Args& args) {
  delete args.event;
  return {};
}

Status Event_IsReady(PJRT_Event_IsReady_Args& args) {
  args.is_ready = true;
  return {};
}

Status Event_Error(PJRT_Event_Error_Args&) { return {}; }

Status Event_Await(PJRT_Event_Await_Args&) { return {}; }

Status Event_OnReady(PJRT_Event_OnReady_Args& args) {
  args.callback(nullptr, args.user_arg);
  return {};
}

Status ExecuteContext_Create(PJRT_ExecuteContext_Create_Args& args) {
  args.context = new PJRT_ExecuteContext();
  return {};
}

Status ExecuteContext_Destroy(PJRT_ExecuteContext_Destroy_Args& args) {
  delete args.context;
  return {};
}

}  // namespace assay::pjrt
