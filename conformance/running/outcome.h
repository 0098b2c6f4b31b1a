// The outcomes of a check's cases: goldens and models, each run on a backend and judged.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "backends/backend.h"
#include "conformance/cases/case_filter.h"
#include "conformance/cases/golden.h"
#include "conformance/judging/compare.h"
#include "conformance/judging/evidence.h"

namespace assay {

// The text in place of a verdict, for cases without one.
inline constexpr std::string_view kUnjudged = "UNJUDGED";

// The profiles from the strictest to the widest. Each one accepts everything that the previous one accepts.
inline constexpr std::string_view kProfileChain[] = {"exact", "ieee", "ftz", "xla", "fast"};

// The further runs of a case whose bits were compared with those of an earlier run; any NaN equals any other.
struct Flips {
  std::int64_t runs = 0;
  std::int64_t differing = 0;  // runs with another result
  // The first run with another result: the element with the largest distance and its two values, or the two errors.
  std::string element = {};
  std::string before = {};
  std::string after = {};
  std::map<std::string, std::int64_t> settings = {};  // differing runs by setting of --vary: "threads=1"

  nlohmann::json ToJson() const;
  static Flips FromJson(const nlohmann::json& json);
};

struct Outcome {
  std::string name;   // "add/f32/ties", "model/mlp"; "add/f32" for a golden file that cannot be read
  std::string op;     // empty for a model
  std::string place;  // of a golden: "golden/add/f32.hlo:13"
  std::set<PrimitiveType> types;
  // The reason for having no verdict: the case is broken, or exceeds the limits of the reference.
  std::optional<Error> unjudged;
  Judgement judgement;  // of a golden
  // The strictest profile of kProfileChain under which a golden does not fail; empty: it fails under all.
  std::string narrowest_profile;
  std::optional<Evidence> evidence;  // of a golden that failed
  std::vector<ArrayMetrics> golden_metrics;
  // The verdicts of further runs of a failed case. If they differ from the first verdict, the case is flaky.
  std::vector<Verdict> retries;
  std::optional<Flips> flips;  // of a case that returned different bits when it was repeated (repeats.h)
  std::string bits;            // a digest of the result, 16 hexadecimal digits; empty if there is none
  // The reason of a crash that did not happen again when the case ran alone in a new process: earlier cases may have
  // damaged the first process. The verdict is that of the second run.
  std::string died_once;
  std::optional<ModuleReport> model;
  std::int64_t elided_constants = 0;  // constants that the model's text elides

  bool is_model() const { return op.empty(); }
  // True if runs of the case had different verdicts or results.
  bool is_flake() const;
  Verdict verdict() const { return model ? model->verdict : judgement.verdict; }  // unless unjudged
  std::string_view VerdictText() const { return unjudged ? kUnjudged : VerdictName(verdict()); }
  const std::vector<ArrayMetrics>& metrics() const { return model ? model->metrics : golden_metrics; }
  const std::string& reason() const;  // of the crash that did not happen again, otherwise of the verdict
  // Returns the reason in one line: its first line, followed by the last line if the first one ends with a colon. The
  // last line is, for example, the last message of a backend that crashed; a stack trace below it does not count.
  std::string cause() const;
  nlohmann::json ToJson() const;
  // The inverse of ToJson, for an entry of a report's cases or models. Throws nlohmann::json::exception if a field is
  // absent or has another type.
  static Outcome FromJson(const nlohmann::json& json, bool is_model);
};

struct CaseOptions {
  Profile profile;
  EvaluationLimits limits;  // of the reference
  CaseFilter filter;
  std::vector<std::string> tags = {};                         // goldens whose file has all of them
  std::optional<std::set<std::string>> names = std::nullopt;  // only these goldens
  std::int64_t retries = 0;  // the number of further runs of a failed case, each compiled anew
  std::function<bool(const std::string& name)> is_known_death = {};  // of a case: it does not run again after a crash
  JudgingTime judging = {};                                          // of one case
  JudgingObserver on_judging = {};                                   // may be called on several threads
};

// Returns the names of the cases of a golden file that filter and tags keep.
std::vector<std::string> CaseNames(const std::string& path, const CaseOptions& options);
// Calls `visit` for each case of a golden file that filter and tags keep, in order. Returns the error of a file that
// cannot be read.
using CaseVisitor = std::function<void(const GoldenFile& file, GoldenModules& modules, const GoldenCase& golden)>;
Status VisitCases(const std::string& path, const CaseOptions& options, const CaseVisitor& visit);
// "model/mlp"
std::string ModelName(const std::string& path);
// A module of --models with its arguments: those recorded with it, otherwise seeded ones.
struct ModelCase {
  std::unique_ptr<HloModule> module;
  DeviceValues arguments;
  std::int64_t elided_constants = 0;  // filled from the seed
};
// `note` receives what a user should know about the conversion and the inputs.
Result<ModelCase> ReadModel(const std::string& path, const std::function<void(const std::string&)>& note);
bool KeepsModel(const std::string& path, const CaseOptions& options);

// A file of cases.
struct CaseFile {
  std::string path;
  bool is_model = false;  // a module, which is one case
};
// Calls RunGoldenFile or RunModel.
void RunCaseFile(Backend& backend, const CaseFile& file, const CaseOptions& options,
                 const std::function<void(Outcome)>& take);

// Runs the cases of a golden file that filter and tags keep, in order.
void RunGoldenFile(Backend& backend, const std::string& path, const CaseOptions& options,
                   const std::function<void(Outcome)>& take);

// Runs a module with seeded inputs and constants.
Outcome RunModel(Backend& backend, const std::string& path, const CaseOptions& options);

}  // namespace assay
