// The smallest module and inputs that still fail (docs/reproducing.md#a-smaller-module).
#pragma once

#include <cstdint>
#include <functional>
#include <string_view>

#include "conformance/diagnosis/search.h"
#include "conformance/diagnosis/subject.h"
#include "interpreter/evaluator/evaluator.h"

namespace assay {

struct Reduction {
  Subject subject;
  SubjectSize before, after;
  std::int64_t tries = 0;
  double seconds = 0;
  bool is_cut_short = false;  // the time ran out before the module was minimal
};

// The changes that a reduction may make.
enum class ReductionScope {
  kRegion,  // removes instructions, opens calls and loops; the remaining ones compute the same on the same values
  kAll,     // changes sizes, types, attributes and values, too
};

// Reduces a subject, which must fail. Every step is a legal module that the reference evaluates. `on_step` receives the
// current subject before each kind of step.
Result<Reduction> Reduce(const Subject& subject, Search& search, const EvaluationLimits& limits, ReductionScope extent,
                         const std::function<void(std::string_view step, const Subject&)>& on_step = {});

// Returns limits of the reference for variants of a subject, which may loop forever: a multiple of the subject's own
// steps, but not more than the limits that the user set.
Result<EvaluationLimits> LimitsFor(const Subject& subject, EvaluationLimits asked);

}  // namespace assay
