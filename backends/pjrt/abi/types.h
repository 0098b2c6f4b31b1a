// The binary interface of PJRT plugins: the parts that assay's host and plugin use, with the names of the C API. A
// plugin and its host need not have the same version: functions are only added at the end of the table, fields at the
// end of a struct, and each struct begins with the size that its writer knows. Layouts are those of version 0.114 on a
// 64-bit processor (spec_tests/backends/pjrt_abi_test.py).
#pragma once

#include <cstddef>
#include <cstdint>

namespace assay::pjrt {

// The newest version of the table below, and the oldest that XLA's own hosts accept.
inline constexpr int kMajorVersion = 0;
inline constexpr int kMinorVersion = 114;
inline constexpr int kOldestMinorVersion = 29;

// Objects of the plugin.
struct PJRT_Buffer;
struct PJRT_Client;
struct PJRT_Device;
struct PJRT_DeviceDescription;
struct PJRT_Error;
struct PJRT_Event;
struct PJRT_ExecuteContext;
struct PJRT_Executable;
struct PJRT_Layouts_MemoryLayout;
struct PJRT_LoadedExecutable;
struct PJRT_Memory;
struct PJRT_TopologyDescription;
// Results of a plugin that come with a function to delete them.
struct PJRT_Device_Attributes;
struct PJRT_Layouts_SerializedLayout;
struct PJRT_SerializedCompileOptions;
struct PJRT_SerializedDeviceAssignment;
struct PJRT_SerializedExecutable;
struct PJRT_SerializedTopology;

// The place of a device in an assignment.
struct PJRT_LogicalDeviceIds {
  int replica{};
  int partition{};
};

// An element of a list of further structs; this host passes none.
struct PJRT_Extension_Base {
  std::size_t struct_size = sizeof(PJRT_Extension_Base);
  int type{};
  PJRT_Extension_Base* next{};
};

// The begin of a struct T.
template <class T>
struct Sized {
  std::size_t struct_size = sizeof(T);
  PJRT_Extension_Base* extension_start = nullptr;
};

using PJRT_Error_PayloadVisitor = void (*)(const char* key, std::size_t key_size, const char* value,
                                           std::size_t value_size, void* user_arg);

enum PJRT_Error_Code : int {
  PJRT_Error_Code_OK = 0,
  PJRT_Error_Code_CANCELLED = 1,
  PJRT_Error_Code_UNKNOWN = 2,
  PJRT_Error_Code_INVALID_ARGUMENT = 3,
  PJRT_Error_Code_DEADLINE_EXCEEDED = 4,
  PJRT_Error_Code_NOT_FOUND = 5,
  PJRT_Error_Code_ALREADY_EXISTS = 6,
  PJRT_Error_Code_PERMISSION_DENIED = 7,
  PJRT_Error_Code_RESOURCE_EXHAUSTED = 8,
  PJRT_Error_Code_FAILED_PRECONDITION = 9,
  PJRT_Error_Code_ABORTED = 10,
  PJRT_Error_Code_OUT_OF_RANGE = 11,
  PJRT_Error_Code_UNIMPLEMENTED = 12,
  PJRT_Error_Code_INTERNAL = 13,
  PJRT_Error_Code_UNAVAILABLE = 14,
  PJRT_Error_Code_DATA_LOSS = 15,
  PJRT_Error_Code_UNAUTHENTICATED = 16,
};

// The functions of an error. An error and a memory begin with a pointer to such a table in newer versions; that of
// a memory may be null.
struct PJRT_Error_FunctionTable {
  std::size_t struct_size = sizeof(PJRT_Error_FunctionTable);
  std::size_t instance_size{};
  PJRT_Extension_Base* extension_start = nullptr;
  void (*destroy)(PJRT_Error* error){};
  void (*message)(const PJRT_Error* error, const char** message, std::size_t* size){};
  PJRT_Error_Code (*get_code)(const PJRT_Error* error){};
  void (*for_each_payload)(const PJRT_Error* error, PJRT_Error_PayloadVisitor visitor, void* user_arg){};
};

enum PJRT_Buffer_Type : int {
  PJRT_Buffer_Type_INVALID = 0,
  PJRT_Buffer_Type_PRED = 1,
  PJRT_Buffer_Type_S8 = 2,
  PJRT_Buffer_Type_S16 = 3,
  PJRT_Buffer_Type_S32 = 4,
  PJRT_Buffer_Type_S64 = 5,
  PJRT_Buffer_Type_U8 = 6,
  PJRT_Buffer_Type_U16 = 7,
  PJRT_Buffer_Type_U32 = 8,
  PJRT_Buffer_Type_U64 = 9,
  PJRT_Buffer_Type_F16 = 10,
  PJRT_Buffer_Type_F32 = 11,
  PJRT_Buffer_Type_F64 = 12,
  PJRT_Buffer_Type_BF16 = 13,
  PJRT_Buffer_Type_C64 = 14,
  PJRT_Buffer_Type_C128 = 15,
  PJRT_Buffer_Type_F8E5M2 = 16,
  PJRT_Buffer_Type_F8E4M3FN = 17,
  PJRT_Buffer_Type_F8E4M3B11FNUZ = 18,
  PJRT_Buffer_Type_F8E5M2FNUZ = 19,
  PJRT_Buffer_Type_F8E4M3FNUZ = 20,
  PJRT_Buffer_Type_S4 = 21,
  PJRT_Buffer_Type_U4 = 22,
  PJRT_Buffer_Type_TOKEN = 23,
  PJRT_Buffer_Type_S2 = 24,
  PJRT_Buffer_Type_U2 = 25,
  PJRT_Buffer_Type_F8E4M3 = 26,
  PJRT_Buffer_Type_F8E3M4 = 27,
  PJRT_Buffer_Type_F8E8M0FNU = 28,
  PJRT_Buffer_Type_F4E2M1FN = 29,
  PJRT_Buffer_Type_S1 = 30,
  PJRT_Buffer_Type_U1 = 31,
  PJRT_Buffer_Type_F6E2M3FN = 32,
  PJRT_Buffer_Type_F6E3M2FN = 33,
};

// The time during which the plugin may read the bytes of the host.
enum PJRT_HostBufferSemantics : int {
  PJRT_HostBufferSemantics_kImmutableOnlyDuringCall = 0,
  PJRT_HostBufferSemantics_kImmutableUntilTransferCompletes = 1,
  PJRT_HostBufferSemantics_kImmutableZeroCopy = 2,
  PJRT_HostBufferSemantics_kMutableZeroCopy = 3,
};

enum PJRT_NamedValue_Type : int {
  PJRT_NamedValue_kString = 0,
  PJRT_NamedValue_kInt64 = 1,
  PJRT_NamedValue_kInt64List = 2,
  PJRT_NamedValue_kFloat = 3,
  PJRT_NamedValue_kBool = 4,
};

// An option of a client. `value_size` is the length of a string or a list, and 1 otherwise.
struct PJRT_NamedValue {
  Sized<PJRT_NamedValue> sized{};
  const char* name{};
  std::size_t name_size{};
  PJRT_NamedValue_Type type{};
  union {
    const char* string_value;
    std::int64_t int64_value;
    const std::int64_t* int64_array_value;
    float float_value;
    bool bool_value;
  };
  std::size_t value_size{};
};

enum PJRT_Buffer_MemoryLayout_Type : int {
  PJRT_Buffer_MemoryLayout_Type_Tiled = 0,
  PJRT_Buffer_MemoryLayout_Type_Strides = 1,
};

struct PJRT_Buffer_MemoryLayout_Tiled {
  Sized<PJRT_Buffer_MemoryLayout_Tiled> sized{};
  const std::int64_t* minor_to_major{};
  std::size_t minor_to_major_size{};
  const std::int64_t* tile_dims{};
  const std::size_t* tile_dim_sizes{};
  std::size_t num_tiles{};
};

// A union in the C API: the other layout, of byte strides, is shorter.
struct PJRT_Buffer_MemoryLayout {
  Sized<PJRT_Buffer_MemoryLayout> sized{};
  PJRT_Buffer_MemoryLayout_Tiled tiled = {};
  PJRT_Buffer_MemoryLayout_Type type{};
};

// `format` is "hlo" for a serialized HloModuleProto.
struct PJRT_Program {
  Sized<PJRT_Program> sized{};
  const char* code{};
  std::size_t code_size{};
  const char* format{};
  std::size_t format_size{};
};

struct PJRT_ExecuteOptions {
  Sized<PJRT_ExecuteOptions> sized{};
  void* send_callbacks{};
  void* recv_callbacks{};
  std::size_t num_send_ops{};
  std::size_t num_recv_ops{};
  int launch_id{};
  const std::int64_t* non_donatable_input_indices{};
  std::size_t num_non_donatable_input_indices{};
  PJRT_ExecuteContext* context{};
  const char* call_location{};
  std::size_t num_tasks{};
  int* task_ids{};
  std::int64_t* incarnation_ids{};
  void* multi_slice_config{};
  bool use_major_to_minor_data_layout_for_callbacks{};
  void* hlo_output_callbacks{};
  std::size_t num_hlo_output_callbacks{};
};

}  // namespace assay::pjrt
