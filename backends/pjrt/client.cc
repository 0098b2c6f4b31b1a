#include "backends/pjrt/client.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <vector>

#include "backends/pjrt/buffer_types.h"
#include "backends/pjrt/buffers.h"
#include "backends/pjrt/client_options.h"
#include "backends/pjrt/executable.h"
#include "backends/pjrt/xla_passes.h"
#include "backends/process/temporary_folder.h"
#include "interpreter/hlo/parser.h"

namespace assay::pjrt {
namespace {

// Returns settings for XLA's own compilers; others need not know their names. JAX has the first one too: minimum and
// maximum lose NaNs by default. The second one keeps XLA from dividing a module that is what each partition runs: the
// partitioner refuses or aborts on some of these, even where every sharding is manual.
std::vector<CompilerSetting> SettingsForXla(std::string_view platform, const HloModule& module) {
  std::vector<CompilerSetting> settings;
  if (platform == "cpu") settings.push_back({"xla_cpu_enable_fast_min_max", "false"});
  if (platform == "cuda" || platform == "rocm") settings.push_back({"xla_gpu_enable_fast_min_max", "false"});
  if (IsXlaPlatform(platform) && module.num_partitions > 1) {
    settings.push_back({"xla_disable_hlo_passes", "sharding-propagation,spmd-partitioning"});
  }
  return settings;
}

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
  void SetOptions(CompilerOptions options) override { options_ = std::move(options); }
  Result<CompilerTrace> Trace(const HloModule& module) override;

 private:
  std::vector<CompilerSetting> SettingsFor(const HloModule& module) const;
  Status FindDevices();
  Status Describe(const std::string& file);
  ProgramFormat FindFormat() const;

  Host host_;
  std::string platform_;
  std::vector<CompilerSetting> settings_;  // of the command line
  CompilerOptions options_;
  BackendDescription description_;
};

Status PluginBackend::Open(const std::string& file, const ClientOptions& options) {
  const std::vector<PJRT_NamedValue> values = options.Values();
  PJRT_Client_Create_Args args = {.create_options = values.data(), .num_options = values.size()};
  ASSAY_CHECK_OK(ASSAY_PJRT_CALL(host_.plugin, PJRT_Client_Create, args));
  if (args.client == nullptr) return Error{ErrorCode::kBackend, "PJRT_Client_Create returned no client"};
  host_.client = args.client;
  ASSAY_CHECK_OK(FindDevices());
  ASSAY_CHECK_OK(Describe(file));
  settings_ = options.compiler_settings();
  host_.format = options.format() ? *options.format() : FindFormat();
  if (host_.format == ProgramFormat::kMlir) {
    description_.version += ", mlir";
    description_.verification = Verification::kNone;  // no illegal module can be written
  }
  return {};
}

Status PluginBackend::FindDevices() {
  PJRT_Client_AddressableDevices_Args found = {.client = host_.client};
  ASSAY_CHECK_OK(ASSAY_PJRT_CALL(host_.plugin, PJRT_Client_AddressableDevices, found));
  if (found.addressable_devices == nullptr || found.num_addressable_devices == 0) {
    return Error{ErrorCode::kBackend, "its client has no devices"};
  }
  host_.devices.assign(found.addressable_devices, found.addressable_devices + found.num_addressable_devices);
  for (PJRT_Device* device : host_.devices) {
    PJRT_Device_GetDescription_Args description = {.device = device};
    ASSAY_CHECK_OK(ASSAY_PJRT_CALL(host_.plugin, PJRT_Device_GetDescription, description));
    PJRT_DeviceDescription_Id_Args id = {.device_description = description.device_description};
    ASSAY_CHECK_OK(ASSAY_PJRT_CALL(host_.plugin, PJRT_DeviceDescription_Id, id));
    host_.device_ids.push_back(id.id);
  }
  return {};
}

Status PluginBackend::Describe(const std::string& file) {
  PJRT_Client_PlatformName_Args platform = {.client = host_.client};
  ASSAY_CHECK_OK(ASSAY_PJRT_CALL(host_.plugin, PJRT_Client_PlatformName, platform));
  PJRT_Client_PlatformVersion_Args version = {.client = host_.client};
  ASSAY_CHECK_OK(ASSAY_PJRT_CALL(host_.plugin, PJRT_Client_PlatformVersion, version));
  const std::string_view text = TextOf(version.platform_version, version.platform_version_size);
  description_.name = std::filesystem::path(file).stem().string();
  platform_ = TextOf(platform.platform_name, platform.platform_name_size);
  description_.version =
      fmt::format("{} {}, PJRT {}", platform_, text.substr(0, text.find('\n')), host_.plugin.Version());
  description_.max_devices = static_cast<int>(host_.devices.size());
  description_.takes_options = IsXlaPlatform(platform_);
  description_.types = TypesOfVersion(host_.plugin.minor_version());
  description_.verification = Verification::kItsOwn;
  return {};
}

// Returns mlir for a plugin that refuses the format hlo when it gets a module of one constant.
ProgramFormat PluginBackend::FindFormat() const {
  const auto constant = ParseHloModule("HloModule constant\nENTRY e {\n  ROOT r = pred[] constant(false)\n}\n");
  const auto compiled = CompileForPlugin(host_, **constant, SettingsFor(**constant));
  const bool refuses = !compiled && RefusesFormat(compiled.error().message, ProgramFormat::kHlo);
  return refuses ? ProgramFormat::kMlir : ProgramFormat::kHlo;
}

// If a setting occurs twice, the later one counts.
std::vector<CompilerSetting> PluginBackend::SettingsFor(const HloModule& module) const {
  std::vector<CompilerSetting> settings = SettingsForXla(platform_, module);
  std::ranges::copy(settings_, std::back_inserter(settings));
  std::ranges::copy(options_.settings, std::back_inserter(settings));
  DisablePasses(options_.disabled_passes, settings);
  return settings;
}

Result<std::unique_ptr<Executable>> PluginBackend::Compile(const HloModule& module) {
  return CompileForPlugin(host_, module, SettingsFor(module));
}

Result<CompilerTrace> PluginBackend::Trace(const HloModule& module) {
  if (!description_.takes_options) return Backend::Trace(module);
  const TemporaryFolder folder;
  if (folder.path().empty()) return Error{ErrorCode::kIo, "no folder can be made for what the passes do"};
  std::vector<CompilerSetting> settings = SettingsFor(module);
  std::ranges::copy(DumpTo(folder.path()), std::back_inserter(settings));
  ASSAY_CHECK_OK(CompileForPlugin(host_, module, settings));
  CompilerTrace trace;
  ASSAY_TRY(trace.passes, ReadDumps(folder.path()));
  trace.settings = SettingsToTry(platform_);
  return trace;
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
