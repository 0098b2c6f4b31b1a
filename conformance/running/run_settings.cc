#include "conformance/running/run_settings.h"

#include <fmt/format.h>
#include <sched.h>

#include <filesystem>
#include <optional>
#include <string_view>
#include <system_error>
#include <utility>

#include "backends/program.h"
#include "conformance/reports/shell_word.h"
#include "interpreter/types/join_text.h"
#include "interpreter/types/number_in_text.h"

namespace assay {
namespace {

// Returns the processors that this process may use.
std::vector<int> Processors() {
  std::vector<int> processors;
  cpu_set_t set;
  CPU_ZERO(&set);
  if (sched_getaffinity(0, sizeof(set), &set) != 0) return processors;
  for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
    if (CPU_ISSET(cpu, &set)) processors.push_back(cpu);
  }
  return processors;
}

// Returns the name of a backend that is another one, in processes of its own, with a prefix of its command line.
Result<std::string> WithPrefix(const std::string& backend, const std::string& prefix) {
  ASSAY_TRY(BackendProgram program, ProgramOf(backend));
  std::error_code error;
  if (program.command.front() == "assay") {
    program.command.front() = std::filesystem::read_symlink("/proc/self/exe", error).string();
  }
  std::string line = program.folder.empty() ? "" : fmt::format("cd {} && ", ShellWord(program.folder));
  line += "exec " + prefix;
  for (const std::string& word : program.command) line += " " + ShellWord(word);
  return "process:" + line;
}

// Returns the number of a value in [1, most]. Fails with kUsage for any other text; `what` is "processors".
Result<std::int64_t> CountIn(const RunSetting& setting, std::string_view value, std::int64_t most,
                             std::string_view what) {
  const std::optional<std::int64_t> count = NumberInText<std::int64_t>(value);
  if (count && *count >= 1 && *count <= most) return *count;
  return Error{ErrorCode::kUsage,
               fmt::format("--vary {}: expected 1 to {}, for there are {} {}", setting.name, most, most, what)};
}

Result<RunSetting> OpenSetting(const std::string& name, const std::string& value, const std::string& backend,
                               BackendPool& of_check, double timeout_seconds) {
  RunSetting setting = {fmt::format("{}={}", name, value), 0, nullptr};
  std::string prefix = fmt::format("env {}", ShellWord(setting.name));
  if (name == "devices") {
    ASSAY_TRY(setting.devices, CountIn(setting, value, of_check.description().max_devices, "devices"));
    return setting;
  }
  if (name == "threads") {
    std::vector<int> processors = Processors();
    ASSAY_TRY(const std::int64_t count, CountIn(setting, value, std::ssize(processors), "processors"));
    processors.resize(static_cast<std::size_t>(count));
    prefix = fmt::format("taskset -c {}", fmt::join(processors, ","));
  }
  ASSAY_TRY(const std::string varied, WithPrefix(backend, prefix));
  ASSAY_TRY(BackendPool pool, BackendPool::Open(varied, of_check.size(), timeout_seconds));
  setting.pool = std::make_shared<BackendPool>(std::move(pool));
  return setting;
}

}  // namespace

Result<std::vector<RunSetting>> OpenRunSettings(const std::vector<std::string>& texts, const std::string& backend,
                                                BackendPool& of_check, double timeout_seconds) {
  std::vector<RunSetting> settings;
  for (const std::string& text : texts) {
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos || equals == 0) {
      return Error{ErrorCode::kUsage, fmt::format("--vary: expected SETTING=VALUE,VALUE..., found {}", text)};
    }
    std::string_view values = std::string_view(text).substr(equals + 1);
    for (bool is_last = false; !is_last;) {
      const std::string_view value = values.substr(0, values.find(','));
      is_last = value.size() == values.size();
      ASSAY_TRY(settings.emplace_back(),
                OpenSetting(text.substr(0, equals), std::string(value), backend, of_check, timeout_seconds));
      values.remove_prefix(is_last ? 0 : value.size() + 1);
    }
  }
  return settings;
}

}  // namespace assay
