// The pass of a compiler that turns right into wrong (docs/reproducing.md#the-pass-that-is-wrong).
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "backends/backend.h"
#include "diagnosis/failure.h"
#include "diagnosis/subject.h"

namespace assay {

// What comes of a module with other options of the compiler.
enum class WithOptions {
  kFails,    // as before
  kRight,    // no failure
  kRefused,  // something else: the compiler cannot do without
};
using TryOptions = std::function<WithOptions(const CompilerOptions& options)>;
// Fails like `first` or not, on this backend, whose options are put back. All must live as long.
TryOptions TryOn(Backend& backend, const Subject& subject, const CompareOptions& options, const Failure& first);

struct Blame {
  // Without all of them the module is right, without any fewer it is not. One: that is the name. None: no set of passes
  // explains it.
  std::vector<std::string> passes;
  std::vector<std::string> needed;         // were found not to be left out, so nothing is known of them
  std::optional<CompilerSetting> setting;  // where no pass explains it: what makes it right
  std::string changing;                    // where neither does: a pass that changes the value, if there is one
  std::int64_t tries = 0;
};
// Whether the module has another value after a pass, by the reference.
using ChangesValue = std::function<bool(const std::string& pass)>;
// The trace and the subject must live as long.
ChangesValue ChangesValueOf(const CompilerTrace& trace, const Subject& subject, const EvaluationLimits& limits);
// Passes that change the value are tried first.
Blame FindBlame(const CompilerTrace& trace, const TryOptions& try_options, const ChangesValue& changes_value);

// The first run of a pass after which the module has another value by the reference; where there is none, or what the
// compiler writes cannot be read, the first run.
struct BlamedRun {
  const PassRun* run = nullptr;
  enum class Value { kOther, kSame, kUnknown } value = Value::kUnknown;
};
BlamedRun FindRun(const CompilerTrace& trace, const std::string& pass, const Subject& subject,
                  const EvaluationLimits& limits);

// The lines of two modules that differ, "- ..." and "+ ...", each with nothing but what it computes.
std::vector<std::string> DifferentLines(const std::string& before, const std::string& after);

}  // namespace assay
