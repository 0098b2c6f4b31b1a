// The table of functions that a plugin's GetPjrtApi returns, and the structs of their arguments.
#pragma once

#include "backends/pjrt/abi/types.h"

namespace assay::pjrt {

struct PJRT_Error_Destroy_Args {
  Sized<PJRT_Error_Destroy_Args> sized{};
  PJRT_Error* error{};
};

struct PJRT_Error_Message_Args {
  Sized<PJRT_Error_Message_Args> sized{};
  const PJRT_Error* error{};
  const char* message{};
  std::size_t message_size{};
};

#define ASSAY_FUNCTION(name, ...)      \
  struct PJRT_##name##_Args {          \
    Sized<PJRT_##name##_Args> sized{}; \
    __VA_ARGS__                        \
  };
#define ASSAY_GETTER ASSAY_FUNCTION
#define ASSAY_NO_FUNCTION(name)
#include "backends/pjrt/abi/functions.inc"
#undef ASSAY_FUNCTION
#undef ASSAY_NO_FUNCTION

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
#define ASSAY_FUNCTION(name, ...) Function<PJRT_##name##_Args> PJRT_##name{};
#define ASSAY_NO_FUNCTION(name) void* PJRT_##name{};
#include "backends/pjrt/abi/functions.inc"
#undef ASSAY_FUNCTION
#undef ASSAY_GETTER
#undef ASSAY_NO_FUNCTION
};

}  // namespace assay::pjrt
