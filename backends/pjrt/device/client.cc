// The plugin, its client and the client's topology.
#include <fmt/format.h>

#include "backends/pjrt/device/functions.h"
#include "backends/pjrt/device/host_callbacks.h"
#include "backends/pjrt/device/objects.h"
#include "interpreter/types/version.h"

namespace assay::pjrt {
namespace {

// The versions of StableHLO that the readers know. A framework sends the older of its own and the current one.
constexpr std::int64_t kCurrentStableHlo[] = {1, 22, 0};
constexpr std::int64_t kMinimumStableHlo[] = {0, 9, 0};
constexpr std::int64_t kXlaVersion = 2;

PJRT_NamedValue IntegersAttribute(std::string_view name, std::span<const std::int64_t> values) {
  return {.name = name.data(),
          .name_size = name.size(),
          .type = PJRT_NamedValue_kInt64List,
          .int64_array_value = values.data(),
          .value_size = values.size()};
}

PJRT_NamedValue IntegerAttribute(std::string_view name, std::int64_t value) {
  return {.name = name.data(),
          .name_size = name.size(),
          .type = PJRT_NamedValue_kInt64,
          .int64_value = value,
          .value_size = 1};
}

std::string DeviceText(int id) { return fmt::format("AssayDevice(id={})", id); }

}  // namespace

PJRT_TopologyDescription::PJRT_TopologyDescription(const ClientOptions& with, bool of_client)
    : options(with), is_of_client(of_client) {
  for (int id = 0; id < options.num_devices; ++id) devices.push_back({id, DeviceText(id), DeviceText(id)});
  for (PJRT_DeviceDescription& device : devices) device_pointers.push_back(&device);
}

PJRT_Client::PJRT_Client(ClientOptions with, std::unique_ptr<Backend> backend)
    : options(std::move(with)), engine(std::move(backend)), topology(options, /*of_client=*/true) {
  for (int id = 0; id < options.num_devices; ++id) {
    auto device = std::make_unique<PJRT_Device>();
    device->client = this;
    device->description = {id, DeviceText(id), DeviceText(id)};
    for (std::size_t kind = 0; kind < kMemoryKinds.size(); ++kind) {
      PJRT_Memory& memory = device->memories[kind];
      memory.id = static_cast<int>(memory_pointers.size());
      memory.kind = kind;
      memory.text = memory.debug_text = fmt::format("AssayMemory(device={}, kind={})", id, kMemoryKinds[kind]);
      memory.device = device.get();
      device->memory_pointers.push_back(&memory);
      memory_pointers.push_back(&memory);
    }
    device_pointers.push_back(device.get());
    devices.push_back(std::move(device));
  }
}

PJRT_Device* PJRT_Client::FindDevice(std::int64_t id) const {
  return id < 0 || id >= std::ssize(devices) ? nullptr : device_pointers[static_cast<std::size_t>(id)];
}

Result<std::unique_ptr<Backend>> OpenEngine(const ClientOptions& options) {
  constexpr double kNoLimit = 1e9;  // seconds: the engines are in this process, and keep to their own limits
  return OpenBackend(options.engine, kNoLimit);
}

Status Plugin_Initialize(PJRT_Plugin_Initialize_Args&) { return RegisterHostCallbacks(); }

Status Plugin_Attributes(PJRT_Plugin_Attributes_Args& args) {
  static const PJRT_NamedValue attributes[] = {IntegersAttribute("stablehlo_current_version", kCurrentStableHlo),
                                               IntegersAttribute("stablehlo_minimum_version", kMinimumStableHlo),
                                               IntegerAttribute("xla_version", kXlaVersion)};
  args.attributes = attributes;
  args.num_attributes = std::size(attributes);
  return {};
}

Status Client_Create(PJRT_Client_Create_Args& args) {
  ASSAY_TRY(ClientOptions options, ClientOptions::Read({args.create_options, args.num_options}));
  ASSAY_TRY(std::unique_ptr<Backend> engine, OpenEngine(options));
  args.client = new PJRT_Client(std::move(options), std::move(engine));
  return {};
}

void Client_Destroy(PJRT_Client_Destroy_Args& args) { delete args.client; }

void Client_PlatformName(PJRT_Client_PlatformName_Args& args) {
  SetList(kPlatformName, args.platform_name, args.platform_name_size);
}

Status Client_PlatformVersion(PJRT_Client_PlatformVersion_Args& args) {
  const std::string_view version = kVersion;
  args.platform_version = version.data();
  args.platform_version_size = version.size();
  return {};
}

void Client_ProcessIndex(PJRT_Client_ProcessIndex_Args& args) { args.process_index = 0; }

void Client_Devices(PJRT_Client_Devices_Args& args) {
  SetList(args.client->device_pointers, args.devices, args.num_devices);
}

void Client_AddressableDevices(PJRT_Client_AddressableDevices_Args& args) {
  SetList(args.client->device_pointers, args.addressable_devices, args.num_addressable_devices);
}

Status Client_LookupDevice(PJRT_Client_LookupDevice_Args& args) {
  args.device = args.client->FindDevice(args.id);
  if (args.device != nullptr) return {};
  return Error{ErrorCode::kInput, fmt::format("there is no device {}: the client has {}, from 0 on", args.id,
                                              args.client->devices.size())};
}

Status Client_LookupAddressableDevice(PJRT_Client_LookupAddressableDevice_Args& args) {
  PJRT_Client_LookupDevice_Args lookup = {.client = args.client, .id = args.local_hardware_id};
  ASSAY_CHECK_OK(Client_LookupDevice(lookup));
  args.addressable_device = lookup.device;
  return {};
}

void Client_AddressableMemories(PJRT_Client_AddressableMemories_Args& args) {
  SetList(args.client->memory_pointers, args.addressable_memories, args.num_addressable_memories);
}

Status Client_DefaultDeviceAssignment(PJRT_Client_DefaultDeviceAssignment_Args& args) {
  const std::int64_t devices = std::int64_t{args.num_replicas} * args.num_partitions;
  if (args.num_replicas < 1 || args.num_partitions < 1 || devices > std::ssize(args.client->devices) ||
      devices > static_cast<std::int64_t>(args.default_assignment_size)) {
    return Error{ErrorCode::kInput,
                 fmt::format("{} replicas of {} partitions need as many devices, and the client has {}",
                             args.num_replicas, args.num_partitions, args.client->devices.size())};
  }
  for (int i = 0; i < devices; ++i) args.default_assignment[i] = i;
  return {};
}

void Client_TopologyDescription(PJRT_Client_TopologyDescription_Args& args) { args.topology = &args.client->topology; }

Status TopologyDescription_Create(PJRT_TopologyDescription_Create_Args& args) {
  ASSAY_TRY(const ClientOptions options, ClientOptions::Read({args.create_options, args.num_options}));
  args.topology = new PJRT_TopologyDescription(options, /*of_client=*/false);
  return {};
}

// A client owns its topology.
Status TopologyDescription_Destroy(PJRT_TopologyDescription_Destroy_Args& args) {
  if (!args.topology->is_of_client) delete args.topology;
  return {};
}

void TopologyDescription_PlatformName(PJRT_TopologyDescription_PlatformName_Args& args) {
  SetList(kPlatformName, args.platform_name, args.platform_name_size);
}

Status TopologyDescription_PlatformVersion(PJRT_TopologyDescription_PlatformVersion_Args& args) {
  const std::string_view version = kVersion;
  args.platform_version = version.data();
  args.platform_version_size = version.size();
  return {};
}

void TopologyDescription_GetDeviceDescriptions(PJRT_TopologyDescription_GetDeviceDescriptions_Args& args) {
  SetList(args.topology->device_pointers, args.descriptions, args.num_descriptions);
}

void TopologyDescription_Attributes(PJRT_TopologyDescription_Attributes_Args& args) {
  args.attributes = nullptr;
  args.num_attributes = 0;
}

void TopologyDescription_Fingerprint(PJRT_TopologyDescription_Fingerprint_Args& args) {
  args.fingerprint = std::hash<std::string_view>()(kVersion) + args.topology->devices.size();
}

}  // namespace assay::pjrt
