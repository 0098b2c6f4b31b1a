// What a failure is, so that it can be told from another one.
#pragma once

#include <functional>
#include <optional>
#include <set>
#include <string>

#include "backends/backend.h"
#include "conformance/judging/compare.h"
#include "interpreter/acceptance/judge.h"
#include "interpreter/hlo/module.h"
#include "interpreter/types/per_device.h"
#include "interpreter/types/result.h"

namespace assay {

struct Failure {
  Verdict verdict = Verdict::kExact;
  std::string reason;
  // Which ops come to the verdict alone. None: the difference arises in the module as a whole.
  std::set<std::string> ops;
  // The words of the reason that are no names, numbers or shapes; how a process ended. Empty where ops say enough.
  std::string words;

  // No failure at all for what no author of a backend has to look at.
  bool IsOne() const { return verdict >= Verdict::kWeak; }
  // The same verdict, for one of the same ops if some failed alone, else in the same words.
  bool IsLike(const Failure& first) const;
};

// The one place that reads a report.
Failure FailureOf(const ModuleReport& report, const HloModule& module);
Result<Failure> FindFailure(Backend& backend, const HloModule& module, const DeviceValues& arguments,
                            const CompareOptions& options);

// Seconds for what is tried of something that fails: it is no larger, but a loop of it may never end.
double TimeoutOfTries(double timeout, const Failure& first, double seconds_of_first);

// Whether a module still fails. An error is one of the backend that makes going on useless.
using StillFails = std::function<Result<bool>(const HloModule& module, const DeviceValues& arguments)>;
// Fails like `first`. What the reference does not evaluate, or not within the limits, does not. The backend must live
// as long.
StillFails FailsLike(Backend& backend, const CompareOptions& options, const Failure& first);

// The same, and does not when the compiler leaves out a pass.
StillFails FailsByPass(Backend& backend, const CompareOptions& options, const Failure& first, const std::string& pass);

}  // namespace assay
