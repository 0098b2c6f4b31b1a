#include "backends/pjrt/xla_passes.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <regex>
#include <set>

#include "backends/files.h"
#include "interpreter/types/join_text.h"

namespace assay::pjrt {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kDisabledPasses = "xla_disable_hlo_passes";

// A file "module_0001.m.0006.simplification.after_algsimp.before_dce.txt": the module after one pass of a pipeline.
struct Dump {
  std::string pipeline, pass;
  fs::path file;
};

// Returns the dumps in the order of their numbers.
std::vector<Dump> FindDumps(const std::string& folder) {
  static const std::regex form(R"(.*\.(\d{4})\.([^.]+)\.after_([^.]+)\.before_([^.]+)\.txt)");
  std::vector<fs::path> files;
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, error)) files.push_back(entry.path());
  std::ranges::sort(files);
  std::vector<Dump> dumps;
  for (const fs::path& file : files) {
    std::smatch match;
    const std::string name = file.filename().string();
    if (std::regex_match(name, match, form)) dumps.push_back({match[2], match[3], file});
  }
  return dumps;
}

}  // namespace

bool IsXlaPlatform(std::string_view platform) { return platform == "cpu" || platform == "cuda" || platform == "rocm"; }

void DisablePasses(const std::vector<std::string>& passes, std::vector<CompilerSetting>& settings) {
  if (passes.empty()) return;
  std::string all = JoinText(passes, ",");
  const auto last = std::find_if(settings.rbegin(), settings.rend(),
                                 [](const CompilerSetting& setting) { return setting.name == kDisabledPasses; });
  if (last != settings.rend()) all = fmt::format("{},{}", last->value, all);
  settings.push_back({std::string(kDisabledPasses), std::move(all)});
}

std::vector<CompilerSetting> DumpTo(const std::string& folder) {
  return {{"xla_dump_to", folder}, {"xla_dump_hlo_as_text", "true"}, {"xla_dump_hlo_pass_re", ".*"}};
}

Result<std::vector<PassRun>> ReadDumps(const std::string& folder) {
  const std::vector<Dump> dumps = FindDumps(folder);
  if (dumps.empty()) return Error{ErrorCode::kInput, "the plugin's compiler has not written what its passes do"};
  std::set<std::string> not_passes = {"pipeline-start"};
  for (const Dump& dump : dumps) not_passes.insert(dump.pipeline);
  std::vector<PassRun> passes;
  std::string before;
  for (const Dump& dump : dumps) {
    ASSAY_TRY(std::string after, ReadFile(dump.file.string()));
    if (!before.empty() && after != before && !not_passes.contains(dump.pass)) {
      passes.push_back({dump.pass, before, after});
    }
    before = std::move(after);
  }
  return passes;
}

std::vector<CompilerSetting> SettingsToTry(std::string_view platform) {
  std::vector<CompilerSetting> settings = {{"xla_backend_optimization_level", "0"},
                                           {"xla_llvm_disable_expensive_passes", "true"}};
  if (platform == "cpu") settings.push_back({"xla_cpu_enable_fast_math", "false"});
  return settings;
}

}  // namespace assay::pjrt
