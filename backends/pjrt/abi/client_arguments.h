// The arguments of functions of errors, events, plugins, clients and topologies. Results come behind the operands in
// the same struct.
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

struct PJRT_Error_GetCode_Args {
  Sized<PJRT_Error_GetCode_Args> sized{};
  const PJRT_Error* error{};
  PJRT_Error_Code code{};
};

struct PJRT_Plugin_Initialize_Args {
  Sized<PJRT_Plugin_Initialize_Args> sized{};
};

struct PJRT_Plugin_Attributes_Args {
  Sized<PJRT_Plugin_Attributes_Args> sized{};
  const PJRT_NamedValue* attributes{};
  std::size_t num_attributes{};
};

struct PJRT_Event_Destroy_Args {
  Sized<PJRT_Event_Destroy_Args> sized{};
  PJRT_Event* event{};
};

struct PJRT_Event_IsReady_Args {
  Sized<PJRT_Event_IsReady_Args> sized{};
  PJRT_Event* event{};
  bool is_ready{};
};

struct PJRT_Event_Error_Args {
  Sized<PJRT_Event_Error_Args> sized{};
  PJRT_Event* event{};
};

struct PJRT_Event_Await_Args {
  Sized<PJRT_Event_Await_Args> sized{};
  PJRT_Event* event{};
};

struct PJRT_Event_OnReady_Args {
  Sized<PJRT_Event_OnReady_Args> sized{};
  PJRT_Event* event{};
  void (*callback)(PJRT_Error* error, void* user_arg){};
  void* user_arg{};
};

struct PJRT_Client_Create_Args {
  Sized<PJRT_Client_Create_Args> sized{};
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
  Sized<PJRT_Client_Destroy_Args> sized{};
  PJRT_Client* client{};
};

struct PJRT_Client_PlatformName_Args {
  Sized<PJRT_Client_PlatformName_Args> sized{};
  PJRT_Client* client{};
  const char* platform_name{};
  std::size_t platform_name_size{};
};

struct PJRT_Client_ProcessIndex_Args {
  Sized<PJRT_Client_ProcessIndex_Args> sized{};
  PJRT_Client* client{};
  int process_index{};
};

struct PJRT_Client_PlatformVersion_Args {
  Sized<PJRT_Client_PlatformVersion_Args> sized{};
  PJRT_Client* client{};
  const char* platform_version{};
  std::size_t platform_version_size{};
};

struct PJRT_Client_Devices_Args {
  Sized<PJRT_Client_Devices_Args> sized{};
  PJRT_Client* client{};
  PJRT_Device* const* devices{};
  std::size_t num_devices{};
};

struct PJRT_Client_AddressableDevices_Args {
  Sized<PJRT_Client_AddressableDevices_Args> sized{};
  PJRT_Client* client{};
  PJRT_Device* const* addressable_devices{};
  std::size_t num_addressable_devices{};
};

struct PJRT_Client_LookupDevice_Args {
  Sized<PJRT_Client_LookupDevice_Args> sized{};
  PJRT_Client* client{};
  int id{};
  PJRT_Device* device{};
};

struct PJRT_Client_LookupAddressableDevice_Args {
  Sized<PJRT_Client_LookupAddressableDevice_Args> sized{};
  PJRT_Client* client{};
  int local_hardware_id{};
  PJRT_Device* addressable_device{};
};

struct PJRT_Client_AddressableMemories_Args {
  Sized<PJRT_Client_AddressableMemories_Args> sized{};
  PJRT_Client* client{};
  PJRT_Memory* const* addressable_memories{};
  std::size_t num_addressable_memories{};
};

struct PJRT_Client_DefaultDeviceAssignment_Args {
  Sized<PJRT_Client_DefaultDeviceAssignment_Args> sized{};
  PJRT_Client* client{};
  int num_replicas{};
  int num_partitions{};
  std::size_t default_assignment_size{};
  int* default_assignment{};
};

struct PJRT_TopologyDescription_Create_Args {
  Sized<PJRT_TopologyDescription_Create_Args> sized{};
  const char* topology_name{};
  std::size_t topology_name_size{};
  const PJRT_NamedValue* create_options{};
  std::size_t num_options{};
  PJRT_TopologyDescription* topology{};
};

struct PJRT_TopologyDescription_Destroy_Args {
  Sized<PJRT_TopologyDescription_Destroy_Args> sized{};
  PJRT_TopologyDescription* topology{};
};

struct PJRT_TopologyDescription_PlatformName_Args {
  Sized<PJRT_TopologyDescription_PlatformName_Args> sized{};
  PJRT_TopologyDescription* topology{};
  const char* platform_name{};
  std::size_t platform_name_size{};
};

struct PJRT_TopologyDescription_PlatformVersion_Args {
  Sized<PJRT_TopologyDescription_PlatformVersion_Args> sized{};
  PJRT_TopologyDescription* topology{};
  const char* platform_version{};
  std::size_t platform_version_size{};
};

struct PJRT_TopologyDescription_Attributes_Args {
  Sized<PJRT_TopologyDescription_Attributes_Args> sized{};
  PJRT_TopologyDescription* topology{};
  const PJRT_NamedValue* attributes{};
  std::size_t num_attributes{};
};

struct PJRT_Client_TopologyDescription_Args {
  Sized<PJRT_Client_TopologyDescription_Args> sized{};
  PJRT_Client* client{};
  PJRT_TopologyDescription* topology{};
};

struct PJRT_Error_ForEachPayload_Args {
  Sized<PJRT_Error_ForEachPayload_Args> sized{};
  const PJRT_Error* error{};
  void (*visitor)(const char* key, std::size_t key_size, const char* value, std::size_t value_size, void* user_arg){};
  void* user_arg{};
};

struct PJRT_TopologyDescription_Fingerprint_Args {
  Sized<PJRT_TopologyDescription_Fingerprint_Args> sized{};
  PJRT_TopologyDescription* topology{};
  std::uint64_t fingerprint{};
};

}  // namespace assay::pjrt
