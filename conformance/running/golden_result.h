// A case of a golden file on a backend: judgements by its kind.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "conformance/cases/golden.h"
#include "conformance/judging/compiled_module.h"
#include "conformance/judging/judge_case.h"
#include "conformance/judging/metrics.h"
#include "conformance/running/outcome.h"

namespace assay {

// The judgement of a backend's result for a golden.
struct GoldenResult {
  Judgement judgement;
  std::string narrowest_profile;
  std::optional<Evidence> evidence = {};
  std::vector<ArrayMetrics> metrics = {};  // of the arrays that differ
  std::string bits = {};                   // Outcome::bits
};

// Returns 16 hexadecimal digits (FNV-1a) of the bytes of all arrays of a value.
std::string DigestOfBits(const Literal& value);

// Judges the result of a case. `compiled` is its module on the backend.
Result<GoldenResult> JudgeGolden(const GoldenFile& file, const GoldenCase& golden, Backend& backend,
                                 CompiledModule& compiled, const CaseOptions& options);
// Compiles the module of a case and judges its result.
Result<GoldenResult> JudgeAlone(const GoldenFile& file, const GoldenCase& golden, Backend& backend,
                                const CaseOptions& options);

// The legal neighbours of the refused cases of a file. Each runs once.
class Neighbours {
 public:
  // All three must outlive this.
  Neighbours(Backend& backend, const GoldenFile& file, const CaseOptions& options)
      : backend_(backend), file_(file), options_(options) {}

  // Judges the neighbour of a refused case. Fails as FindNeighbour does.
  Result<Judgement> Judge(const GoldenCase& refused);

 private:
  Result<Judgement> Run(const GoldenCase& refused);

  Backend& backend_;
  const GoldenFile& file_;
  const CaseOptions& options_;
  std::map<std::string, Result<Judgement>> judged_;  // by name
};

// Judges whether the backend refuses a module that must be refused. A refusal proves nothing if the backend declines or
// fails the legal neighbour too: the case is then UNSUPPORTED.
Result<GoldenResult> JudgeRefusal(const GoldenCase& golden, GoldenModules& modules, Backend& backend,
                                  Neighbours& neighbours);
// Judges a case with a host. Only assay's own evaluator has a host.
Result<GoldenResult> JudgeWithHost(const GoldenFile& file, const GoldenCase& golden, Backend& backend,
                                   const CaseOptions& options);

}  // namespace assay
