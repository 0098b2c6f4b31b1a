#include "backends/pjrt/xla_passes.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "backends/files.h"
#include "backends/pass_dumps.h"
#include "interpreter/types/join_text.h"

namespace assay::pjrt {
namespace {

constexpr std::string_view kDisabledPasses = "xla_disable_hlo_passes";

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
  std::vector<PassDump> dumps = FindPassDumps(folder);
  std::erase_if(dumps, [](const PassDump& dump) { return dump.next.empty(); });
  if (dumps.empty()) return Error{ErrorCode::kInput, "the plugin's compiler has not written what its passes do"};
  std::set<std::string> not_passes = {"pipeline-start"};
  for (const PassDump& dump : dumps) not_passes.insert(dump.pipeline);
  std::vector<PassRun> passes;
  std::string before;
  for (const PassDump& dump : dumps) {
    ASSAY_TRY(std::string after, ReadFile(dump.file));
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
