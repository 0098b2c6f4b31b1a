// The arguments of the functions that the host calls. Results come behind the operands in the same struct.
#pragma once

#include "backends/pjrt/abi/types.h"

namespace assay::pjrt {

struct PJRT_Error_Destroy_Args {
  std::size_t struct_size = sizeof(PJRT_Error_Destroy_Args);
  PJRT_Extension_Base* extension_start = nullptr;
  PJRT_Error* error{};
};

struct PJRT_Error_Message_Args {
  std::size_t struct_size = sizeof(PJRT_Error_Message_Args);
  PJRT_Extension_Base* extension_start = nullptr;
  const PJRT_Error* error{};
  const char* message{};
  std::size_t message_size{};
};

struct PJRT_Error_GetCode_Args {
  std::size_t struct_size = sizeof(PJRT_Error_GetCode_Args);
  PJRT_Extension_Base* extension_start = nullptr;
  const PJRT_Error* error{};
  PJRT_Error_Code code{};
};

struct PJRT_Plugin_Initialize_Args {
  std::size_t struct_size = sizeof(PJRT_Plugin_Initialize_Args);
  PJRT_Extension_Base* extension_start = nullptr;
};

struct PJRT_Event_Destroy_Args {
  std::size_t struct_size = sizeof(PJRT_Event_Destroy_Args);
  PJRT_Extension_Base* extension_start = nullptr;
  PJRT_Event* event{};
};

struct PJRT_Event_Await_Args {
  std::size_t struct_size = sizeof(PJRT_Event_Await_Args);
  PJRT_Extension_Base* extension_start = nullptr;
  PJRT_Event* event{};
};

struct PJRT_Client_Create_Args {
  std::size_t struct_size = sizeof(PJRT_Client_Create_Args);
  PJRT_Extension_Base* extension_start = nullptr;
  const PJRT_NamedValue* create_options{};
  std::size_t num_options{};
  void* kv_get_callback{};
  void* kv_get_user_arg{};
  void* kv_put_callback{};
  void* kv_put_user_arg{};
  PJRT_Client* client{};
  void* kv_try_get_callback{};
  void* kv_try_get_user_arg{};
};

struct PJRT_Client_Destroy_Args {
  std::size_t struct_size = sizeof(PJRT_Client_Destroy_Args);
  PJRT_Extension_Base* extension_start = nullptr;
  PJRT_Client* client{};
};

struct PJRT_Client_PlatformName_Args {
  std::size_t struct_size = sizeof(PJRT_Client_PlatformName_Args);
  PJRT_Extension_Base* extension_start = nullptr;
  PJRT_Client* client{};
  const char* platform_name{};
  std::size_t platform_name_size{};
};

struct PJRT_Client_PlatformVersion_Args {
  std::size_t struct_size = sizeof(PJRT_Client_PlatformVersion_Args);
  PJRT_Extension_Base* extension_start = nullptr;
  PJRT_Client* client{};
  const char* platform_version{};
  std::size_t platform_version_size{};
};

struct PJRT_Client_AddressableDevices_Args {
  std::size_t struct_size = sizeof(PJRT_Client_AddressableDevices_Args);
  PJRT_Extension_Base* extension_start = nullptr;
  PJRT_Client* client{};
  PJRT_Device* const* addressable_devices{};
  std::size_t num_addressable_devices{};
};

struct PJRT_Client_Compile_Args {
  std::size_t struct_size = sizeof(PJRT_Client_Compile_Args);
  PJRT_Extension_Base* extension_start = nullptr;
  PJRT_Client* client{};
  const PJRT_Program* program{};
  const char* compile_options{};
  std::size_t compile_options_size{};
  PJRT_LoadedExecutable* executable{};
};

struct PJRT_Client_BufferFromHostBuffer_Args {
  std::size_t struct_size = sizeof(PJRT_Client_BufferFromHostBuffer_Args);
  PJRT_Extension_Base* extension_start = nullptr;
  PJRT_Client* client{};
  const void* data{};
  PJRT_Buffer_Type type{};
  const std::int64_t* dims{};
  std::size_t num_dims{};
  const std::int64_t* byte_strides{};
  std::size_t num_byte_strides{};
  PJRT_HostBufferSemantics host_buffer_semantics{};
  PJRT_Device* device{};
  PJRT_Memory* memory{};
  PJRT_Buffer_MemoryLayout* device_layout{};
  PJRT_Event* done_with_host_buffer{};
  PJRT_Buffer* buffer{};
};

struct PJRT_Device_GetDescription_Args {
  std::size_t struct_size = sizeof(PJRT_Device_GetDescription_Args);
  PJRT_Extension_Base* extension_start = nullptr;
  PJRT_Device* device{};
  PJRT_DeviceDescription* device_description{};
};

struct PJRT_DeviceDescription_Id_Args {
  std::size_t struct_size = sizeof(PJRT_DeviceDescription_Id_Args);
  PJRT_Extension_Base* extension_start = nullptr;
  PJRT_DeviceDescription* device_description{};
  int id{};
};

struct PJRT_Executable_Destroy_Args {
  std::size_t struct_size = sizeof(PJRT_Executable_Destroy_Args);
  PJRT_Extension_Base* extension_start = nullptr;
  PJRT_Executable* executable{};
};

struct PJRT_Executable_NumOutputs_Args {
  std::size_t struct_size = sizeof(PJRT_Executable_NumOutputs_Args);
  PJRT_Extension_Base* extension_start = nullptr;
  PJRT_Executable* executable{};
  std::size_t num_outputs{};
};

struct PJRT_LoadedExecutable_Destroy_Args {
  std::size_t struct_size = sizeof(PJRT_LoadedExecutable_Destroy_Args);
  PJRT_Extension_Base* extension_start = nullptr;
  PJRT_LoadedExecutable* executable{};
};

struct PJRT_LoadedExecutable_GetExecutable_Args {
  std::size_t struct_size = sizeof(PJRT_LoadedExecutable_GetExecutable_Args);
  PJRT_Extension_Base* extension_start = nullptr;
  PJRT_LoadedExecutable* loaded_executable{};
  PJRT_Executable* executable{};
};

struct PJRT_LoadedExecutable_Execute_Args {
  std::size_t struct_size = sizeof(PJRT_LoadedExecutable_Execute_Args);
  PJRT_Extension_Base* extension_start = nullptr;
  PJRT_LoadedExecutable* executable{};
  PJRT_ExecuteOptions* options{};
  PJRT_Buffer* const* const* argument_lists{};
  std::size_t num_devices{};
  std::size_t num_args{};
  PJRT_Buffer** const* output_lists{};
  PJRT_Event** device_complete_events{};
  PJRT_Device* execute_device{};
};

struct PJRT_Buffer_Destroy_Args {
  std::size_t struct_size = sizeof(PJRT_Buffer_Destroy_Args);
  PJRT_Extension_Base* extension_start = nullptr;
  PJRT_Buffer* buffer{};
};

struct PJRT_Buffer_ElementType_Args {
  std::size_t struct_size = sizeof(PJRT_Buffer_ElementType_Args);
  PJRT_Extension_Base* extension_start = nullptr;
  PJRT_Buffer* buffer{};
  PJRT_Buffer_Type type{};
};

struct PJRT_Buffer_Dimensions_Args {
  std::size_t struct_size = sizeof(PJRT_Buffer_Dimensions_Args);
  PJRT_Extension_Base* extension_start = nullptr;
  PJRT_Buffer* buffer{};
  const std::int64_t* dims{};
  std::size_t num_dims{};
};

struct PJRT_Buffer_GetMemoryLayout_Args {
  std::size_t struct_size = sizeof(PJRT_Buffer_GetMemoryLayout_Args);
  PJRT_Extension_Base* extension_start = nullptr;
  PJRT_Buffer* buffer{};
  PJRT_Buffer_MemoryLayout layout = {};
};

struct PJRT_Buffer_ToHostBuffer_Args {
  std::size_t struct_size = sizeof(PJRT_Buffer_ToHostBuffer_Args);
  PJRT_Extension_Base* extension_start = nullptr;
  PJRT_Buffer* src{};
  PJRT_Buffer_MemoryLayout* host_layout{};
  void* dst{};
  std::size_t dst_size{};
  PJRT_Event* event{};
};

}  // namespace assay::pjrt
