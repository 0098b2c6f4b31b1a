// The characteristics of a failure that distinguish it from others.
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
  // The ops that have the verdict alone. Empty: the difference arises in the module as a whole.
  std::set<std::string> ops;
  // The words of the reason without names, numbers and shapes, or how a process ended. Empty if `ops` identifies the
  // failure.
  std::string words;

  // True if the verdict needs the attention of a backend's author.
  bool IsOne() const { return verdict >= Verdict::kWeak; }
  // True if the verdict is the same, for one of the same ops if some failed alone, otherwise with the same words.
  bool IsLike(const Failure& first) const;
};

// Returns the failure in a report; the only reader of reports here.
Failure FailureOf(const ModuleReport& report, const HloModule& module);
Result<Failure> FindFailure(Backend& backend, const HloModule& module, const DeviceValues& arguments,
                            const CompareOptions& options);

// Returns the timeout in seconds for variants of a failing subject: they are no larger, but a loop may never end.
double TimeoutOfTries(double timeout, const Failure& first, double seconds_of_first);

// True if a module still fails. An error is one of the backend that makes further tries pointless.
using StillFails = std::function<Result<bool>(const HloModule& module, const DeviceValues& arguments)>;
// Returns a predicate that is true if a module fails like `first`. A module that the reference cannot evaluate, or not
// within the limits, does not fail. The backend must outlive the predicate.
StillFails FailsLike(Backend& backend, const CompareOptions& options, const Failure& first);

// Returns a predicate like FailsLike, with a further condition: the module must not fail if the compiler omits a pass.
StillFails FailsByPass(Backend& backend, const CompareOptions& options, const Failure& first, const std::string& pass);

}  // namespace assay
