// The compiler pass that makes a correct module wrong (docs/reproducing.md#the-pass-that-is-wrong).
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "backends/backend.h"
#include "conformance/diagnosis/failure.h"
#include "conformance/diagnosis/subject.h"

namespace assay {

// The result of a module with other compiler options.
enum class WithOptions {
  kFails,    // as with the default options
  kRight,    // no failure
  kRefused,  // another result: the compiler needs what the options omit
};
using TryOptions = std::function<WithOptions(const CompilerOptions& options)>;
// Returns a function that runs the backend with other options and compares with `first`; it resets the backend's
// options. The arguments must outlive the function.
TryOptions TryOn(Backend& backend, const Subject& subject, const CompareOptions& options, const Failure& first);

struct Blame {
  // A minimal set whose omission makes the module right. One element: the pass at fault. Empty: no set of passes
  // explains the failure.
  std::vector<std::string> passes;
  std::vector<std::string> needed;         // the compiler cannot omit these, so they are not tested
  std::optional<CompilerSetting> setting;  // if no pass explains the failure: a setting that makes the module right
  std::string changing;                    // if no setting does either: a pass that changes the value, if there is one
  std::int64_t tries = 0;
};
// True if the module has another value after a pass, by the reference.
using ChangesValue = std::function<bool(const std::string& pass)>;
// The trace and the subject must outlive the result.
ChangesValue ChangesValueOf(const CompilerTrace& trace, const Subject& subject, const EvaluationLimits& limits);
// Finds the passes at fault; tries passes that change the value first.
Blame FindBlame(const CompilerTrace& trace, const TryOptions& try_options, const ChangesValue& changes_value);

// The first run of a pass after which the module has another value by the reference. If there is none, or the
// compiler's text cannot be read, it is the pass's first run.
struct BlamedRun {
  const PassRun* run = nullptr;
  enum class Value { kOther, kSame, kUnknown } value = Value::kUnknown;
};
BlamedRun FindRun(const CompilerTrace& trace, const std::string& pass, const Subject& subject,
                  const EvaluationLimits& limits);

// Returns the different lines of two modules, "- ..." and "+ ...", without annotations.
std::vector<std::string> DifferentLines(const std::string& before, const std::string& after);

}  // namespace assay
