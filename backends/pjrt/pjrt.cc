// PJRT plugins as backends. A plugin may abort, hang, print, and leave threads behind: it gets a process of its own,
// which is `assay serve` with this same kind.
#include <fmt/format.h>

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "backends/kind.h"
#include "backends/pjrt/client.h"
#include "backends/process/process.h"

namespace assay {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kHere = "in-process:";

struct PluginName {
  std::string file;
  std::string_view options;  // OPTION=VALUE;...
};

PluginName SplitName(std::string_view argument) {
  const std::size_t colon = argument.find(':');
  const std::string_view options = colon == std::string_view::npos ? "" : argument.substr(colon + 1);
  return {std::string(argument.substr(0, colon)), options};
}

// The program `assay`: this one, or one beside it, or the one on the path.
std::string AssayProgram() {
  std::error_code error;
  const fs::path self = fs::read_symlink("/proc/self/exe", error);
  const fs::path beside = self.parent_path() / "assay";
  return fs::exists(beside, error) ? beside.string() : "assay";
}

Result<std::unique_ptr<Backend>> OpenChild(std::string_view argument, double timeout_seconds) {
  const PluginName name = SplitName(argument);
  std::error_code error;
  const std::string file = fs::absolute(name.file, error).string();
  const std::string backend = fmt::format("pjrt:{}{}:{}", kHere, file, name.options);
  const std::string folder = fs::temp_directory_path(error).string();
  return ProcessBackend::Open({AssayProgram(), "serve", "--backend", backend, "--files", folder}, "", timeout_seconds);
}

}  // namespace

const BackendKind backend_pjrt = {
    .name = "pjrt",
    .form = "pjrt:FILE[:OPTION=VALUE;...]",
    .open = [](std::optional<std::string_view> argument, double timeout_seconds) -> Result<std::unique_ptr<Backend>> {
      if (!argument || argument->empty()) {
        return Error{ErrorCode::kUsage, "pjrt: expected pjrt:FILE[:OPTION=VALUE;...]"};
      }
      if (!argument->starts_with(kHere)) return OpenChild(*argument, timeout_seconds);
      const PluginName name = SplitName(argument->substr(kHere.size()));
      return pjrt::OpenPlugin(name.file, name.options);
    },
};

}  // namespace assay
