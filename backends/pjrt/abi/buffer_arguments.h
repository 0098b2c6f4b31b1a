// The arguments of functions of buffers. Results come behind the operands in the same struct.
#pragma once

#include "backends/pjrt/abi/types.h"

namespace assay::pjrt {

struct PJRT_Client_BufferFromHostBuffer_Args {
  Sized<PJRT_Client_BufferFromHostBuffer_Args> sized{};
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

struct PJRT_Buffer_Destroy_Args {
  Sized<PJRT_Buffer_Destroy_Args> sized{};
  PJRT_Buffer* buffer{};
};

struct PJRT_Buffer_ElementType_Args {
  Sized<PJRT_Buffer_ElementType_Args> sized{};
  PJRT_Buffer* buffer{};
  PJRT_Buffer_Type type{};
};

struct PJRT_Buffer_Dimensions_Args {
  Sized<PJRT_Buffer_Dimensions_Args> sized{};
  PJRT_Buffer* buffer{};
  const std::int64_t* dims{};
  std::size_t num_dims{};
};

struct PJRT_Buffer_UnpaddedDimensions_Args {
  Sized<PJRT_Buffer_UnpaddedDimensions_Args> sized{};
  PJRT_Buffer* buffer{};
  const std::int64_t* unpadded_dims{};
  std::size_t num_dims{};
};

struct PJRT_Buffer_DynamicDimensionIndices_Args {
  Sized<PJRT_Buffer_DynamicDimensionIndices_Args> sized{};
  PJRT_Buffer* buffer{};
  const std::size_t* dynamic_dim_indices{};
  std::size_t num_dynamic_dims{};
};

struct PJRT_Buffer_GetMemoryLayout_Args {
  Sized<PJRT_Buffer_GetMemoryLayout_Args> sized{};
  PJRT_Buffer* buffer{};
  PJRT_Buffer_MemoryLayout layout = {};
};

struct PJRT_Buffer_OnDeviceSizeInBytes_Args {
  Sized<PJRT_Buffer_OnDeviceSizeInBytes_Args> sized{};
  PJRT_Buffer* buffer{};
  std::size_t on_device_size_in_bytes{};
};

struct PJRT_Buffer_Device_Args {
  Sized<PJRT_Buffer_Device_Args> sized{};
  PJRT_Buffer* buffer{};
  PJRT_Device* device{};
};

struct PJRT_Buffer_Memory_Args {
  Sized<PJRT_Buffer_Memory_Args> sized{};
  PJRT_Buffer* buffer{};
  PJRT_Memory* memory{};
};

struct PJRT_Buffer_Delete_Args {
  Sized<PJRT_Buffer_Delete_Args> sized{};
  PJRT_Buffer* buffer{};
};

struct PJRT_Buffer_IsDeleted_Args {
  Sized<PJRT_Buffer_IsDeleted_Args> sized{};
  PJRT_Buffer* buffer{};
  bool is_deleted{};
};

struct PJRT_Buffer_CopyToDevice_Args {
  Sized<PJRT_Buffer_CopyToDevice_Args> sized{};
  PJRT_Buffer* buffer{};
  PJRT_Device* dst_device{};
  PJRT_Buffer* dst_buffer{};
};

struct PJRT_Buffer_ToHostBuffer_Args {
  Sized<PJRT_Buffer_ToHostBuffer_Args> sized{};
  PJRT_Buffer* src{};
  PJRT_Buffer_MemoryLayout* host_layout{};
  void* dst{};
  std::size_t dst_size{};
  PJRT_Event* event{};
};

struct PJRT_Buffer_IsOnCpu_Args {
  Sized<PJRT_Buffer_IsOnCpu_Args> sized{};
  PJRT_Buffer* buffer{};
  bool is_on_cpu{};
};

struct PJRT_Buffer_ReadyEvent_Args {
  Sized<PJRT_Buffer_ReadyEvent_Args> sized{};
  PJRT_Buffer* buffer{};
  PJRT_Event* event{};
};

struct PJRT_Buffer_UnsafePointer_Args {
  Sized<PJRT_Buffer_UnsafePointer_Args> sized{};
  PJRT_Buffer* buffer{};
  std::uintptr_t buffer_pointer{};
};

struct PJRT_Buffer_IncreaseExternalReferenceCount_Args {
  Sized<PJRT_Buffer_IncreaseExternalReferenceCount_Args> sized{};
  PJRT_Buffer* buffer{};
};

struct PJRT_Buffer_DecreaseExternalReferenceCount_Args {
  Sized<PJRT_Buffer_DecreaseExternalReferenceCount_Args> sized{};
  PJRT_Buffer* buffer{};
};

struct PJRT_Buffer_OpaqueDeviceMemoryDataPointer_Args {
  Sized<PJRT_Buffer_OpaqueDeviceMemoryDataPointer_Args> sized{};
  PJRT_Buffer* buffer{};
  void* device_memory_ptr{};
};

struct PJRT_Buffer_CopyToMemory_Args {
  Sized<PJRT_Buffer_CopyToMemory_Args> sized{};
  PJRT_Buffer* buffer{};
  PJRT_Memory* dst_memory{};
  PJRT_Buffer* dst_buffer{};
};

struct PJRT_Client_CreateViewOfDeviceBuffer_Args {
  Sized<PJRT_Client_CreateViewOfDeviceBuffer_Args> sized{};
  PJRT_Client* client{};
  void* device_buffer_ptr{};
  const std::int64_t* dims{};
  std::size_t num_dims{};
  PJRT_Buffer_Type element_type{};
  PJRT_Buffer_MemoryLayout* layout{};
  PJRT_Device* device{};
  void (*on_delete_callback)(void* device_buffer_ptr, void* user_arg){};
  void* on_delete_callback_arg{};
  std::intptr_t stream{};
  PJRT_Buffer* buffer{};
  PJRT_Memory* memory{};
};

struct PJRT_Buffer_CopyRawToHost_Args {
  Sized<PJRT_Buffer_CopyRawToHost_Args> sized{};
  PJRT_Buffer* buffer{};
  void* dst{};
  std::int64_t offset{};
  std::int64_t transfer_size{};
  PJRT_Event* event{};
};

struct PJRT_Client_CreateUninitializedBuffer_Args {
  Sized<PJRT_Client_CreateUninitializedBuffer_Args> sized{};
  PJRT_Client* client{};
  const std::int64_t* shape_dims{};
  std::size_t shape_num_dims{};
  PJRT_Buffer_Type shape_element_type{};
  PJRT_Buffer_MemoryLayout* shape_layout{};
  PJRT_Device* device{};
  PJRT_Memory* memory{};
  PJRT_Buffer* buffer{};
};

}  // namespace assay::pjrt
