// The table of functions that a plugin's GetPjrtApi returns.
#pragma once

#include "backends/pjrt/abi/buffer_arguments.h"
#include "backends/pjrt/abi/client_arguments.h"
#include "backends/pjrt/abi/device_arguments.h"
#include "backends/pjrt/abi/executable_arguments.h"

namespace assay::pjrt {

struct PJRT_Api_Version {
  Sized<PJRT_Api_Version> sized{};
  int major_version{};
  int minor_version{};
};

template <class Args>
using Function = PJRT_Error* (*)(Args*);

// The table of functions.
struct PJRT_Api {
  Sized<PJRT_Api> sized{};
  PJRT_Api_Version pjrt_api_version = {};
  void (*PJRT_Error_Destroy)(PJRT_Error_Destroy_Args*){};
  void (*PJRT_Error_Message)(PJRT_Error_Message_Args*){};
#define ASSAY_FUNCTION(name) Function<PJRT_##name##_Args> PJRT_##name{};
#define ASSAY_GETTER ASSAY_FUNCTION
#define ASSAY_NO_FUNCTION(name) void* PJRT_##name{};
#include "backends/pjrt/abi/functions.inc"
#undef ASSAY_FUNCTION
#undef ASSAY_GETTER
#undef ASSAY_NO_FUNCTION
};

}  // namespace assay::pjrt
