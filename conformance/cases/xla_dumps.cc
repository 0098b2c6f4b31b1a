#include "conformance/cases/xla_dumps.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <string_view>
#include <utility>
#include <vector>

#include "interpreter/types/join_text.h"

namespace assay {
namespace {

namespace fs = std::filesystem;

// XLA names a dumped module "module_0007.jit_f" plus one of these endings; the better ones come first.
constexpr std::array<std::string_view, 3> kModuleEndings = {".before_optimizations.hlo.pb", ".before_optimizations.txt",
                                                            ".hlo_unoptimized_snapshot.pb"};

}  // namespace

std::pair<std::string, std::string> SplitDumpName(std::string_view file_name) {
  if (!file_name.starts_with("module_")) return {};
  for (const std::string_view mark : {".before_optimizations.", ".execution_", ".snapshot."}) {
    if (const std::size_t at = file_name.find(mark); at != std::string_view::npos) {
      return {std::string(file_name.substr(0, at)), std::string(file_name.substr(at))};
    }
  }
  return {};
}

std::map<std::string, XlaDump> DumpsIn(const std::string& folder) {
  std::vector<std::string> names;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder, error)) names.push_back(entry.path().filename().string());
  std::ranges::sort(names);
  std::map<std::string, XlaDump> dumps;
  for (const std::string& name : names) {
    const auto [module, rest] = SplitDumpName(name);
    if (module.empty()) continue;
    const std::string path = (fs::path(folder) / name).string();
    XlaDump& dump = dumps[module];
    const bool is_unoptimized = rest.ends_with(kModuleEndings.back());
    if (is_unoptimized || (rest.starts_with(".snapshot.") && rest.ends_with(".pb") && dump.snapshot.empty())) {
      if (dump.snapshot.empty()) dump.snapshot = path;
    }
    for (std::size_t rank = 0; rank < std::min(dump.rank, kModuleEndings.size()); ++rank) {
      if (rest.ends_with(kModuleEndings[rank])) dump = {path, rank, dump.snapshot};
    }
  }
  std::erase_if(dumps, [](const auto& entry) { return entry.second.module.empty(); });
  return dumps;
}

Result<std::string> OnlyModule(const std::string& folder) {
  const auto dumps = DumpsIn(folder);
  if (dumps.size() == 1) return dumps.begin()->second.module;
  std::vector<std::string> paths;
  for (const auto& [name, dump] : dumps) paths.push_back(dump.module);
  constexpr std::size_t kShown = 10;
  if (paths.size() > kShown) {
    paths.resize(kShown);
    paths.emplace_back("...");
  }
  return Error{ErrorCode::kInput,
               dumps.empty()
                   ? fmt::format("{}: is a directory, and XLA has dumped no module to it: expected a file, or a "
                                 "folder with module_*{} or .txt",
                                 folder, kModuleEndings[0])
                   : fmt::format("{}: XLA has dumped {} modules to it; name one of these files:\n  {}", folder,
                                 dumps.size(), JoinText(paths, "\n  "))};
}

std::string SnapshotBeside(const std::string& path) {
  const auto [module, rest] = SplitDumpName(fs::path(path).filename().string());
  const bool is_dump =
      std::ranges::any_of(kModuleEndings, [&ending = rest](std::string_view known) { return ending.ends_with(known); });
  if (!is_dump) return {};
  const std::string folder = fs::path(path).parent_path().string();
  return DumpsIn(folder.empty() ? "." : folder)[module].snapshot;
}

}  // namespace assay
