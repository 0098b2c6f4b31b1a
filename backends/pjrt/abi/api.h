// The table of functions that a plugin's GetPjrtApi returns.
#pragma once

#include "backends/pjrt/abi/buffer_arguments.h"
#include "backends/pjrt/abi/client_arguments.h"
#include "backends/pjrt/abi/device_arguments.h"
#include "backends/pjrt/abi/executable_arguments.h"

namespace assay::pjrt {

struct PJRT_Api_Version {
  std::size_t struct_size = sizeof(PJRT_Api_Version);
  PJRT_Extension_Base* extension_start = nullptr;
  int major_version{};
  int minor_version{};
};

template <class Args>
using Function = PJRT_Error* (*)(Args*);

// The table of functions. Those that neither assay's host calls nor its plugin has are addresses without a type.
struct PJRT_Api {
  std::size_t struct_size = sizeof(PJRT_Api);
  PJRT_Extension_Base* extension_start = nullptr;
  PJRT_Api_Version pjrt_api_version = {};
  void (*PJRT_Error_Destroy)(PJRT_Error_Destroy_Args*){};
  void (*PJRT_Error_Message)(PJRT_Error_Message_Args*){};
  Function<PJRT_Error_GetCode_Args> PJRT_Error_GetCode{};
  Function<PJRT_Plugin_Initialize_Args> PJRT_Plugin_Initialize{};
  Function<PJRT_Plugin_Attributes_Args> PJRT_Plugin_Attributes{};
  Function<PJRT_Event_Destroy_Args> PJRT_Event_Destroy{};
  Function<PJRT_Event_IsReady_Args> PJRT_Event_IsReady{};
  Function<PJRT_Event_Error_Args> PJRT_Event_Error{};
  Function<PJRT_Event_Await_Args> PJRT_Event_Await{};
  Function<PJRT_Event_OnReady_Args> PJRT_Event_OnReady{};
  Function<PJRT_Client_Create_Args> PJRT_Client_Create{};
  Function<PJRT_Client_Destroy_Args> PJRT_Client_Destroy{};
  Function<PJRT_Client_PlatformName_Args> PJRT_Client_PlatformName{};
  Function<PJRT_Client_ProcessIndex_Args> PJRT_Client_ProcessIndex{};
  Function<PJRT_Client_PlatformVersion_Args> PJRT_Client_PlatformVersion{};
  Function<PJRT_Client_Devices_Args> PJRT_Client_Devices{};
  Function<PJRT_Client_AddressableDevices_Args> PJRT_Client_AddressableDevices{};
  Function<PJRT_Client_LookupDevice_Args> PJRT_Client_LookupDevice{};
  Function<PJRT_Client_LookupAddressableDevice_Args> PJRT_Client_LookupAddressableDevice{};
  Function<PJRT_Client_AddressableMemories_Args> PJRT_Client_AddressableMemories{};
  Function<PJRT_Client_Compile_Args> PJRT_Client_Compile{};
  Function<PJRT_Client_DefaultDeviceAssignment_Args> PJRT_Client_DefaultDeviceAssignment{};
  Function<PJRT_Client_BufferFromHostBuffer_Args> PJRT_Client_BufferFromHostBuffer{};
  Function<PJRT_DeviceDescription_Id_Args> PJRT_DeviceDescription_Id{};
  Function<PJRT_DeviceDescription_ProcessIndex_Args> PJRT_DeviceDescription_ProcessIndex{};
  Function<PJRT_DeviceDescription_Attributes_Args> PJRT_DeviceDescription_Attributes{};
  Function<PJRT_DeviceDescription_Kind_Args> PJRT_DeviceDescription_Kind{};
  Function<PJRT_DeviceDescription_DebugString_Args> PJRT_DeviceDescription_DebugString{};
  Function<PJRT_DeviceDescription_ToString_Args> PJRT_DeviceDescription_ToString{};
  Function<PJRT_Device_GetDescription_Args> PJRT_Device_GetDescription{};
  Function<PJRT_Device_IsAddressable_Args> PJRT_Device_IsAddressable{};
  Function<PJRT_Device_LocalHardwareId_Args> PJRT_Device_LocalHardwareId{};
  Function<PJRT_Device_AddressableMemories_Args> PJRT_Device_AddressableMemories{};
  Function<PJRT_Device_DefaultMemory_Args> PJRT_Device_DefaultMemory{};
  Function<PJRT_Device_MemoryStats_Args> PJRT_Device_MemoryStats{};
  Function<PJRT_Memory_Id_Args> PJRT_Memory_Id{};
  Function<PJRT_Memory_Kind_Args> PJRT_Memory_Kind{};
  Function<PJRT_Memory_DebugString_Args> PJRT_Memory_DebugString{};
  Function<PJRT_Memory_ToString_Args> PJRT_Memory_ToString{};
  Function<PJRT_Memory_AddressableByDevices_Args> PJRT_Memory_AddressableByDevices{};
  Function<PJRT_Executable_Destroy_Args> PJRT_Executable_Destroy{};
  Function<PJRT_Executable_Name_Args> PJRT_Executable_Name{};
  Function<PJRT_Executable_NumReplicas_Args> PJRT_Executable_NumReplicas{};
  Function<PJRT_Executable_NumPartitions_Args> PJRT_Executable_NumPartitions{};
  Function<PJRT_Executable_NumOutputs_Args> PJRT_Executable_NumOutputs{};
  Function<PJRT_Executable_SizeOfGeneratedCodeInBytes_Args> PJRT_Executable_SizeOfGeneratedCodeInBytes{};
  Function<PJRT_Executable_GetCostAnalysis_Args> PJRT_Executable_GetCostAnalysis{};
  Function<PJRT_Executable_OutputMemoryKinds_Args> PJRT_Executable_OutputMemoryKinds{};
  Function<PJRT_Executable_OptimizedProgram_Args> PJRT_Executable_OptimizedProgram{};
  Function<PJRT_Executable_Serialize_Args> PJRT_Executable_Serialize{};
  Function<PJRT_LoadedExecutable_Destroy_Args> PJRT_LoadedExecutable_Destroy{};
  Function<PJRT_LoadedExecutable_GetExecutable_Args> PJRT_LoadedExecutable_GetExecutable{};
  Function<PJRT_LoadedExecutable_AddressableDevices_Args> PJRT_LoadedExecutable_AddressableDevices{};
  Function<PJRT_LoadedExecutable_Delete_Args> PJRT_LoadedExecutable_Delete{};
  Function<PJRT_LoadedExecutable_IsDeleted_Args> PJRT_LoadedExecutable_IsDeleted{};
  Function<PJRT_LoadedExecutable_Execute_Args> PJRT_LoadedExecutable_Execute{};
  Function<PJRT_Executable_DeserializeAndLoad_Args> PJRT_Executable_DeserializeAndLoad{};
  Function<PJRT_LoadedExecutable_Fingerprint_Args> PJRT_LoadedExecutable_Fingerprint{};
  Function<PJRT_Buffer_Destroy_Args> PJRT_Buffer_Destroy{};
  Function<PJRT_Buffer_ElementType_Args> PJRT_Buffer_ElementType{};
  Function<PJRT_Buffer_Dimensions_Args> PJRT_Buffer_Dimensions{};
  Function<PJRT_Buffer_UnpaddedDimensions_Args> PJRT_Buffer_UnpaddedDimensions{};
  Function<PJRT_Buffer_DynamicDimensionIndices_Args> PJRT_Buffer_DynamicDimensionIndices{};
  Function<PJRT_Buffer_GetMemoryLayout_Args> PJRT_Buffer_GetMemoryLayout{};
  Function<PJRT_Buffer_OnDeviceSizeInBytes_Args> PJRT_Buffer_OnDeviceSizeInBytes{};
  Function<PJRT_Buffer_Device_Args> PJRT_Buffer_Device{};
  Function<PJRT_Buffer_Memory_Args> PJRT_Buffer_Memory{};
  Function<PJRT_Buffer_Delete_Args> PJRT_Buffer_Delete{};
  Function<PJRT_Buffer_IsDeleted_Args> PJRT_Buffer_IsDeleted{};
  Function<PJRT_Buffer_CopyToDevice_Args> PJRT_Buffer_CopyToDevice{};
  Function<PJRT_Buffer_ToHostBuffer_Args> PJRT_Buffer_ToHostBuffer{};
  Function<PJRT_Buffer_IsOnCpu_Args> PJRT_Buffer_IsOnCpu{};
  Function<PJRT_Buffer_ReadyEvent_Args> PJRT_Buffer_ReadyEvent{};
  Function<PJRT_Buffer_UnsafePointer_Args> PJRT_Buffer_UnsafePointer{};
  Function<PJRT_Buffer_IncreaseExternalReferenceCount_Args> PJRT_Buffer_IncreaseExternalReferenceCount{};
  Function<PJRT_Buffer_DecreaseExternalReferenceCount_Args> PJRT_Buffer_DecreaseExternalReferenceCount{};
  Function<PJRT_Buffer_OpaqueDeviceMemoryDataPointer_Args> PJRT_Buffer_OpaqueDeviceMemoryDataPointer{};
  void* PJRT_CopyToDeviceStream_Destroy{};
  void* PJRT_CopyToDeviceStream_AddChunk{};
  void* PJRT_CopyToDeviceStream_TotalBytes{};
  void* PJRT_CopyToDeviceStream_GranuleSize{};
  void* PJRT_CopyToDeviceStream_CurrentBytes{};
  void* PJRT_TopologyDescription_Create{};
  Function<PJRT_TopologyDescription_Destroy_Args> PJRT_TopologyDescription_Destroy{};
  Function<PJRT_TopologyDescription_PlatformName_Args> PJRT_TopologyDescription_PlatformName{};
  Function<PJRT_TopologyDescription_PlatformVersion_Args> PJRT_TopologyDescription_PlatformVersion{};
  Function<PJRT_TopologyDescription_GetDeviceDescriptions_Args> PJRT_TopologyDescription_GetDeviceDescriptions{};
  void* PJRT_TopologyDescription_Serialize{};
  Function<PJRT_TopologyDescription_Attributes_Args> PJRT_TopologyDescription_Attributes{};
  void* PJRT_Compile{};
  Function<PJRT_Executable_OutputElementTypes_Args> PJRT_Executable_OutputElementTypes{};
  Function<PJRT_Executable_OutputDimensions_Args> PJRT_Executable_OutputDimensions{};
  Function<PJRT_Buffer_CopyToMemory_Args> PJRT_Buffer_CopyToMemory{};
  Function<PJRT_Client_CreateViewOfDeviceBuffer_Args> PJRT_Client_CreateViewOfDeviceBuffer{};
  Function<PJRT_Executable_Fingerprint_Args> PJRT_Executable_Fingerprint{};
  Function<PJRT_Client_TopologyDescription_Args> PJRT_Client_TopologyDescription{};
  Function<PJRT_Executable_GetCompiledMemoryStats_Args> PJRT_Executable_GetCompiledMemoryStats{};
  Function<PJRT_Memory_Kind_Id_Args> PJRT_Memory_Kind_Id{};
  Function<PJRT_ExecuteContext_Create_Args> PJRT_ExecuteContext_Create{};
  Function<PJRT_ExecuteContext_Destroy_Args> PJRT_ExecuteContext_Destroy{};
  Function<PJRT_Buffer_CopyRawToHost_Args> PJRT_Buffer_CopyRawToHost{};
  void* PJRT_AsyncHostToDeviceTransferManager_Destroy{};
  void* PJRT_AsyncHostToDeviceTransferManager_TransferData{};
  void* PJRT_Client_CreateBuffersForAsyncHostToDevice{};
  void* PJRT_AsyncHostToDeviceTransferManager_RetrieveBuffer{};
  void* PJRT_AsyncHostToDeviceTransferManager_Device{};
  void* PJRT_AsyncHostToDeviceTransferManager_BufferCount{};
  void* PJRT_AsyncHostToDeviceTransferManager_BufferSize{};
  void* PJRT_AsyncHostToDeviceTransferManager_SetBufferError{};
  void* PJRT_AsyncHostToDeviceTransferManager_AddMetadata{};
  void* PJRT_Client_DmaMap{};
  void* PJRT_Client_DmaUnmap{};
  Function<PJRT_Client_CreateUninitializedBuffer_Args> PJRT_Client_CreateUninitializedBuffer{};
  void* PJRT_Client_UpdateGlobalProcessInfo{};
  void* PJRT_TopologyDescription_Deserialize{};
  void* PJRT_Client_CreateAliasBuffer{};
  void* PJRT_Client_FulfillAliasBuffer{};
  Function<PJRT_LoadedExecutable_GetDeviceAssignment_Args> PJRT_LoadedExecutable_GetDeviceAssignment{};
  void* PJRT_Client_CreateErrorBuffer{};
  void* PJRT_AsyncHostToDeviceTransferManager_TransferLiteral{};
  void* PJRT_Buffer_CopyRawToHostFuture{};
  void* PJRT_Device_PoisonExecution{};
  void* PJRT_Device_CreateAsyncTrackingEvent{};
  void* PJRT_AsyncTrackingEvent_Destroy{};
  Function<PJRT_Executable_GetCompileOptions_Args> PJRT_Executable_GetCompileOptions{};
  void* PJRT_Buffer_DonateWithControlDependency{};
  void* PJRT_Event_Create{};
  void* PJRT_Event_Set{};
  Function<PJRT_Device_GetAttributes_Args> PJRT_Device_GetAttributes{};
  void* PJRT_Client_Load{};
  Function<PJRT_LoadedExecutable_AddressableDeviceLogicalIds_Args> PJRT_LoadedExecutable_AddressableDeviceLogicalIds{};
  void* PJRT_Buffer_Bitcast{};
  Function<PJRT_Error_ForEachPayload_Args> PJRT_Error_ForEachPayload{};
  Function<PJRT_TopologyDescription_Fingerprint_Args> PJRT_TopologyDescription_Fingerprint{};
  Function<PJRT_Executable_ParameterMemoryKinds_Args> PJRT_Executable_ParameterMemoryKinds{};
  void* PJRT_Device_ClearMemoryStats{};
  void* PJRT_TopologyDescription_MakeCanonicalShapeForMemorySpace{};
  void* PJRT_TopologyDescription_GetMemorySpaceKindIds{};
};

}  // namespace assay::pjrt
