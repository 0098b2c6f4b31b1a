// Errors, events and contexts.
#include "plugin/functions.h"
#include "plugin/objects.h"

namespace assay::pjrt {

Status Error_GetCode(PJRT_Error_GetCode_Args& args) {
  args.code = args.error->code;
  return {};
}

Status Error_ForEachPayload(PJRT_Error_ForEachPayload_Args&) { return {}; }

Status Event_Create(PJRT_Event_Create_Args& args) {
  args.event = new PJRT_Event{.is_set = false};
  return {};
}

Status Event_Destroy(PJRT_Event_Destroy_Args& args) {
  delete args.event;
  return {};
}

Status Event_Set(PJRT_Event_Set_Args& args) {
  PJRT_Event& event = *args.event;
  if (event.is_set) return Error{ErrorCode::kInput, "the event must not be set twice"};
  event.is_set = true;
  if (args.error_code != PJRT_Error_Code_OK) {
    event.error.emplace(args.error_code, std::string(args.error_message, args.error_message_size));
  }
  for (const auto& [callback, user_arg] : std::exchange(event.waiting, {})) {
    callback(event.error ? new PJRT_Error(*event.error) : nullptr, user_arg);
  }
  return {};
}

Status Event_IsReady(PJRT_Event_IsReady_Args& args) {
  args.is_ready = args.event->is_set;
  return {};
}

Status Event_OnReady(PJRT_Event_OnReady_Args& args) {
  PJRT_Event& event = *args.event;
  if (!event.is_set) {
    event.waiting.emplace_back(args.callback, args.user_arg);
  } else {
    args.callback(event.error ? new PJRT_Error(*event.error) : nullptr, args.user_arg);
  }
  return {};
}

PJRT_Error* EventError(PJRT_Event_Error_Args* args) {
  return args->event->error ? new PJRT_Error(*args->event->error) : nullptr;
}

PJRT_Error* AwaitEvent(PJRT_Event_Await_Args* args) {
  if (args->event->is_set) return args->event->error ? new PJRT_Error(*args->event->error) : nullptr;
  return new PJRT_Error(PJRT_Error_Code_FAILED_PRECONDITION, "the event must be set before a thread waits for it");
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
