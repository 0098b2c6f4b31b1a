// Devices and their memories.
#include "backends/pjrt/device/functions.h"
#include "backends/pjrt/device/objects.h"
#include "interpreter/types/limits.h"

namespace assay::pjrt {

Status DeviceDescription_Id(PJRT_DeviceDescription_Id_Args& args) {
  args.id = args.device_description->id;
  return {};
}

Status DeviceDescription_ProcessIndex(PJRT_DeviceDescription_ProcessIndex_Args& args) {
  args.process_index = 0;
  return {};
}

Status DeviceDescription_Attributes(PJRT_DeviceDescription_Attributes_Args& args) {
  args.attributes = nullptr;
  args.num_attributes = 0;
  return {};
}

Status DeviceDescription_Kind(PJRT_DeviceDescription_Kind_Args& args) {
  args.device_kind = kPlatformName.data();
  args.device_kind_size = kPlatformName.size();
  return {};
}

Status DeviceDescription_DebugString(PJRT_DeviceDescription_DebugString_Args& args) {
  args.debug_string = args.device_description->debug_text.data();
  args.debug_string_size = args.device_description->debug_text.size();
  return {};
}

Status DeviceDescription_ToString(PJRT_DeviceDescription_ToString_Args& args) {
  args.to_string = args.device_description->text.data();
  args.to_string_size = args.device_description->text.size();
  return {};
}

Status Device_GetDescription(PJRT_Device_GetDescription_Args& args) {
  args.device_description = &args.device->description;
  return {};
}

Status Device_IsAddressable(PJRT_Device_IsAddressable_Args& args) {
  args.is_addressable = true;
  return {};
}

Status Device_LocalHardwareId(PJRT_Device_LocalHardwareId_Args& args) {
  args.local_hardware_id = args.device->description.id;
  return {};
}

Status Device_AddressableMemories(PJRT_Device_AddressableMemories_Args& args) {
  args.memories = args.device->memory_pointers.data();
  args.num_memories = args.device->memory_pointers.size();
  return {};
}

Status Device_DefaultMemory(PJRT_Device_DefaultMemory_Args& args) {
  args.memory = args.device->memory_pointers[0];
  return {};
}

// All devices share the memory of the process.
Status Device_MemoryStats(PJRT_Device_MemoryStats_Args& args) {
  args = {.struct_size = args.struct_size, .extension_start = args.extension_start, .device = args.device};
  args.bytes_in_use = MemoryUse::ArrayBytes();
  args.bytes_limit = args.device->client->options.memory_limit;
  args.bytes_limit_is_set = args.bytes_limit > 0;
  return {};
}

Status Device_GetAttributes(PJRT_Device_GetAttributes_Args& args) {
  args.attributes = nullptr;
  args.num_attributes = 0;
  args.device_attributes = nullptr;
  args.attributes_deleter = [](PJRT_Device_Attributes*) {};
  return {};
}

Status Memory_Id(PJRT_Memory_Id_Args& args) {
  args.id = args.memory->id;
  return {};
}

Status Memory_Kind(PJRT_Memory_Kind_Args& args) {
  const std::string_view kind = kMemoryKinds[args.memory->kind];
  args.kind = kind.data();
  args.kind_size = kind.size();
  return {};
}

Status Memory_Kind_Id(PJRT_Memory_Kind_Id_Args& args) {
  args.kind_id = static_cast<int>(args.memory->kind);
  return {};
}

Status Memory_DebugString(PJRT_Memory_DebugString_Args& args) {
  args.debug_string = args.memory->debug_text.data();
  args.debug_string_size = args.memory->debug_text.size();
  return {};
}

Status Memory_ToString(PJRT_Memory_ToString_Args& args) {
  args.to_string = args.memory->text.data();
  args.to_string_size = args.memory->text.size();
  return {};
}

Status Memory_AddressableByDevices(PJRT_Memory_AddressableByDevices_Args& args) {
  args.devices = &args.memory->device;
  args.num_devices = 1;
  return {};
}

}  // namespace assay::pjrt
