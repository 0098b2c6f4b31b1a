// Repeated runs of the cases of a check, which show whether a backend always returns the same bits.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "conformance/running/backend_pool.h"
#include "conformance/running/outcome.h"
#include "interpreter/types/result.h"

namespace assay {

// The settings under which `assay check --vary` runs a backend again: threads, devices, variables of the environment.
struct RunSetting {
  std::string name;                   // "threads=2"; empty: as the check runs
  std::int64_t devices = 0;           // run a program of one device at once, with the same inputs; 0: one device
  std::shared_ptr<BackendPool> pool;  // of processes with this setting; null: the check's backends
};

// Opens the settings of texts SETTING=VALUE,VALUE...: one for each value.
// - threads: the processors that each process of the backend may use
// - devices: the replicas that run each program of one device
// - any other name: a variable of the environment of the backend's processes
// A pool has as many backends as that of the check. Fails with kUsage for a text of another form, and for more threads
// or devices than there are; otherwise as BackendPool::Open does.
Result<std::vector<RunSetting>> OpenRunSettings(const std::vector<std::string>& texts, const std::string& backend,
                                                BackendPool& of_check, double timeout_seconds);

// Runs cases again and compares the bits of their results with those of the first of these runs. A run that fails has
// its error as result. Random numbers (ops judged by their distribution), cases with a host and modules that must be
// refused are not repeated; programs that see their device, or run on several ones, not on more devices. Thread-safe.
class Repeats {
 public:
  // `on_flips` is called on any thread after each round of a case that had another result, with all flips so far.
  explicit Repeats(std::function<void(const std::string& name, const Flips& flips)> on_flips)
      : on_flips_(std::move(on_flips)) {}

  // The runs of each case: `runs` in each round and setting. Rounds begin until `seconds` have passed, at least one.
  struct Plan {
    std::int64_t runs = 1;
    double seconds = 0;
    std::span<const RunSetting> settings;             // the first one is that of the check
    std::function<void()> on_round;                   // before each round of each setting
    std::function<void(const std::string&)> on_file;  // before each file of cases
  };
  void RunRounds(const std::vector<CaseFile>& files, const CaseOptions& options, BackendPool& of_check,
                 const Plan& plan);

  // Adds what earlier runs of the check have found, by name.
  void Resume(const std::map<std::string, Flips>& found);
  // Returns the cases that had several results, by name.
  std::map<std::string, Flips> Found() const;
  // Returns a line, "1200 further runs of 60 cases", and one for each further setting; nothing without runs.
  std::string ToString() const;

 private:
  // The results of a case so far.
  struct Seen {
    std::optional<Result<Literal>> first;
    Flips flips;
    std::map<std::string, std::int64_t> differing;  // runs with another result, by setting; 0 for one without any

    Flips ToFlips() const;
  };

  // Compiles each case of a file anew and runs it. The first run of all of a case returns the bits to compare with.
  void Run(Backend& backend, const CaseFile& file, const CaseOptions& options, const RunSetting& setting,
           std::int64_t runs);
  void Repeat(Backend& backend, const std::string& name, HloModule& module, DeviceValues arguments,
              const RunSetting& setting, std::int64_t runs);
  void Add(const std::string& name, const RunSetting& setting, Result<Literal> result);
  bool HasRun(const std::string& name) const;
  // Returns what has been seen of a case.
  Flips FlipsOf(const std::string& name) const;

  const std::function<void(const std::string&, const Flips&)> on_flips_;
  mutable std::mutex mutex_;
  std::map<std::string, Seen> seen_;  // by name
};

}  // namespace assay
