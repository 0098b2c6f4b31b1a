#include "conformance/running/repeats.h"

#include <fmt/format.h>
#include <sched.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <memory>
#include <optional>
#include <string_view>
#include <system_error>
#include <utility>

#include "backends/program.h"
#include "conformance/cases/golden.h"
#include "conformance/judging/compiled_module.h"
#include "conformance/reports/shell_word.h"
#include "interpreter/acceptance/ops/op_acceptance.h"
#include "interpreter/hlo/op.h"
#include "interpreter/types/join_text.h"
#include "interpreter/types/number_in_text.h"
#include "interpreter/types/without_throwing.h"

namespace assay {
namespace {

bool DrawsRandomNumbers(const HloModule& module) {
  return std::ranges::any_of(module.computations, [](const auto& computation) {
    return std::ranges::any_of(computation->instructions, [](const auto& instruction) {
      return AcceptanceOf(*instruction->op).rule == Acceptance::kStatistical;
    });
  });
}

// Sets the difference of two results; returns false if they are equal.
bool Differ(const Result<Literal>& before, const Result<Literal>& after, Flips& flips) {
  if (before && after) {
    const Judgement judgement = CompareExactly(*before, *after);
    flips.element = judgement.worst.name;
    flips.before = judgement.worst.want;
    flips.after = judgement.worst.got;
    return judgement.not_exact > 0;
  }
  flips.before = before ? "a result" : before.error().message;
  flips.after = after ? "a result" : after.error().message;
  return before.has_value() != after.has_value();
}

// True if a program may run on more devices than it says, each with the same inputs and result.
bool MayRunOnMoreDevices(const HloModule& module) {
  return module.device_count() == 1 && std::ranges::none_of(module.computations, [](const auto& computation) {
           return std::ranges::any_of(computation->instructions, [](const auto& instruction) {
             return instruction->op->evaluation.depends_on_device || instruction->op->evaluation.has_side_effect;
           });
         });
}

}  // namespace

void Repeats::RunRounds(const std::vector<CaseFile>& files, const CaseOptions& options, BackendPool& of_check,
                        const Plan& plan) {
  const auto start = std::chrono::steady_clock::now();
  const auto is_over = [&] {
    const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - start;
    return passed.count() >= plan.seconds;
  };
  do {
    for (const RunSetting& setting : plan.settings) {
      plan.on_round();
      BackendPool& pool = setting.pool ? *setting.pool : of_check;
      pool.ForEach(std::ssize(files), [&](int worker, std::int64_t number) {
        const CaseFile& file = files[static_cast<std::size_t>(number)];
        plan.on_file(file.path);
        Run(pool.backend(worker), file, options, setting, plan.runs);
        return plan.seconds == 0 || !is_over();
      });
    }
  } while (!is_over());
}

void Repeats::Run(Backend& backend, const CaseFile& file, const CaseOptions& options, const RunSetting& setting,
                  std::int64_t runs) {
  if (file.is_model) {
    const auto model = WithoutThrowing([&] { return ReadModel(file.path, [](const std::string&) {}); });
    if (model) Repeat(backend, ModelName(file.path), *model->module, model->arguments, setting, runs);
    return;
  }
  // The check has reported a file that cannot be read.
  (void)VisitCases(file.path, options, [&](const GoldenFile&, GoldenModules& modules, const GoldenCase& golden) {
    if (golden.has_host() || !golden.refused.empty()) return;
    const auto module = WithoutThrowing([&] { return modules.WithEntry(golden.entry); });
    if (!module) return;
    DeviceValues arguments = ByDevice((*module)->device_count(), golden.arguments);
    Repeat(backend, golden.name, **module, std::move(arguments), setting, runs);
  });
}

void Repeats::Repeat(Backend& backend, const std::string& name, HloModule& module, DeviceValues arguments,
                     const RunSetting& setting, std::int64_t runs) {
  if (DrawsRandomNumbers(module)) return;
  if (setting.devices > 0) {
    if (!MayRunOnMoreDevices(module)) return;
    module.replica_count = setting.devices;
    arguments = DeviceValues(setting.devices, arguments.front());
  }
  const std::int64_t differing = FlipsOf(name).differing;
  Result<std::unique_ptr<Executable>> executable = WithoutThrowing([&] { return backend.Compile(module); });
  if (!executable) Add(name, setting, executable.error());
  const std::int64_t first = setting.name.empty() && !HasRun(name) ? -1 : 0;  // returns the bits to compare with
  for (std::int64_t i = first; executable && i < runs; ++i) {
    Result<PerDevice<Literal>> results = WithoutThrowing([&] { return (*executable)->Run(arguments); });
    if (!results) {
      Add(name, setting, results.error());
    } else if (setting.devices == 0) {
      Add(name, setting, OfAllDevices(*std::move(results)));
    } else {
      for (Literal& result : *results) Add(name, setting, std::move(result));
    }
  }
  const Flips flips = FlipsOf(name);
  if (flips.differing > differing) on_flips_(name, flips);
}

bool Repeats::HasRun(const std::string& name) const {
  const std::lock_guard lock(mutex_);
  const auto seen = seen_.find(name);
  return seen != seen_.end() && seen->second.first;
}

void Repeats::Add(const std::string& name, const RunSetting& setting, Result<Literal> result) {
  const std::lock_guard lock(mutex_);
  Seen& seen = seen_[name];
  if (!seen.first) {
    seen.first.emplace(std::move(result));
    return;
  }
  ++seen.flips.runs;
  std::int64_t& differing = seen.differing[setting.name];
  Flips difference;
  if (!Differ(*seen.first, result, difference)) return;
  ++differing;
  if (++seen.flips.differing > 1) return;
  seen.flips.element = difference.element;
  seen.flips.before = difference.before;
  seen.flips.after = difference.after;
}

Flips Repeats::FlipsOf(const std::string& name) const {
  const std::lock_guard lock(mutex_);
  const auto seen = seen_.find(name);
  return seen == seen_.end() ? Flips() : seen->second.ToFlips();
}

Flips Repeats::Seen::ToFlips() const {
  Flips found = flips;
  for (const auto& [setting, runs] : differing) {
    if (runs > 0 && !setting.empty()) found.settings[setting] = runs;
  }
  return found;
}

void Repeats::Resume(const std::map<std::string, Flips>& found) {
  const std::lock_guard lock(mutex_);
  for (const auto& [name, flips] : found) {
    seen_[name].flips = flips;
    seen_[name].differing = flips.settings;
  }
}

std::map<std::string, Flips> Repeats::Found() const {
  const std::lock_guard lock(mutex_);
  std::map<std::string, Flips> found;
  for (const auto& [name, seen] : seen_) {
    if (seen.flips.differing > 0) found.emplace(name, seen.ToFlips());
  }
  return found;
}

std::string Repeats::ToString() const {
  const std::lock_guard lock(mutex_);
  if (seen_.empty()) return "";
  std::int64_t runs = 0;
  std::map<std::string, std::pair<std::int64_t, std::int64_t>> cases;  // with other bits, and all, by setting
  for (const auto& [name, seen] : seen_) {
    runs += seen.flips.runs;
    for (const auto& [setting, differing] : seen.differing) {
      auto& [changed, all] = cases[setting];
      changed += differing > 0 ? 1 : 0;
      ++all;
    }
  }
  std::string text = fmt::format("{} further runs of {} cases\n", runs, seen_.size());
  for (const auto& [setting, of_cases] : cases) {
    if (setting.empty()) continue;
    text += fmt::format("{}: other bits in {} of {} cases\n", setting, of_cases.first, of_cases.second);
  }
  return text;
}

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
