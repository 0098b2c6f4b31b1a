// The arguments of functions of devices and memories. Results come behind the operands in the same struct.
#pragma once

#include "backends/pjrt/abi/types.h"

namespace assay::pjrt {

struct PJRT_DeviceDescription_Id_Args {
  Sized<PJRT_DeviceDescription_Id_Args> sized{};
  PJRT_DeviceDescription* device_description{};
  int id{};
};

struct PJRT_DeviceDescription_ProcessIndex_Args {
  Sized<PJRT_DeviceDescription_ProcessIndex_Args> sized{};
  PJRT_DeviceDescription* device_description{};
  int process_index{};
};

struct PJRT_DeviceDescription_Attributes_Args {
  Sized<PJRT_DeviceDescription_Attributes_Args> sized{};
  PJRT_DeviceDescription* device_description{};
  std::size_t num_attributes{};
  const PJRT_NamedValue* attributes{};
};

struct PJRT_DeviceDescription_Kind_Args {
  Sized<PJRT_DeviceDescription_Kind_Args> sized{};
  PJRT_DeviceDescription* device_description{};
  const char* device_kind{};
  std::size_t device_kind_size{};
};

struct PJRT_DeviceDescription_DebugString_Args {
  Sized<PJRT_DeviceDescription_DebugString_Args> sized{};
  PJRT_DeviceDescription* device_description{};
  const char* debug_string{};
  std::size_t debug_string_size{};
};

struct PJRT_DeviceDescription_ToString_Args {
  Sized<PJRT_DeviceDescription_ToString_Args> sized{};
  PJRT_DeviceDescription* device_description{};
  const char* to_string{};
  std::size_t to_string_size{};
};

struct PJRT_Device_GetDescription_Args {
  Sized<PJRT_Device_GetDescription_Args> sized{};
  PJRT_Device* device{};
  PJRT_DeviceDescription* device_description{};
};

struct PJRT_Device_IsAddressable_Args {
  Sized<PJRT_Device_IsAddressable_Args> sized{};
  PJRT_Device* device{};
  bool is_addressable{};
};

struct PJRT_Device_LocalHardwareId_Args {
  Sized<PJRT_Device_LocalHardwareId_Args> sized{};
  PJRT_Device* device{};
  int local_hardware_id{};
};

struct PJRT_Device_AddressableMemories_Args {
  Sized<PJRT_Device_AddressableMemories_Args> sized{};
  PJRT_Device* device{};
  PJRT_Memory* const* memories{};
  std::size_t num_memories{};
};

struct PJRT_Device_DefaultMemory_Args {
  Sized<PJRT_Device_DefaultMemory_Args> sized{};
  PJRT_Device* device{};
  PJRT_Memory* memory{};
};

struct PJRT_Device_MemoryStats_Args {
  Sized<PJRT_Device_MemoryStats_Args> sized{};
  PJRT_Device* device{};
  std::int64_t bytes_in_use{};
  std::int64_t peak_bytes_in_use{};
  bool peak_bytes_in_use_is_set{};
  std::int64_t num_allocs{};
  bool num_allocs_is_set{};
  std::int64_t largest_alloc_size{};
  bool largest_alloc_size_is_set{};
  std::int64_t bytes_limit{};
  bool bytes_limit_is_set{};
  std::int64_t bytes_reserved{};
  bool bytes_reserved_is_set{};
  std::int64_t peak_bytes_reserved{};
  bool peak_bytes_reserved_is_set{};
  std::int64_t bytes_reservable_limit{};
  bool bytes_reservable_limit_is_set{};
  std::int64_t largest_free_block_bytes{};
  bool largest_free_block_bytes_is_set{};
  std::int64_t pool_bytes{};
  bool pool_bytes_is_set{};
  std::int64_t peak_pool_bytes{};
  bool peak_pool_bytes_is_set{};
  std::int64_t peak_allocated_bytes{};
  bool peak_allocated_bytes_is_set{};
};

struct PJRT_Memory_Id_Args {
  Sized<PJRT_Memory_Id_Args> sized{};
  PJRT_Memory* memory{};
  int id{};
};

struct PJRT_Memory_Kind_Args {
  Sized<PJRT_Memory_Kind_Args> sized{};
  PJRT_Memory* memory{};
  const char* kind{};
  std::size_t kind_size{};
};

struct PJRT_Memory_DebugString_Args {
  Sized<PJRT_Memory_DebugString_Args> sized{};
  PJRT_Memory* memory{};
  const char* debug_string{};
  std::size_t debug_string_size{};
};

struct PJRT_Memory_ToString_Args {
  Sized<PJRT_Memory_ToString_Args> sized{};
  PJRT_Memory* memory{};
  const char* to_string{};
  std::size_t to_string_size{};
};

struct PJRT_Memory_AddressableByDevices_Args {
  Sized<PJRT_Memory_AddressableByDevices_Args> sized{};
  PJRT_Memory* memory{};
  PJRT_Device* const* devices{};
  std::size_t num_devices{};
};

struct PJRT_TopologyDescription_GetDeviceDescriptions_Args {
  Sized<PJRT_TopologyDescription_GetDeviceDescriptions_Args> sized{};
  PJRT_TopologyDescription* topology{};
  PJRT_DeviceDescription* const* descriptions{};
  std::size_t num_descriptions{};
};

struct PJRT_Memory_Kind_Id_Args {
  Sized<PJRT_Memory_Kind_Id_Args> sized{};
  PJRT_Memory* memory{};
  int kind_id{};
};

struct PJRT_Device_GetAttributes_Args {
  Sized<PJRT_Device_GetAttributes_Args> sized{};
  PJRT_Device* device{};
  const PJRT_NamedValue* attributes{};
  std::size_t num_attributes{};
  PJRT_Device_Attributes* device_attributes{};
  void (*attributes_deleter)(PJRT_Device_Attributes* attributes){};
};

}  // namespace assay::pjrt
