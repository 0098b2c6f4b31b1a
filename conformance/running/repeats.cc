#include "conformance/running/repeats.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <utility>

#include "conformance/cases/golden.h"
#include "conformance/judging/compiled_module.h"
#include "interpreter/acceptance/ops/op_acceptance.h"
#include "interpreter/hlo/op.h"
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

}  // namespace assay
