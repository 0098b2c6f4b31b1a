// A case of a golden file on a backend: judgements by its kind.
#pragma once

#include <optional>
#include <string>

#include "conformance/cases/golden.h"
#include "conformance/judging/compiled_module.h"
#include "conformance/judging/judge_case.h"
#include "conformance/running/outcome.h"

namespace assay {

// The judgement of a backend's result for a golden.
struct GoldenResult {
  Judgement judgement;
  std::string narrowest_profile;
  std::optional<Evidence> evidence = {};
};

// Judges the result of a case. `compiled` is its module on the backend.
Result<GoldenResult> JudgeGolden(const GoldenFile& file, const GoldenCase& golden, Backend& backend,
                                 CompiledModule& compiled, const CaseOptions& options);
// Judges whether the backend refuses a module that must be refused.
Result<GoldenResult> JudgeRefusal(const GoldenCase& golden, GoldenModules& modules, Backend& backend);
// Judges a case with a host. Only assay's own evaluator has a host.
Result<GoldenResult> JudgeWithHost(const GoldenFile& file, const GoldenCase& golden, Backend& backend,
                                   const CaseOptions& options);

}  // namespace assay
