// What fuzzing has found: a folder with a folder for each kind of failure.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "diagnosis/failing_module.h"
#include "diagnosis/failure.h"
#include "diagnosis/subject.h"

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
};

// The verdict, the ops that are left with the types of their results, and the pass: what findings of one cause have in
// common once they are reduced.
std::string SignatureOf(const Failure& failure, const Subject& reduced, const std::string& pass);

nlohmann::json ToJson(const Finding& finding);

class FindingsFolder {
 public:
  // One that may be written; makes it.
  static Result<FindingsFolder> Open(const std::string& path);
  // One that is only read.
  static FindingsFolder At(const std::string& path);

  bool Has(const std::string& signature) const;
  // Writes module.hlo, inputs.json, command.txt and, last, finding.json: a folder without it is none.
  Status Add(const Finding& finding, const Subject& reduced);
  // In the order of their signatures.
  Result<std::vector<Finding>> Read() const;

  // The program that comes next, for a run of this backend, profile and seed; 0 for a new one. A run that was killed
  // judges again what it had not written down, and finds the same.
  Result<std::int64_t> NextOf(const std::string& run) const;
  Status WriteNext(const std::string& run, std::int64_t next);

  const std::string& path() const { return path_; }
  // The command line that shows it again.
  std::string CommandFor(const Finding& finding) const;

 private:
  std::string path_;
};

}  // namespace assay
