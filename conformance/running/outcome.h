// What comes of the cases of a check: goldens and models, each run on a backend and judged.
#pragma once

#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "backends/backend.h"
#include "conformance/cases/case_filter.h"
#include "conformance/judging/compare.h"
#include "conformance/judging/evidence.h"

namespace assay {

// What stands in the place of a verdict where there is none.
inline constexpr std::string_view kUnjudged = "UNJUDGED";

// From the strictest on: each accepts what the one before it does.
inline constexpr std::string_view kProfileChain[] = {"exact", "ieee", "ftz", "xla", "fast"};

struct Outcome {
  std::string name;   // "add/f32/ties", "model/mlp"; of a golden file that cannot be read "add/f32"
  std::string op;     // empty: a model
  std::string place;  // of a golden: "golden/add/f32.hlo:13"
  std::set<PrimitiveType> types;
  // Why there is no verdict: the case is broken, or beyond the limits of the reference.
  std::optional<Error> unjudged;
  Judgement judgement;  // of a golden
  // The strictest profile of kProfileChain under which a golden does not fail; empty: it fails under each.
  std::string narrowest_profile;
  std::optional<Evidence> evidence;  // of a golden that failed
  // Where a case that failed was run again: the verdicts of these runs. They differ: a flake.
  std::vector<Verdict> retries;
  // Why the backend died of the case, where it did not die again when the case ran alone, in a new process: what ran
  // before may have damaged the first one. The verdict is that of the second run.
  std::string died_once;
  std::optional<ModuleReport> model;
  std::int64_t elided_constants = 0;  // that the model's text left out

  bool is_model() const { return op.empty(); }
  // Whether it came to different verdicts.
  bool is_flake() const;
  Verdict verdict() const { return model ? model->verdict : judgement.verdict; }  // unless unjudged
  std::string_view VerdictText() const { return unjudged ? kUnjudged : VerdictName(verdict()); }
  const std::string& reason() const;  // of the death that did not happen again, else of the verdict
  // The reason in one line: its first line, and the last one where the first announces more with a colon, such as the
  // last words of a backend that died.
  std::string cause() const;
  nlohmann::json ToJson() const;
  // The same the other way, of what stood among the cases or the models of a report. Throws nlohmann::json::exception
  // where something is missing or of another kind.
  static Outcome FromJson(const nlohmann::json& json, bool is_model);
};

struct CaseOptions {
  Profile profile;
  EvaluationLimits limits;  // of the reference
  CaseFilter filter;
  std::vector<std::string> tags = {};                                // goldens whose file has all of them
  std::optional<std::set<std::string>> names = std::nullopt;         // goldens that are among these
  std::int64_t retries = 0;                                          // how often what fails runs again, compiled anew
  std::function<bool(const std::string& name)> is_known_death = {};  // of a case: it does not run again
  JudgingTime judging = {};                                          // of one case
  JudgingObserver on_judging = {};                                   // may be called on several threads
};

// The names of the cases of a golden file that filter and tags keep.
std::vector<std::string> CaseNames(const std::string& path, const CaseOptions& options);
// "model/mlp"
std::string ModelName(const std::string& path);
bool KeepsModel(const std::string& path, const CaseOptions& options);

// A file of cases.
struct CaseFile {
  std::string path;
  bool is_model = false;  // a module, which is one case
};
// RunGoldenFile or RunModel.
void RunCaseFile(Backend& backend, const CaseFile& file, const CaseOptions& options,
                 const std::function<void(Outcome)>& take);

// Runs the cases of a golden file that filter and tags keep, one after the other.
void RunGoldenFile(Backend& backend, const std::string& path, const CaseOptions& options,
                   const std::function<void(Outcome)>& take);

// Runs a module with seeded inputs and constants.
Outcome RunModel(Backend& backend, const std::string& path, const CaseOptions& options);

}  // namespace assay
