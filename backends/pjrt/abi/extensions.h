// Extensions of the table of functions: a list of structs that begin with their type.
#pragma once

#include "backends/pjrt/abi/types.h"

namespace assay::pjrt {

inline constexpr int PJRT_Extension_Type_Shardings = 19;

// The shardings of parameters and results, each a serialized OpSharding. A null list says that there are none.
struct PJRT_Shardings_PJRT_Executable_ParameterShardings_Args {
  std::size_t struct_size = sizeof(PJRT_Shardings_PJRT_Executable_ParameterShardings_Args);
  PJRT_Extension_Base* extension_start = nullptr;
  PJRT_Executable* executable{};
  std::size_t num_parameters{};
  const char* const* shardings{};
  const std::size_t* sharding_sizes{};
};

struct PJRT_Shardings_PJRT_Executable_OutputShardings_Args {
  std::size_t struct_size = sizeof(PJRT_Shardings_PJRT_Executable_OutputShardings_Args);
  PJRT_Extension_Base* extension_start = nullptr;
  PJRT_Executable* executable{};
  std::size_t num_outputs{};
  const char* const* shardings{};
  const std::size_t* sharding_sizes{};
};

struct PJRT_Shardings_Extension {
  PJRT_Extension_Base base = {sizeof(PJRT_Shardings_Extension), PJRT_Extension_Type_Shardings};
  PJRT_Error* (*PJRT_Shardings_PJRT_Executable_ParameterShardings)(
      PJRT_Shardings_PJRT_Executable_ParameterShardings_Args*){};
  PJRT_Error* (*PJRT_Shardings_PJRT_Executable_OutputShardings)(PJRT_Shardings_PJRT_Executable_OutputShardings_Args*){};
};

}  // namespace assay::pjrt
