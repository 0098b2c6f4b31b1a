#include "tools/options.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>

#include "backends/data_folder.h"
#include "interpreter/acceptance/profile.h"
#include "interpreter/custom_calls/user_targets.h"
#include "interpreter/evaluator/device_counts.h"
#include "interpreter/types/join_text.h"
#include "interpreter/types/limits.h"
#include "interpreter/types/number_in_text.h"
#include "interpreter/types/parallel.h"

namespace assay {
namespace {

constexpr Verdict kMilder[] = {Verdict::kSpecGap, Verdict::kUnsupported, Verdict::kWeak};

// Returns the seconds of "90", "90s", "30m" or "8h"; nothing for another text.
std::optional<double> SecondsIn(std::string_view text) {
  constexpr std::pair<char, double> kUnits[] = {{'s', 1}, {'m', 60}, {'h', 3600}};
  const auto* const unit = std::ranges::find(kUnits, text.empty() ? ' ' : text.back(), &std::pair<char, double>::first);
  if (unit == std::end(kUnits)) return NumberInText<double>(text);
  const std::optional<double> number = NumberInText<double>(text.substr(0, text.size() - 1));
  return number ? std::optional(*number * unit->second) : std::nullopt;
}

// Accepts a time that is finite and positive, or zero if `may_be_zero`, and turns it into seconds.
CLI::Validator Seconds(bool may_be_zero = false) {
  return {[may_be_zero](std::string& text) {
            const std::optional<double> seconds = SecondsIn(text);
            if (!seconds || !std::isfinite(*seconds) || *seconds < 0 || (*seconds == 0 && !may_be_zero)) {
              return fmt::format("expected a {} number of seconds, or of minutes or hours as 30m or 8h, found {}",
                                 may_be_zero ? "finite, not negative" : "finite, positive", text);
            }
            text = fmt::format("{}", *seconds);
            return std::string();
          },
          "SECONDS"};
}

// Accepts a whole number of 63 bits, or 64 bits unsigned.
CLI::Validator WholeNumber(std::uint64_t least, std::uint64_t most = INT64_MAX) {
  return {[=](const std::string& text) {
            const std::optional<std::uint64_t> number = NumberInText<std::uint64_t>(text);
            if (number && *number >= least && *number <= most) return std::string();
            return fmt::format("expected a whole number from {} to {}, found {}", least, most, text);
          },
          "NUMBER"};
}

}  // namespace

Status CommonOptions::Prepare() const {
  MemoryUse::SetLimit(memory_limit);
  for (const std::string& file : custom_call_libraries) ASSAY_CHECK_OK(LoadCustomCallLibrary(file));
  return {};
}

void AddText(CLI::App& command, const std::string& name, std::string& value, const std::string& help) {
  command.add_option(name, value, help);
}

void AddRequiredText(CLI::App& command, const std::string& name, std::string& value, const std::string& help) {
  command.add_option(name, value, help)->required();
}

void AddTexts(CLI::App& command, const std::string& name, std::vector<std::string>& values, const std::string& help) {
  command.add_option(name, values, help);
}

void AddNumber(CLI::App& command, const std::string& name, std::int64_t& value, const std::string& help,
               std::int64_t least, std::int64_t most) {
  CLI::Option* const option = command.add_option(name, value, help)->check(WholeNumber(least, most));
  if (value > 0) option->capture_default_str();
}

void AddFlag(CLI::App& command, const std::string& name, bool& value, const std::string& help,
             const std::string& excludes) {
  CLI::Option* const flag = command.add_flag(name, value, help);
  if (!excludes.empty()) flag->excludes(command.get_option(excludes));
}

void AddLimits(CLI::App& command, CommonOptions& common) {
  command
      .add_option("--time-limit", common.time_limit, "seconds that one evaluation may take; 0, the default: any number")
      ->transform(Seconds(/*may_be_zero=*/true));
  command.add_option("--step-limit", common.step_limit, "instructions that one evaluation may execute (default: any)")
      ->check(WholeNumber(1));
  command
      .add_option("--memory-limit", common.memory_limit, "bytes of all arrays together, e.g. 512MiB (default: 4GiB)")
      ->transform(CLI::AsSizeValue(/*kb_is_1000=*/false))
      ->check(WholeNumber(1));
  command.add_option("--custom-call-library", common.custom_call_libraries,
                     "shared object whose functions are custom-call targets");
}

void AddDevices(CLI::App& command, DeviceOptions& devices) {
  AddNumber(command, "--replicas", devices.replicas, "replicas that run (default: as the module's header says)", 1,
            kMostDevices);
  AddNumber(command, "--partitions", devices.partitions, "partitions that run (default: as the module's header says)",
            1, kMostDevices);
}

void AddModule(CLI::App& command, ModuleOptions& module) {
  AddRequiredText(command, "module", module.file,
                  "HLO text, StableHLO, a serialized HloModuleProto, a folder of XLA's dump; - for standard input");
  AddModuleReading(command, module);
}

void AddModuleReading(CLI::App& command, ModuleOptions& module) {
  AddText(command, "--function", module.function,
          "the function of a StableHLO file at which the program starts (default: @main, or the only public one)");
  AddFlag(command, "--mixed-precision", module.mixed_precision,
          "allow operands and results of other floating types, and convert them");
}

void AddGivenInputs(CLI::App& command, InputOptions& inputs) {
  command
      .add_option("--input", inputs.inputs,
                  "an argument for each parameter: a .npy file, a file of literal text, or a literal")
      ->type_name("VALUE");
  AddText(command, "--inputs", inputs.inputs_file, "a JSON file with all arguments");
}

void AddInputs(CLI::App& command, InputOptions& inputs) {
  AddGivenInputs(command, inputs);
  command.add_option("--seed", inputs.seed, "seed of arguments and constants that are not given")
      ->check(WholeNumber(0, UINT64_MAX))
      ->capture_default_str();
  AddText(command, "--write-inputs", inputs.written_file,
          "a JSON file for the arguments, however they are given; --inputs reads it");
}

void AddProgram(CLI::App& command, ProgramOptions& program) {
  AddDevices(command, program.devices);
  AddInputs(command, program.inputs);
  AddLimits(command, program.common);
}

void AddFormat(CLI::App& command, std::string& format) {
  command.add_option("--format", format, "text or json")->check(CLI::IsMember({"text", "json"}));
}

void AddChoice(CLI::App& command, const std::string& name, std::string& value, const std::vector<std::string>& words,
               const std::string& help) {
  command.add_option(name, value, fmt::format("{} (default: {})", help, value))->check(CLI::IsMember(words));
}

std::string CorpusOfProgram() {
  const std::string standard = "golden";
  std::error_code error;
  if (std::filesystem::exists(standard, error)) return standard;
  const std::filesystem::path found = FindData(standard);
  return found.empty() ? standard : found.string();
}

void AddCorpus(CLI::App& command, std::string& folder) {
  folder = CorpusOfProgram();
  const auto set = [&folder](const std::string& named) { folder = named.empty() ? CorpusOfProgram() : named; };
  command.add_option_function<std::string>("--corpus", set, "folder of goldens")->default_str("golden");
}

void AddProfile(CLI::App& command, std::string& profile) {
  command.add_option("--profile", profile,
                     fmt::format("freedoms that the backend may use: {}, or a file (default: what backends.json names "
                                 "for the backend, else xla)",
                                 JoinText(BuiltInProfileNames(), ", ")));
}

void AddBackend(CLI::App& command, std::string& backend, const std::string& whose) {
  command.add_option("--backend", backend, whose)->required(backend.empty())->capture_default_str();
}

void AddTimeout(CLI::App& command, double& seconds, const std::string& what) {
  command.add_option("--timeout", seconds, fmt::format("seconds that the backend has for {}", what))
      ->transform(Seconds())
      ->capture_default_str();
}

void AddSeconds(CLI::App& command, const std::string& name, double& seconds, const std::string& help) {
  command.add_option(name, seconds, help)->transform(Seconds());
}

void AddJobs(CLI::App& command, int& jobs) {
  command.add_option("--jobs", jobs, "backends that run at once (default: one per core)")->check(CLI::Range(1, 256));
}

void AddDemands(CLI::App& command, DemandOptions& demands) {
  AddTexts(command, "--fail-on", demands.fail_on, "verdicts that fail the check too: WEAK, UNSUPPORTED, SPEC-GAP");
  AddFlag(command, "--strict", demands.is_strict, "the same as --fail-on with all of them");
  AddFlag(command, "--suspects-pass", demands.suspects_pass, "SUSPECT fails nothing");
  AddNumber(command, "--min-supported", demands.least_supported, "cases that the backend must not decline", 0);
}

Result<std::set<Verdict>> ReadFailOn(const std::vector<std::string>& names) {
  std::set<Verdict> verdicts;
  for (const std::string& name : names) {
    const std::optional<Verdict> verdict = FindVerdict(name);
    if (!verdict || std::ranges::count(kMilder, *verdict) == 0) {
      return Error{ErrorCode::kUsage, fmt::format("--fail-on: expected WEAK, UNSUPPORTED or SPEC-GAP, found {}", name)};
    }
    verdicts.insert(*verdict);
  }
  return verdicts;
}

Result<Demands> DemandOptions::Read() const {
  Demands demands = {.fail_on = {}, .least_supported = least_supported, .suspects_pass = suspects_pass};
  ASSAY_TRY(demands.fail_on, ReadFailOn(fail_on));
  if (is_strict) demands.fail_on.insert(std::begin(kMilder), std::end(kMilder));
  return demands;
}

int Jobs(int asked) { return asked > 0 ? asked : ParallelThreads(); }

}  // namespace assay
