#include "backends/pjrt/device/entry.h"

namespace assay::pjrt {

const PJRT_Error_FunctionTable kErrorFunctions = {
    .instance_size = sizeof(PJRT_Error),
    .destroy = [](PJRT_Error* error) { delete error; },
    .message =
        [](const PJRT_Error* error, const char** message, std::size_t* size) {
          *message = error->message.data();
          *size = error->message.size();
        },
    .get_code = [](const PJRT_Error* error) { return error->code; },
    .for_each_payload = [](const PJRT_Error*, PJRT_Error_PayloadVisitor, void*) {},
};

PJRT_Error_Code CodeOf(ErrorCode code) {
  switch (code) {
    case ErrorCode::kUnsupported:
      return PJRT_Error_Code_UNIMPLEMENTED;
    case ErrorCode::kIo:
      return PJRT_Error_Code_NOT_FOUND;
    case ErrorCode::kBackend:
      return PJRT_Error_Code_INTERNAL;
    case ErrorCode::kLimit:
      return PJRT_Error_Code_RESOURCE_EXHAUSTED;
    case ErrorCode::kDeadlock:
    case ErrorCode::kCheck:
      return PJRT_Error_Code_ABORTED;
    default:
      return PJRT_Error_Code_INVALID_ARGUMENT;
  }
}

PJRT_Api TableOf(PJRT_Error* (*function)(void*)) {
  PJRT_Api api;
  api.pjrt_api_version.major_version = kMajorVersion;
  api.pjrt_api_version.minor_version = kMinorVersion;
  auto* const first = reinterpret_cast<std::byte*>(&api.PJRT_Error_Destroy);
  auto* const end = reinterpret_cast<std::byte*>(&api) + sizeof(api);
  for (std::byte* entry = first; entry < end; entry += sizeof(function)) {
    std::memcpy(entry, &function, sizeof(function));
  }
  api.PJRT_Error_Destroy = [](PJRT_Error_Destroy_Args* args) { delete args->error; };
  api.PJRT_Error_Message = [](PJRT_Error_Message_Args* args) {
    kErrorFunctions.message(args->error, &args->message, &args->message_size);
  };
  return api;
}

PJRT_Error* NewError(const Status& status) {
  if (status) return nullptr;
  return new PJRT_Error(CodeOf(status.error().code), status.error().message);
}

}  // namespace assay::pjrt
