#include "backends/pjrt/client.h"

#include <fmt/format.h>

#include <filesystem>
#include <span>
#include <vector>

#include "backends/pjrt/buffers.h"
#include "backends/pjrt/client_options.h"
#include "backends/pjrt/executable.h"

namespace assay::pjrt {
namespace {

class PluginBackend final : public Backend {
 public:
  explicit PluginBackend(const Plugin& plugin) : host_{plugin} {}
  PluginBackend(const PluginBackend&) = delete;
  PluginBackend& operator=(const PluginBackend&) = delete;
  ~PluginBackend() override {
    if (host_.client != nullptr) Destroyer{&host_.plugin}(host_.client);
  }

  Status Open(const std::string& file, const ClientOptions& options);
  const BackendDescription& description() const override { return description_; }
  Result<std::unique_ptr<Executable>> Compile(const HloModule& module) override;

 private:
  Status FindDevices();
  Status Describe(const std::string& file);

  Host host_;
  std::vector<PJRT_Device*> devices_;
  std::vector<std::int64_t> device_ids_;
  BackendDescription description_;
};

Status PluginBackend::Open(const std::string& file, const ClientOptions& options) {
  const std::vector<PJRT_NamedValue> values = options.Values();
  PJRT_Client_Create_Args args = {.create_options = values.data(), .num_options = values.size()};
  ASSAY_CHECK_OK(ASSAY_PJRT_CALL(host_.plugin, PJRT_Client_Create, args));
  host_.client = args.client;
  ASSAY_CHECK_OK(FindDevices());
  return Describe(file);
}

Status PluginBackend::FindDevices() {
  PJRT_Client_AddressableDevices_Args found = {.client = host_.client};
  ASSAY_CHECK_OK(ASSAY_PJRT_CALL(host_.plugin, PJRT_Client_AddressableDevices, found));
  devices_.assign(found.addressable_devices, found.addressable_devices + found.num_addressable_devices);
  if (devices_.empty()) return Error{ErrorCode::kBackend, "its client has no devices"};
  for (PJRT_Device* device : devices_) {
    PJRT_Device_GetDescription_Args description = {.device = device};
    ASSAY_CHECK_OK(ASSAY_PJRT_CALL(host_.plugin, PJRT_Device_GetDescription, description));
    PJRT_DeviceDescription_Id_Args id = {.device_description = description.device_description};
    ASSAY_CHECK_OK(ASSAY_PJRT_CALL(host_.plugin, PJRT_DeviceDescription_Id, id));
    device_ids_.push_back(id.id);
  }
  return {};
}

Status PluginBackend::Describe(const std::string& file) {
  PJRT_Client_PlatformName_Args platform = {.client = host_.client};
  ASSAY_CHECK_OK(ASSAY_PJRT_CALL(host_.plugin, PJRT_Client_PlatformName, platform));
  PJRT_Client_PlatformVersion_Args version = {.client = host_.client};
  ASSAY_CHECK_OK(ASSAY_PJRT_CALL(host_.plugin, PJRT_Client_PlatformVersion, version));
  const std::string_view text(version.platform_version, version.platform_version_size);
  description_.name = std::filesystem::path(file).stem().string();
  description_.version =
      fmt::format("{} {}, PJRT {}", std::string_view(platform.platform_name, platform.platform_name_size),
                  text.substr(0, text.find('\n')), host_.plugin.Version());
  description_.max_devices = static_cast<int>(devices_.size());
  description_.verification = Verification::kNone;
  return {};
}

Result<std::unique_ptr<Executable>> PluginBackend::Compile(const HloModule& module) {
  const std::span<PJRT_Device* const> devices(devices_.data(), static_cast<std::size_t>(module.device_count()));
  return CompileForPlugin(host_, module, devices, device_ids_);
}

}  // namespace

Result<std::unique_ptr<Backend>> OpenPlugin(const std::string& file, std::string_view options) {
  ASSAY_TRY(const ClientOptions client_options, ClientOptions::Parse(options));
  ASSAY_TRY(const Plugin plugin, Plugin::Load(file));
  auto backend = std::make_unique<PluginBackend>(plugin);
  if (const Status opened = backend->Open(file, client_options); !opened) {
    return Error{ErrorCode::kBackend, fmt::format("the plugin {} cannot be used: {}", file, opened.error().message)};
  }
  return std::unique_ptr<Backend>(std::move(backend));
}

}  // namespace assay::pjrt
