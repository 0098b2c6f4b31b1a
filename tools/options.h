// Options that several commands have.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <string>
#include <vector>

#include "conformance/inputs.h"
#include "interpreter/evaluator/evaluator.h"
#include "interpreter/types/result.h"

namespace assay {

struct CommonOptions {
  double time_limit = 0;  // seconds; 0: none
  std::int64_t step_limit = INT64_MAX;
  std::int64_t memory_limit = std::int64_t{4} << 30;  // bytes of all arrays together
  std::vector<std::string> custom_call_libraries;     // shared objects with custom-call targets

  EvaluationLimits limits() const { return {.steps = step_limit, .seconds = time_limit}; }
  // Does what the options say about the process as a whole: the memory limit, the libraries of custom calls.
  Status Prepare() const;
};
void AddLimits(CLI::App& command, CommonOptions& common);

// How many devices run a module; 0: as its header says.
struct DeviceOptions {
  std::int64_t replicas = 0;
  std::int64_t partitions = 0;
};
void AddDevices(CLI::App& command, DeviceOptions& devices);

void AddModule(CLI::App& command, std::string& file);
void AddInputs(CLI::App& command, InputOptions& inputs);
void AddFormat(CLI::App& command, std::string& format);
void AddCorpus(CLI::App& command, std::string& folder);
void AddProfile(CLI::App& command, std::string& profile);
// `whose`: "who is checked". A backend without a default is required.
void AddBackend(CLI::App& command, std::string& backend, const std::string& whose);
// `what`: "one case".
void AddTimeout(CLI::App& command, double& seconds, const std::string& what);
void AddJobs(CLI::App& command, int& jobs);

// A number of seconds that is positive, or where `may_be_zero` not negative; finite.
CLI::Validator Seconds(bool may_be_zero = false);

// A decimal number from `least` on that fits 63 bits, or 64 without a sign; nothing is rounded or clamped to fit.
CLI::Validator WholeNumber(std::uint64_t least, std::uint64_t most = INT64_MAX);

}  // namespace assay
