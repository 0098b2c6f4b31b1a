// Errors, events and contexts.
#include "backends/pjrt/device/functions.h"
#include "backends/pjrt/device/objects.h"

namespace assay::pjrt {

void Error_GetCode(PJRT_Error_GetCode_Args& args) { args.code = args.error->code; }

Status Error_ForEachPayload(PJRT_Error_ForEachPayload_Args&) { return {}; }

void Event_Destroy(PJRT_Event_Destroy_Args& args) { delete args.event; }

void Event_IsReady(PJRT_Event_IsReady_Args& args) { args.is_ready = true; }

Status Event_Error(PJRT_Event_Error_Args&) { return {}; }

Status Event_Await(PJRT_Event_Await_Args&) { return {}; }

void Event_OnReady(PJRT_Event_OnReady_Args& args) { args.callback(nullptr, args.user_arg); }

void ExecuteContext_Create(PJRT_ExecuteContext_Create_Args& args) { args.context = new PJRT_ExecuteContext(); }

void ExecuteContext_Destroy(PJRT_ExecuteContext_Destroy_Args& args) { delete args.context; }

}  // namespace assay::pjrt
