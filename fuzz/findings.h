// The findings of fuzzing and of shadows: a folder with one subfolder for each kind of failure.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "conformance/diagnosis/failing_module.h"
#include "conformance/diagnosis/failure.h"
#include "conformance/diagnosis/subject.h"
#include "fuzz/fuzz_count.h"
#include "interpreter/types/result.h"

namespace assay {

struct Finding {
  // The `number` of a finding whose program was not drawn; its `source` names an execution.
  static constexpr std::int64_t kNotDrawn = -1;

  // Returns the origin of the program: "program 7 of seed 1 (floats)", with the draw if it is not the first one:
  // "draw 3 of program 7 of seed 1 (floats)". Returns `source` if it was not drawn.
  std::string Origin() const;

  std::string signature;  // unique in a findings folder: the name of the finding's subfolder
  std::string verdict, reason;
  std::string backend, version, profile;
  std::string pass;    // the compiler pass at fault; empty: not known
  std::string source;  // DrawnProgram::source
  std::uint64_t seed = 0;
  std::int64_t number = 0;  // the program's number
  std::int64_t draw = 0;    // the number of earlier draws, which the backend was expected to decline
  std::int64_t instructions = 0;
  std::int64_t replicas = 0, partitions = 0;  // of the failing run; 0: not recorded by older versions
  bool takes_stablehlo = false;               // BackendDescription::takes_stablehlo; not recorded
};

// Returns the verdict, the remaining ops with their result types, and the pass: reduced findings of one cause share
// these.
std::string SignatureOf(const Failure& failure, const Subject& reduced, const std::string& pass);

nlohmann::json ToJson(const Finding& finding);

struct RunState {
  std::int64_t next = 0;  // the next program
  FuzzCount count;        // of the programs before it
};

class FindingsFolder {
 public:
  // Opens a folder for writing; creates it if necessary.
  static Result<FindingsFolder> Open(const std::string& path);
  // Opens a folder for reading only.
  static FindingsFolder At(const std::string& path);

  // True if fuzzing or a merge has recorded runs in the folder.
  bool HasRuns() const;
  bool Has(const std::string& signature) const;
  // Writes the files of WriteFailingModule and, last, finding.json: a folder without finding.json is not a
  // finding. `before` is the module before the rewrites, if only the difference of the two results shows the failure;
  // it is written to a subfolder. Returns false if the signature is known; several processes may add to one folder.
  Result<bool> Add(const Finding& finding, const Subject& reduced, const std::optional<Subject>& before = std::nullopt);
  // Copies the findings of another folder whose signatures are new, and its runs with what they have learnt. The longer
  // copy of a run stays, whatever other processes write at the same time. Returns the number of findings copied.
  Result<std::int64_t> Absorb(const FindingsFolder& other);
  // Returns all findings, sorted by signature.
  Result<std::vector<Finding>> Read() const;

  // Returns what a run had learnt of the backend before its program `next`. Returns null if the folder has it for
  // another program, or not at all. Fails with kInput if the file is not JSON.
  Result<nlohmann::json> LearntOf(const std::string& run, std::int64_t next) const;
  Status WriteLearnt(const std::string& run, std::int64_t next, const nlohmann::json& learnt);

  // Returns the progress of a run of this backend, profile and seed. A run that was killed repeats the programs that it
  // had not recorded, with the same findings.
  Result<RunState> StateOf(const std::string& run) const;
  Status WriteState(const std::string& run, const RunState& state);
  // Returns all runs by their names.
  Result<std::map<std::string, RunState>> Runs() const;

  const std::string& path() const { return path_; }
  // Returns the command line that reproduces the finding, and for a finding that the reference judges also the one that
  // writes a report for the backend's authors.
  std::vector<std::string> CommandsFor(const Finding& finding) const;

 private:
  std::string LearntFile(const std::string& run) const;
  Result<std::int64_t> CopyNew(const std::vector<Finding>& findings, const FindingsFolder& other);
  // Reads the runs, changes them and writes them, while no other process does so.
  Status ChangeRuns(const std::function<void(std::map<std::string, RunState>&)>& change);

  std::string path_;
};

// Returns one HTML file without scripts: a table of the runs, with their verdicts, rates and coverage, and each finding
// with its module, reason and commands.
Result<std::string> FindingsPage(const FindingsFolder& folder);
Status WriteFindingsPage(const FindingsFolder& folder);  // writes index.html into the folder

}  // namespace assay
