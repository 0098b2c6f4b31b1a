// What fuzzing has found: a folder with a folder for each kind of failure.
#pragma once

#include <cstdint>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "diagnosis/failing_module.h"
#include "diagnosis/failure.h"
#include "diagnosis/subject.h"
#include "fuzz/fuzz_count.h"

namespace assay {

struct Finding {
  std::string signature;  // of all findings of one folder another one: the name of its folder
  std::string verdict, reason;
  std::string backend, version, profile;
  std::string pass;    // of the compiler, that makes it; empty: not known
  std::string source;  // DrawnProgram::source
  std::uint64_t seed = 0;
  std::int64_t number = 0;  // of the program
  std::int64_t instructions = 0;
  std::int64_t replicas = 0, partitions = 0;  // that it ran on; 0: written by an assay that did not say so
};

// The verdict, the ops that are left with the types of their results, and the pass: what findings of one cause have in
// common once they are reduced.
std::string SignatureOf(const Failure& failure, const Subject& reduced, const std::string& pass);

nlohmann::json ToJson(const Finding& finding);

struct RunState {
  std::int64_t next = 0;  // the program that comes next
  FuzzCount count;        // of those before it
};

class FindingsFolder {
 public:
  // One that may be written; makes it.
  static Result<FindingsFolder> Open(const std::string& path);
  // One that is only read.
  static FindingsFolder At(const std::string& path);

  bool Has(const std::string& signature) const;
  // Writes module.hlo, inputs.json, command.txt and, last, finding.json: a folder without it is none. `before` is what
  // the module was rewritten from, where the two results are all that is known; it gets a folder in it.
  Status Add(const Finding& finding, const Subject& reduced, const std::optional<Subject>& before = std::nullopt);
  // In the order of their signatures.
  Result<std::vector<Finding>> Read() const;

  // How far a run of this backend, profile and seed is. A run that was killed judges again what it had not written
  // down, and finds the same.
  Result<RunState> StateOf(const std::string& run) const;
  Status WriteState(const std::string& run, const RunState& state);
  // All runs by their names.
  Result<std::map<std::string, RunState>> Runs() const;

  const std::string& path() const { return path_; }
  // The command line that shows it again, and, of what the reference judges, the one that makes a report for the
  // backend's authors.
  std::vector<std::string> CommandsFor(const Finding& finding) const;

 private:
  std::string path_;
};

}  // namespace assay
