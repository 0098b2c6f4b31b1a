#include "backends/pjrt/plugin.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <filesystem>

namespace assay::pjrt {
namespace {

constexpr std::array<std::string_view, 17> kStatusNames = {
    "OK",        "CANCELLED",       "UNKNOWN",           "INVALID_ARGUMENT",   "DEADLINE_EXCEEDED",
    "NOT_FOUND", "ALREADY_EXISTS",  "PERMISSION_DENIED", "RESOURCE_EXHAUSTED", "FAILED_PRECONDITION",
    "ABORTED",   "OUT_OF_RANGE",    "UNIMPLEMENTED",     "INTERNAL",           "UNAVAILABLE",
    "DATA_LOSS", "UNAUTHENTICATED",
};

// Messages of XLA that mean UNIMPLEMENTED under another code; backends/adapters/xla_peers/session.py has the same list.
constexpr std::string_view kUnsupportedMessages[] = {
    "UNIMPLEMENTED",
    "No registered implementation",
    "Unknown opcode",
    "Unexpected bitcast",
    "Unsupported",
    "is currently only supported",
    "Cannot convert a token-shape buffer",
    "splitted and combined is not supported",
    "No FFI handler registered",
    "Non-byte-aligned dimension",
    "Invalid type for triangular solve",
    "No supported configs found",
    "failed to find supported configs",
    "Is called on unsupported shape",
    "is not supported by cublasLt",
    "Algorithm field set to",
    "OpDynamismSupport::kNoSupport",
};

// XLA's end of an error about the size of a struct: the plugin's has more fields than ours.
constexpr std::string_view kVersionsDiffer = "Check installed software versions";

constexpr std::size_t kLongestText = 1 << 16;
// The functions of this version have another order: 0.56 put a new one between them, and 0.57 moved it to the end.
constexpr int kReorderedMinorVersion = 56;

std::string StatusName(PJRT_Error_Code code) {
  const auto number = static_cast<std::size_t>(code);
  return number < kStatusNames.size() ? std::string(kStatusNames[number]) : fmt::format("error code {}", number);
}

Error CannotBeUsed(const std::string& file, std::string_view reason) {
  return {ErrorCode::kBackend, fmt::format("the plugin {} cannot be used: {}", file, reason)};
}

}  // namespace

Result<Plugin> Plugin::Open(const std::string& file) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(file, error)) return CannotBeUsed(file, "there is no such file");
  // With a slash, so that the loader does not search for it.
  void* const library = dlopen(std::filesystem::absolute(file, error).c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) return CannotBeUsed(file, dlerror());
  const auto get_api = reinterpret_cast<const PJRT_Api* (*)()>(dlsym(library, "GetPjrtApi"));
  if (get_api == nullptr) return CannotBeUsed(file, "it is no PJRT plugin: it has no function GetPjrtApi");
  const PJRT_Api* const api = get_api();
  if (api == nullptr) return CannotBeUsed(file, "its GetPjrtApi returns no table of functions");
  const Plugin plugin(api);
  ASSAY_CHECK_OK(plugin.CheckVersion(file));
  return plugin;
}

Result<Plugin> Plugin::Load(const std::string& file) {
  ASSAY_TRY(const Plugin plugin, Open(file));
  PJRT_Plugin_Initialize_Args args;
  if (const Status done = ASSAY_PJRT_CALL(plugin, PJRT_Plugin_Initialize, args); !done) {
    return CannotBeUsed(file, done.error().message);
  }
  return plugin;
}

std::string Plugin::Version() const {
  return fmt::format("{}.{}", api_->pjrt_api_version.major_version, api_->pjrt_api_version.minor_version);
}

