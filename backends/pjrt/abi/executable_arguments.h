// The arguments of functions that compile, and of functions of executables. Results come behind the operands in the
// same struct.
#pragma once

#include "backends/pjrt/abi/types.h"

namespace assay::pjrt {

struct PJRT_Client_Compile_Args {
  Sized<PJRT_Client_Compile_Args> sized{};
  PJRT_Client* client{};
  const PJRT_Program* program{};
  const char* compile_options{};
  std::size_t compile_options_size{};
  PJRT_LoadedExecutable* executable{};
};

// The client may be null: the program is compiled for the topology alone.
struct PJRT_Compile_Args {
  Sized<PJRT_Compile_Args> sized{};
  const PJRT_TopologyDescription* topology{};
  const PJRT_Program* program{};
  const char* compile_options{};
  std::size_t compile_options_size{};
  PJRT_Client* client{};
  PJRT_Executable* executable{};
};

struct PJRT_Client_Load_Args {
  Sized<PJRT_Client_Load_Args> sized{};
  PJRT_Client* client{};
  PJRT_Executable* executable{};
  const char* compile_options{};
  std::size_t compile_options_size{};
  PJRT_LoadedExecutable* loaded_executable{};
};

struct PJRT_Executable_Destroy_Args {
  Sized<PJRT_Executable_Destroy_Args> sized{};
  PJRT_Executable* executable{};
};

struct PJRT_Executable_Name_Args {
  Sized<PJRT_Executable_Name_Args> sized{};
  PJRT_Executable* executable{};
  const char* executable_name{};
  std::size_t executable_name_size{};
};

struct PJRT_Executable_NumReplicas_Args {
  Sized<PJRT_Executable_NumReplicas_Args> sized{};
  PJRT_Executable* executable{};
  std::size_t num_replicas{};
};

struct PJRT_Executable_NumPartitions_Args {
  Sized<PJRT_Executable_NumPartitions_Args> sized{};
  PJRT_Executable* executable{};
  std::size_t num_partitions{};
};

struct PJRT_Executable_NumOutputs_Args {
  Sized<PJRT_Executable_NumOutputs_Args> sized{};
  PJRT_Executable* executable{};
  std::size_t num_outputs{};
};

struct PJRT_Executable_SizeOfGeneratedCodeInBytes_Args {
  Sized<PJRT_Executable_SizeOfGeneratedCodeInBytes_Args> sized{};
  PJRT_Executable* executable{};
  std::int64_t size_in_bytes{};
};

struct PJRT_Executable_GetCostAnalysis_Args {
  Sized<PJRT_Executable_GetCostAnalysis_Args> sized{};
  PJRT_Executable* executable{};
  std::size_t num_properties{};
  const PJRT_NamedValue* properties{};
};

struct PJRT_Executable_OutputMemoryKinds_Args {
  Sized<PJRT_Executable_OutputMemoryKinds_Args> sized{};
  PJRT_Executable* executable{};
  std::size_t num_outputs{};
  const char* const* memory_kinds{};
  const std::size_t* memory_kind_sizes{};
};

struct PJRT_Executable_OptimizedProgram_Args {
  Sized<PJRT_Executable_OptimizedProgram_Args> sized{};
  PJRT_Executable* executable{};
  PJRT_Program* program{};
};

struct PJRT_Executable_Serialize_Args {
  Sized<PJRT_Executable_Serialize_Args> sized{};
  PJRT_Executable* executable{};
  const char* serialized_bytes{};
  std::size_t serialized_bytes_size{};
  PJRT_SerializedExecutable* serialized_executable{};
  void (*serialized_executable_deleter)(PJRT_SerializedExecutable* serialized){};
};

struct PJRT_LoadedExecutable_Destroy_Args {
  Sized<PJRT_LoadedExecutable_Destroy_Args> sized{};
  PJRT_LoadedExecutable* executable{};
};

struct PJRT_LoadedExecutable_GetExecutable_Args {
  Sized<PJRT_LoadedExecutable_GetExecutable_Args> sized{};
  PJRT_LoadedExecutable* loaded_executable{};
  PJRT_Executable* executable{};
};

struct PJRT_LoadedExecutable_AddressableDevices_Args {
  Sized<PJRT_LoadedExecutable_AddressableDevices_Args> sized{};
  PJRT_LoadedExecutable* executable{};
  PJRT_Device* const* addressable_devices{};
  std::size_t num_addressable_devices{};
};

struct PJRT_LoadedExecutable_Delete_Args {
  Sized<PJRT_LoadedExecutable_Delete_Args> sized{};
  PJRT_LoadedExecutable* executable{};
};

struct PJRT_LoadedExecutable_IsDeleted_Args {
  Sized<PJRT_LoadedExecutable_IsDeleted_Args> sized{};
  PJRT_LoadedExecutable* executable{};
  bool is_deleted{};
};

struct PJRT_LoadedExecutable_Execute_Args {
  Sized<PJRT_LoadedExecutable_Execute_Args> sized{};
  PJRT_LoadedExecutable* executable{};
  PJRT_ExecuteOptions* options{};
  PJRT_Buffer* const* const* argument_lists{};
  std::size_t num_devices{};
  std::size_t num_args{};
  PJRT_Buffer** const* output_lists{};
  PJRT_Event** device_complete_events{};
  PJRT_Device* execute_device{};
};

struct PJRT_Executable_DeserializeAndLoad_Args {
  Sized<PJRT_Executable_DeserializeAndLoad_Args> sized{};
  PJRT_Client* client{};
  const char* serialized_executable{};
  std::size_t serialized_executable_size{};
  PJRT_LoadedExecutable* loaded_executable{};
  const char* overridden_serialized_compile_options{};
  std::size_t overridden_serialized_compile_options_size{};
  void* load_options{};
};

struct PJRT_LoadedExecutable_Fingerprint_Args {
  Sized<PJRT_LoadedExecutable_Fingerprint_Args> sized{};
  PJRT_LoadedExecutable* executable{};
  const char* executable_fingerprint{};
  std::size_t executable_fingerprint_size{};
};

struct PJRT_Executable_OutputElementTypes_Args {
  Sized<PJRT_Executable_OutputElementTypes_Args> sized{};
  PJRT_Executable* executable{};
  PJRT_Buffer_Type* output_types{};
  std::size_t num_output_types{};
};

struct PJRT_Executable_OutputDimensions_Args {
  Sized<PJRT_Executable_OutputDimensions_Args> sized{};
  PJRT_Executable* executable{};
  std::size_t num_outputs{};
  const std::int64_t* dims{};
  const std::size_t* dim_sizes{};
};

struct PJRT_Executable_Fingerprint_Args {
  Sized<PJRT_Executable_Fingerprint_Args> sized{};
  PJRT_Executable* executable{};
  const char* executable_fingerprint{};
  std::size_t executable_fingerprint_size{};
};

struct PJRT_Executable_GetCompiledMemoryStats_Args {
  Sized<PJRT_Executable_GetCompiledMemoryStats_Args> sized{};
  PJRT_Executable* executable{};
  std::int64_t generated_code_size_in_bytes{};
  std::int64_t argument_size_in_bytes{};
  std::int64_t output_size_in_bytes{};
  std::int64_t alias_size_in_bytes{};
  std::int64_t temp_size_in_bytes{};
  std::int64_t host_generated_code_size_in_bytes{};
  std::int64_t host_argument_size_in_bytes{};
  std::int64_t host_output_size_in_bytes{};
  std::int64_t host_alias_size_in_bytes{};
  std::int64_t host_temp_size_in_bytes{};
  std::int64_t peak_memory_in_bytes{};
  std::int64_t total_size_in_bytes{};
  std::int64_t total_allocation_bytes{};
  std::int64_t indefinite_allocations{};
  std::int64_t peak_unpadded_heap_bytes{};
};

struct PJRT_ExecuteContext_Create_Args {
  Sized<PJRT_ExecuteContext_Create_Args> sized{};
  PJRT_ExecuteContext* context{};
};

struct PJRT_ExecuteContext_Destroy_Args {
  Sized<PJRT_ExecuteContext_Destroy_Args> sized{};
  PJRT_ExecuteContext* context{};
};

struct PJRT_LoadedExecutable_GetDeviceAssignment_Args {
  Sized<PJRT_LoadedExecutable_GetDeviceAssignment_Args> sized{};
  PJRT_LoadedExecutable* executable{};
  const char* serialized_bytes{};
  std::size_t serialized_bytes_size{};
  PJRT_SerializedDeviceAssignment* serialized_device_assignment{};
  void (*serialized_device_assignment_deleter)(PJRT_SerializedDeviceAssignment* serialized){};
};

struct PJRT_Executable_GetCompileOptions_Args {
  Sized<PJRT_Executable_GetCompileOptions_Args> sized{};
  PJRT_Executable* executable{};
  const char* serialized_bytes{};
  std::size_t serialized_bytes_size{};
  PJRT_SerializedCompileOptions* serialized_compile_options{};
  void (*serialized_compile_options_deleter)(PJRT_SerializedCompileOptions* serialized){};
};

struct PJRT_LoadedExecutable_AddressableDeviceLogicalIds_Args {
  Sized<PJRT_LoadedExecutable_AddressableDeviceLogicalIds_Args> sized{};
  PJRT_LoadedExecutable* executable{};
  PJRT_LogicalDeviceIds* addressable_device_logical_ids{};
  std::size_t num_addressable_device_logical_ids{};
};

struct PJRT_Executable_ParameterMemoryKinds_Args {
  Sized<PJRT_Executable_ParameterMemoryKinds_Args> sized{};
  PJRT_Executable* executable{};
  std::size_t num_parameters{};
  const char* const* memory_kinds{};
  const std::size_t* memory_kind_sizes{};
};

}  // namespace assay::pjrt
