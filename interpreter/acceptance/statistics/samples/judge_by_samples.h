// Judges the outputs of a module by samples: lawful runs of it (docs/judging.md#samples).
#pragma once

#include <memory>
#include <string>

#include "interpreter/acceptance/profile.h"
#include "interpreter/evaluator/evaluator.h"
#include "interpreter/hlo/module.h"
#include "interpreter/types/literal.h"
#include "interpreter/types/per_device.h"

namespace assay {

struct SampleFinding {
  // The reason why an output is unlike lawful results: SUSPECT. Empty if it is like them, or nothing is known.
  std::string suspect;
  // The reason why the samples do not explain an output, which is not suspect; empty if they explain all outputs.
  std::string unexplained;
  // The limit that ended the samples; empty if none did. Nothing is known then.
  std::string limit;
  // True if integers or predicates differ from the reference's. Samples may find another order or choice of them, but
  // do not show that this one is lawful.
  bool has_integers = false;
  // True if only real numbers differ, and every element is as near to a sample as samples are to each other, or one
  // unit in the last place away.
  bool is_among_samples = false;
};

enum class SampleQuestion { kAreSuspect, kAreExplained };

// Compares outputs with samples. A sample is a run by real algorithms of summation, with random errors of the size that
// the profile allows in every other result. Runs come in pairs that make the same decisions (decisions.h), so the
// distance between them shows, element by element, how far rounding errors grow. An element much farther from all runs
// than that is unexplained; so is an integer that no run gives. It is suspect if the decisions of the module would be
// the same with errors several times as large. Outputs that follow from a choice, such as random numbers, are not
// explained unless they are its own results and legal by its rule. `want` and `got` are the results of all devices:
// tuples if there are several.
class Samples {
 public:
  // All arguments must outlive this object.
  Samples(const HloModule& module, const DeviceValues& arguments, const Literal& want, const Literal& got,
          const Profile& profile, const EvaluationLimits& limits);
  ~Samples();
  // Runs the module until the samples answer. Fewer runs show whether outputs are suspect than whether samples explain
  // them: if they are not, and this is all that was asked, the finding has no `unexplained` and no `is_among_samples`.
  const SampleFinding& Find(SampleQuestion question);

 private:
  class Judge;
  std::unique_ptr<Judge> judge_;
};

// Asks whether samples explain the outputs.
SampleFinding JudgeBySamples(const HloModule& module, const DeviceValues& arguments, const Literal& want,
                             const Literal& got, const Profile& profile, const EvaluationLimits& limits = {});

}  // namespace assay
