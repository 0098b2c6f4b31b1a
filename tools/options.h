// The kinds of options, and the options that several commands share. Commands use CLI11 only through this header,
// because CLI11 takes long to compile.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "conformance/cases/inputs.h"
#include "conformance/reports/check_report.h"
#include "interpreter/evaluator/evaluator.h"
#include "interpreter/types/result.h"

namespace CLI {
class App;
}

namespace assay {

// `name` is the name of an option ("--out") or of a positional argument ("module").
void AddText(CLI::App& command, const std::string& name, std::string& value, const std::string& help);
void AddRequiredText(CLI::App& command, const std::string& name, std::string& value, const std::string& help);
// Adds an option that may be given several times.
void AddTexts(CLI::App& command, const std::string& name, std::vector<std::string>& values, const std::string& help);
// Adds a decimal number from `least` to `most`, which is neither rounded nor clamped. The help shows a default above 0.
void AddNumber(CLI::App& command, const std::string& name, std::int64_t& value, const std::string& help,
               std::int64_t least, std::int64_t most = INT64_MAX);
// `excludes` is an option that cannot be combined with the flag.
void AddFlag(CLI::App& command, const std::string& name, bool& value, const std::string& help,
             const std::string& excludes = "");

struct CommonOptions {
  double time_limit = 0;  // seconds; 0: none
  std::int64_t step_limit = INT64_MAX;
  std::int64_t memory_limit = std::int64_t{4} << 30;  // of all arrays together, in bytes
  std::vector<std::string> custom_call_libraries;     // shared objects with custom-call targets

  EvaluationLimits limits() const { return {.steps = step_limit, .seconds = time_limit}; }
  // Applies the options to the process: the memory limit and the libraries of custom calls.
  Status Prepare() const;
};
void AddLimits(CLI::App& command, CommonOptions& common);

// The number of devices that run a module; 0: as its header says.
struct DeviceOptions {
  std::int64_t replicas = 0;
  std::int64_t partitions = 0;
};
void AddDevices(CLI::App& command, DeviceOptions& devices);

struct ModuleOptions {
  std::string file;
  std::string function;  // of a StableHLO file; empty: @main, or the only public one
  bool mixed_precision = false;

  // True if an option says how to read a module: the file is one, not the name of a case.
  bool is_read() const { return !function.empty() || mixed_precision; }
};
void AddModule(CLI::App& command, ModuleOptions& module);
// Adds the options only.
void AddModuleReading(CLI::App& command, ModuleOptions& module);
void AddInputs(CLI::App& command, InputOptions& inputs);
// Adds the options that give inputs, for a command that reads only their shapes and integers.
void AddGivenInputs(CLI::App& command, InputOptions& inputs);
// The options of a command that runs one module. The options of such a command are derived from these.
struct ProgramOptions {
  ModuleOptions module;
  DeviceOptions devices;
  InputOptions inputs;
  CommonOptions common;
};
// Adds all of them but the module.
void AddProgram(CLI::App& command, ProgramOptions& program);
void AddFormat(CLI::App& command, std::string& format);
// Adds an option whose value is one of some words.
void AddChoice(CLI::App& command, const std::string& name, std::string& value, const std::vector<std::string>& words,
               const std::string& help);
// The default is the corpus that belongs to the program.
void AddCorpus(CLI::App& command, std::string& folder);
std::string CorpusOfProgram();
void AddProfile(CLI::App& command, std::string& profile);
// `whose` is the text "the backend to check". A backend without a default is required.
void AddBackend(CLI::App& command, std::string& backend, const std::string& whose);
// Returns the verdicts of --fail-on.
Result<std::set<Verdict>> ReadFailOn(const std::vector<std::string>& names);
// The demands of a check besides no failures.
struct DemandOptions {
  std::vector<std::string> fail_on;  // names of verdicts
  bool suspects_pass = false;
  bool is_strict = false;
  std::int64_t least_supported = 0;

  Result<Demands> Read() const;
};
void AddDemands(CLI::App& command, DemandOptions& demands);
// `what` is the text "one case".
void AddTimeout(CLI::App& command, double& seconds, const std::string& what);
void AddSeconds(CLI::App& command, const std::string& name, double& seconds, const std::string& help);
void AddJobs(CLI::App& command, int& jobs);
// Returns the number of backends that work in parallel; 0 means one for each core.
int Jobs(int asked);

}  // namespace assay
