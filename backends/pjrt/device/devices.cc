// Devices and their memories.
#include "backends/pjrt/device/functions.h"
#include "backends/pjrt/device/objects.h"
#include "interpreter/types/limits.h"

namespace assay::pjrt {

void DeviceDescription_Id(PJRT_DeviceDescription_Id_Args& args) { args.id = args.device_description->id; }

void DeviceDescription_ProcessIndex(PJRT_DeviceDescription_ProcessIndex_Args& args) { args.process_index = 0; }

void DeviceDescription_Attributes(PJRT_DeviceDescription_Attributes_Args& args) {
  args.attributes = nullptr;
  args.num_attributes = 0;
}

void DeviceDescription_Kind(PJRT_DeviceDescription_Kind_Args& args) {
  SetList(kPlatformName, args.device_kind, args.device_kind_size);
}

void DeviceDescription_DebugString(PJRT_DeviceDescription_DebugString_Args& args) {
  SetList(args.device_description->debug_text, args.debug_string, args.debug_string_size);
}

void DeviceDescription_ToString(PJRT_DeviceDescription_ToString_Args& args) {
  SetList(args.device_description->text, args.to_string, args.to_string_size);
}

void Device_GetDescription(PJRT_Device_GetDescription_Args& args) {
  args.device_description = &args.device->description;
}

void Device_IsAddressable(PJRT_Device_IsAddressable_Args& args) { args.is_addressable = true; }

void Device_LocalHardwareId(PJRT_Device_LocalHardwareId_Args& args) {
  args.local_hardware_id = args.device->description.id;
}

void Device_AddressableMemories(PJRT_Device_AddressableMemories_Args& args) {
  SetList(args.device->memory_pointers, args.memories, args.num_memories);
}

void Device_DefaultMemory(PJRT_Device_DefaultMemory_Args& args) { args.memory = args.device->memory_pointers[0]; }

// All devices share the memory of the process.
void Device_MemoryStats(PJRT_Device_MemoryStats_Args& args) {
  args = {.sized = args.sized, .device = args.device};
  args.bytes_in_use = MemoryUse::ArrayBytes();
  args.bytes_limit = args.device->client->options.memory_limit;
  args.bytes_limit_is_set = args.bytes_limit > 0;
}

void Device_GetAttributes(PJRT_Device_GetAttributes_Args& args) {
  args.attributes = nullptr;
  args.num_attributes = 0;
  args.device_attributes = nullptr;
  args.attributes_deleter = [](PJRT_Device_Attributes*) {};
}

void Memory_Id(PJRT_Memory_Id_Args& args) { args.id = args.memory->id; }

Status Memory_Kind(PJRT_Memory_Kind_Args& args) {
  const std::string_view kind = kMemoryKinds[args.memory->kind];
  args.kind = kind.data();
  args.kind_size = kind.size();
  return {};
}

void Memory_Kind_Id(PJRT_Memory_Kind_Id_Args& args) { args.kind_id = static_cast<int>(args.memory->kind); }

void Memory_DebugString(PJRT_Memory_DebugString_Args& args) {
  SetList(args.memory->debug_text, args.debug_string, args.debug_string_size);
}

void Memory_ToString(PJRT_Memory_ToString_Args& args) {
  SetList(args.memory->text, args.to_string, args.to_string_size);
}

void Memory_AddressableByDevices(PJRT_Memory_AddressableByDevices_Args& args) {
  args.devices = &args.memory->device;
  args.num_devices = 1;
}

}  // namespace assay::pjrt
