// The table of functions that a plugin's GetPjrtApi returns, its extensions, and the structs of the functions'
// arguments.
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
#include "backends/pjrt/abi/layouts.inc"
#include "backends/pjrt/abi/shardings.inc"
#undef ASSAY_FUNCTION
#undef ASSAY_NO_FUNCTION

struct PJRT_Api_Version {
  Sized<PJRT_Api_Version> sized{};
  int major_version{};
  int minor_version{};
};

template <class Args>
using Function = PJRT_Error* (*)(Args*);

#define ASSAY_FUNCTION(name, ...) Function<PJRT_##name##_Args> PJRT_##name{};
#define ASSAY_NO_FUNCTION(name) void* PJRT_##name{};

// The table of functions.
struct PJRT_Api {
  Sized<PJRT_Api> sized{};
  PJRT_Api_Version pjrt_api_version = {};
  void (*PJRT_Error_Destroy)(PJRT_Error_Destroy_Args*){};
  void (*PJRT_Error_Message)(PJRT_Error_Message_Args*){};
#include "backends/pjrt/abi/functions.inc"
};

// Extensions of the table: a list of structs that begin with their type.
inline constexpr int PJRT_Extension_Type_Layouts = 4;
inline constexpr int PJRT_Extension_Type_Shardings = 19;

struct PJRT_Layouts_Extension {
  PJRT_Extension_Base base = {sizeof(PJRT_Layouts_Extension), PJRT_Extension_Type_Layouts};
#include "backends/pjrt/abi/layouts.inc"
};

struct PJRT_Shardings_Extension {
  PJRT_Extension_Base base = {sizeof(PJRT_Shardings_Extension), PJRT_Extension_Type_Shardings};
#include "backends/pjrt/abi/shardings.inc"
};

#undef ASSAY_FUNCTION
#undef ASSAY_GETTER
#undef ASSAY_NO_FUNCTION

}  // namespace assay::pjrt
