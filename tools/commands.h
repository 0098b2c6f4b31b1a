// The subcommands of assay. Each returns the exit code: 0 all well, 1 a comparison failed, 2 bad usage or input, 3 a
// backend could not be started, 4 a resource limit.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "interpreter/acceptance/profile.h"
#include "interpreter/evaluator/evaluator.h"
#include "interpreter/hlo/module.h"
#include "interpreter/hlo/verifier.h"
#include "interpreter/types/result.h"
#include "tools/inputs.h"

namespace assay {

struct CommonOptions {
  double time_limit = 0;  // seconds; 0: none
  std::int64_t step_limit = INT64_MAX;
  std::int64_t memory_limit = std::int64_t{4} << 30;  // bytes of all arrays together
  std::vector<std::string> custom_call_libraries;     // shared objects with custom-call targets
};

// How many devices run a module; 0: as its header says.
struct DeviceOptions {
  std::int64_t replicas = 0;
  std::int64_t partitions = 0;
};

struct RunOptions {
  std::string module_file;
  DeviceOptions devices;
  InputOptions inputs;
  std::string backend = "reference";
  std::string format = "text";
  bool full_output = false;  // print large arrays too
  std::string out_directory;
  std::string infeed_file;   // --infeed: what the host has for the devices
  std::string outfeed_file;  // --outfeed: where to put what they give it
  CommonOptions common;
};
int RunCommand(const RunOptions& options);

struct PrintCommandOptions {
  std::string module_file;
  bool full_constants = false;
  bool canonical = false;
  bool short_parsable = false;
};
int PrintCommand(const PrintCommandOptions& options);

int VerifyCommand(const std::string& module_file, const VerifierOptions& options);

int OpsCommand(bool as_json, const std::string& corpus);

struct CheckOptions {
  std::string backend = "reference";
  std::string corpus = "golden";
  std::vector<std::string> models;  // folders of modules that are run with seeded inputs
  std::string filter;
  std::string report_directory;
  std::string expectations_file;  // verdicts of this backend that are known, with reasons
  std::string profile = "xla";    // a name or a file
  bool only_list = false;         // print the names of the cases
  bool show_types = false;        // print the verdicts by op and element type
  double case_timeout = 120;
  CommonOptions common;
};
int CheckCommand(const CheckOptions& options);

struct DiffOptions {
  std::string module_file;
  DeviceOptions devices;
  std::string backend;
  InputOptions inputs;
  std::string profile = "xla";
  std::string format = "text";
  double case_timeout = 600;
  CommonOptions common;
};
int DiffCommand(const DiffOptions& options);

struct ExplainOptions {
  std::string target;  // a golden case's name, or a module's file
  std::string corpus = "golden";
  std::string profile = "xla";
  std::string backend;        // none: only what is accepted
  std::int64_t element = -1;  // row-major, through all leaves; -1: the first ones
  DeviceOptions devices;
  InputOptions inputs;
  double case_timeout = 120;
  CommonOptions common;
};
int ExplainCommand(const ExplainOptions& options);

struct ExhaustOptions {
  std::string op;
  std::string type;
  std::string backend;
  std::string out_directory;
  std::int64_t first = 0;  // number of the first input
  std::int64_t count = 0;  // 0: all from there on
  std::int64_t piece = 1 << 22;
  int jobs = 0;  // backends at work; 0: one a core
  std::string profile = "xla";
  double case_timeout = 600;
};
int ExhaustCommand(const ExhaustOptions& options);

struct AccuracyOptions {
  std::string backend;
  std::string out_directory;
  std::vector<std::string> ops;    // none: all
  std::vector<std::string> types;  // none: all
  std::int64_t samples = 1 << 18;
  bool only_moderate = false;  // samples between 2^-8 and 2^8
  std::string profile = "xla";
  int jobs = 0;  // backends at work; 0: one a core
  double case_timeout = 600;
};
int AccuracyCommand(const AccuracyOptions& options);

// What the options say about the process as a whole: the memory limit, the libraries of custom calls.
Status Prepare(const CommonOptions& options);

// The built-in profile of this name, or the one in this file.
Result<Profile> FindProfile(const std::string& name_or_file);

EvaluationLimits LimitsOf(const CommonOptions& options);

// Prints "error: ..." (with place, source line and caret where the error has one) and gives the exit code of its kind.
int Fail(const Error& error, std::string_view file_name = {}, std::string_view source = {});

// What the commands write to standard output must arrive: 0, or Fail.
int FlushOutput();

struct LoadedModule {
  std::unique_ptr<HloModule> module;
  std::string text;
};
// Reads, parses and verifies a module; complaints go to standard error.
Result<LoadedModule> LoadModule(const std::string& file, const DeviceOptions& devices, int* exit_code,
                                const VerifierOptions& rules = {});
// Also fills its elided constants from the seed, saying so on standard error.
Result<LoadedModule> LoadModule(const std::string& file, const DeviceOptions& devices, std::uint64_t seed,
                                int* exit_code);

}  // namespace assay
