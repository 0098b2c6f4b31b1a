#include "conformance/running/repeats.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

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

}  // namespace

void Repeats::Run(Backend& backend, const CaseFile& file, const CaseOptions& options, std::int64_t runs) {
  if (file.is_model) {
    const auto model = WithoutThrowing([&] { return ReadModel(file.path, [](const std::string&) {}); });
    if (model) Repeat(backend, ModelName(file.path), *model->module, model->arguments, runs);
    return;
  }
  // The check has reported a file that cannot be read.
  (void)VisitCases(file.path, options, [&](const GoldenFile&, GoldenModules& modules, const GoldenCase& golden) {
    if (golden.has_host() || !golden.refused.empty()) return;
    const auto module = WithoutThrowing([&] { return modules.WithEntry(golden.entry); });
    if (!module) return;
    Repeat(backend, golden.name, **module, ByDevice((*module)->device_count(), golden.arguments), runs);
  });
}

void Repeats::Repeat(Backend& backend, const std::string& name, const HloModule& module, const DeviceValues& arguments,
                     std::int64_t runs) {
  if (DrawsRandomNumbers(module)) return;
  Result<std::unique_ptr<Executable>> executable = WithoutThrowing([&] { return backend.Compile(module); });
  if (!executable) return Add(name, executable.error());
  for (std::int64_t i = 0; i < runs; ++i) {
    Result<PerDevice<Literal>> results = WithoutThrowing([&] { return (*executable)->Run(arguments); });
    if (!results) return Add(name, results.error());
    Add(name, OfAllDevices(*std::move(results)));
  }
}

void Repeats::Add(const std::string& name, Result<Literal> result) {
  const std::lock_guard lock(mutex_);
  const auto [known, is_new] = seen_.try_emplace(name, Seen{result, {}});
  if (is_new) return;
  auto& [first, flips] = known->second;
  ++flips.runs;
  Flips difference;
  if (!Differ(first, result, difference)) return;
  difference.runs = flips.runs;
  difference.differing = flips.differing + 1;
  flips = flips.differing > 0 ? Flips{difference.runs, difference.differing, flips.element, flips.before, flips.after}
                              : difference;
}

std::map<std::string, Flips> Repeats::Found() const {
  const std::lock_guard lock(mutex_);
  std::map<std::string, Flips> found;
  for (const auto& [name, seen] : seen_) {
    if (seen.flips.differing > 0) found.emplace(name, seen.flips);
  }
  return found;
}

std::string Repeats::ToString() const {
  const std::lock_guard lock(mutex_);
  std::int64_t runs = 0;
  for (const auto& [name, seen] : seen_) runs += seen.flips.runs;
  return seen_.empty() ? "" : fmt::format("{} further runs of {} cases\n", runs, seen_.size());
}

}  // namespace assay
