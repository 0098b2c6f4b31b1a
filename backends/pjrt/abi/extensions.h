// Extensions of the table of functions: a list of structs that begin with their type.
#pragma once

#include "backends/pjrt/abi/types.h"

namespace assay::pjrt {

inline constexpr int PJRT_Extension_Type_Layouts = 4;
inline constexpr int PJRT_Extension_Type_Shardings = 19;

// The shardings of parameters and results, each a serialized OpSharding. A null list says that there are none.
struct PJRT_Shardings_PJRT_Executable_ParameterShardings_Args {
  Sized<PJRT_Shardings_PJRT_Executable_ParameterShardings_Args> sized{};
  PJRT_Executable* executable{};
  std::size_t num_parameters{};
  const char* const* shardings{};
  const std::size_t* sharding_sizes{};
};

struct PJRT_Shardings_PJRT_Executable_OutputShardings_Args {
  Sized<PJRT_Shardings_PJRT_Executable_OutputShardings_Args> sized{};
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

struct PJRT_Layouts_MemoryLayout;
struct PJRT_Layouts_SerializedLayout;

struct PJRT_Layouts_MemoryLayout_Destroy_Args {
  Sized<PJRT_Layouts_MemoryLayout_Destroy_Args> sized{};
  PJRT_Layouts_MemoryLayout* layout{};
};

// The bytes are XLA's text of a layout, such as {1,0}. They live as long as the serialized layout.
struct PJRT_Layouts_MemoryLayout_Serialize_Args {
  Sized<PJRT_Layouts_MemoryLayout_Serialize_Args> sized{};
  PJRT_Layouts_MemoryLayout* layout{};
  const char* serialized_bytes{};
  std::size_t serialized_bytes_size{};
  PJRT_Layouts_SerializedLayout* serialized_layout{};
  void (*serialized_layout_deleter)(PJRT_Layouts_SerializedLayout* serialized){};
};

// The caller destroys the layout of this and of the next two functions.
struct PJRT_Layouts_PJRT_Client_GetDefaultLayout_Args {
  Sized<PJRT_Layouts_PJRT_Client_GetDefaultLayout_Args> sized{};
  PJRT_Client* client{};
  PJRT_Buffer_Type type{};
  const std::int64_t* dims{};
  std::size_t num_dims{};
  PJRT_Layouts_MemoryLayout* layout{};
};

struct PJRT_Layouts_PJRT_Topology_GetDefaultLayout_Args {
  Sized<PJRT_Layouts_PJRT_Topology_GetDefaultLayout_Args> sized{};
  PJRT_TopologyDescription* topology_description{};
  PJRT_Buffer_Type type{};
  const std::int64_t* dims{};
  std::size_t num_dims{};
  PJRT_Layouts_MemoryLayout* layout{};
};

struct PJRT_Layouts_PJRT_Buffer_MemoryLayout_Args {
  Sized<PJRT_Layouts_PJRT_Buffer_MemoryLayout_Args> sized{};
  PJRT_Buffer* buffer{};
  PJRT_Layouts_MemoryLayout* layout{};
};

// The executable owns the layouts of this and of the next function.
struct PJRT_Layouts_PJRT_Executable_GetOutputLayouts_Args {
  Sized<PJRT_Layouts_PJRT_Executable_GetOutputLayouts_Args> sized{};
  PJRT_Executable* executable{};
  std::size_t num_outputs{};
  PJRT_Layouts_MemoryLayout** layouts{};
};

struct PJRT_Layouts_PJRT_Executable_GetParameterLayouts_Args {
  Sized<PJRT_Layouts_PJRT_Executable_GetParameterLayouts_Args> sized{};
  PJRT_Executable* executable{};
  std::size_t num_parameters{};
  PJRT_Layouts_MemoryLayout** layouts{};
};

struct PJRT_Layouts_Extension {
  PJRT_Extension_Base base = {sizeof(PJRT_Layouts_Extension), PJRT_Extension_Type_Layouts};
  PJRT_Error* (*PJRT_Layouts_MemoryLayout_Destroy)(PJRT_Layouts_MemoryLayout_Destroy_Args*){};
  PJRT_Error* (*PJRT_Layouts_MemoryLayout_Serialize)(PJRT_Layouts_MemoryLayout_Serialize_Args*){};
  PJRT_Error* (*PJRT_Layouts_PJRT_Client_GetDefaultLayout)(PJRT_Layouts_PJRT_Client_GetDefaultLayout_Args*){};
  PJRT_Error* (*PJRT_Layouts_PJRT_Buffer_MemoryLayout)(PJRT_Layouts_PJRT_Buffer_MemoryLayout_Args*){};
  PJRT_Error* (*PJRT_Layouts_PJRT_Topology_GetDefaultLayout)(PJRT_Layouts_PJRT_Topology_GetDefaultLayout_Args*){};
  PJRT_Error* (*PJRT_Layouts_PJRT_Executable_GetOutputLayouts)(PJRT_Layouts_PJRT_Executable_GetOutputLayouts_Args*){};
  PJRT_Error* (*PJRT_Layouts_PJRT_Executable_GetParameterLayouts)(
      PJRT_Layouts_PJRT_Executable_GetParameterLayouts_Args*){};
};

}  // namespace assay::pjrt