Status Plugin::CheckVersion(const std::string& file) const {
  if (api_->sized.struct_size < offsetof(PJRT_Api, PJRT_Error_Destroy)) {
    return CannotBeUsed(file, fmt::format("its table of functions must have at least {} bytes, found {}",
                                          offsetof(PJRT_Api, PJRT_Error_Destroy), api_->sized.struct_size));
  }
  const PJRT_Api_Version& version = api_->pjrt_api_version;
  if (version.major_version == kMajorVersion && version.minor_version >= kOldestMinorVersion) {
    if (version.minor_version != kReorderedMinorVersion) return {};
    return CannotBeUsed(file, "its version of PJRT is 0.56, whose functions have an order of their own");
  }
  return CannotBeUsed(
      file, fmt::format("its version of PJRT is {}, and assay's host of version {}.{} takes {}.{} and later", Version(),
                        kMajorVersion, kMinorVersion, kMajorVersion, kOldestMinorVersion));
}

bool Plugin::Has(const void* entry) const {
  const auto place = static_cast<const std::byte*>(entry) - reinterpret_cast<const std::byte*>(api_);
  return static_cast<std::size_t>(place) + sizeof(void*) <= api_->sized.struct_size;
}

Error Plugin::Missing(std::string_view name) const {
  return {ErrorCode::kInput, fmt::format("the plugin, of PJRT {}, has no function {}", Version(), name)};
}

Status Plugin::StatusFrom(PJRT_Error* error, std::string_view name) const {
  if (error == nullptr) return {};
  PJRT_Error_GetCode_Args code = {.error = error, .code = PJRT_Error_Code_UNKNOWN};
  PJRT_Error_Message_Args message = {.error = error};
  if (Has(&api_->PJRT_Error_GetCode) && api_->PJRT_Error_GetCode != nullptr) api_->PJRT_Error_GetCode(&code);
  if (Has(&api_->PJRT_Error_Message) && api_->PJRT_Error_Message != nullptr) api_->PJRT_Error_Message(&message);
  const std::string text(TextOf(message.message, message.message_size));
  PJRT_Error_Destroy_Args destroy = {.error = error};
  if (Has(&api_->PJRT_Error_Destroy) && api_->PJRT_Error_Destroy != nullptr) api_->PJRT_Error_Destroy(&destroy);
  const bool lacks = code.code == PJRT_Error_Code_UNIMPLEMENTED || text.find(kVersionsDiffer) != std::string::npos ||
                     std::ranges::any_of(kUnsupportedMessages,
                                         [&](std::string_view part) { return text.find(part) != std::string::npos; });
  return Error{lacks ? ErrorCode::kUnsupported : ErrorCode::kInput,
               fmt::format("{}: {}: {}", name, StatusName(code.code), text.empty() ? "no message" : text)};
}

void Destroyer::operator()(PJRT_Buffer* buffer) const {
  PJRT_Buffer_Destroy_Args args = {.buffer = buffer};
  (void)ASSAY_PJRT_CALL(*plugin, PJRT_Buffer_Destroy, args);
}

void Destroyer::operator()(PJRT_Client* client) const {
  PJRT_Client_Destroy_Args args = {.client = client};
  (void)ASSAY_PJRT_CALL(*plugin, PJRT_Client_Destroy, args);
}

void Destroyer::operator()(PJRT_Event* event) const {
  PJRT_Event_Destroy_Args args = {.event = event};
  (void)ASSAY_PJRT_CALL(*plugin, PJRT_Event_Destroy, args);
}

void Destroyer::operator()(PJRT_Executable* executable) const {
  PJRT_Executable_Destroy_Args args = {.executable = executable};
  (void)ASSAY_PJRT_CALL(*plugin, PJRT_Executable_Destroy, args);
}

void Destroyer::operator()(PJRT_LoadedExecutable* executable) const {
  PJRT_LoadedExecutable_Destroy_Args args = {.executable = executable};
  (void)ASSAY_PJRT_CALL(*plugin, PJRT_LoadedExecutable_Destroy, args);
}

std::string_view TextOf(const char* text, std::size_t size) {
  return text == nullptr ? std::string_view() : std::string_view(text, std::min(size, kLongestText));
}

Status Await(const Plugin& plugin, PJRT_Event* event) {
  if (event == nullptr) return {};
  const Owned<PJRT_Event> owned(event, Destroyer{&plugin});
  PJRT_Event_Await_Args args = {.event = event};
  return ASSAY_PJRT_CALL(plugin, PJRT_Event_Await, args);
}

}  // namespace assay::pjrt
