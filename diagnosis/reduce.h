// The smallest module and inputs that still fail (docs/reproducing.md#a-smaller-module).
#pragma once

#include <cstdint>
#include <functional>
#include <string_view>

#include "diagnosis/search.h"
#include "diagnosis/subject.h"
#include "interpreter/evaluator/evaluator.h"

namespace assay {

struct Reduction {
  Subject subject;
  SubjectSize before, after;
  std::int64_t tries = 0;
  double seconds = 0;
  bool is_cut_short = false;  // the time was up before nothing more could be made smaller
};

// How far a failing module may be changed.
enum class Extent {
  kRegion,  // instructions are cut off, calls and loops opened; what is left computes what it computed, on the same
            // values
  kAll,     // sizes, types, attributes and values besides
};

// The subject must fail. Every step is a legal module that the reference evaluates. `on_step` is told of what is
// there before each kind of step.
Result<Reduction> Reduce(const Subject& subject, Search& search, const EvaluationLimits& limits, Extent extent,
                         const std::function<void(std::string_view step, const Subject&)>& on_step = {});

// Limits of the reference for what is made of a subject, which may loop for ever: some multiple of the steps that the
// subject takes, where nobody asks for less.
Result<EvaluationLimits> LimitsFor(const Subject& subject, EvaluationLimits asked);

}  // namespace assay
