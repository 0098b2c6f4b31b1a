// The results that a profile accepts for a case, as plain data. The search judges made-up results: landmarks and
// bisection find the ends of ranges (number_line.h), and whole results drawn from the ranges confirm them.
#pragma once

#include <string>
#include <vector>

#include "conformance/exporting/number_line.h"
#include "conformance/judging/instruction_values.h"
#include "interpreter/acceptance/profile.h"
#include "interpreter/evaluator/evaluator.h"
#include "interpreter/hlo/module.h"

namespace assay {

struct AcceptedValues {
  std::vector<std::vector<AcceptedRange>> arrays;  // for each array of the result, sorted by element and part
  // The reason why ranges cannot express the judge's verdicts; then `arrays` is empty, and only the exact bits have a
  // verdict. Empty if ranges express them.
  std::string undecided;
};

// Finds the ranges of a module's result. `arguments` has the arrays of each device, and `reference` the result and the
// operands of the root in the reference. Fails with the errors of the judge, for instance at a limit.
Result<AcceptedValues> FindAcceptedValues(const HloModule& module, const DeviceValues& arguments,
                                          const InstructionValues& reference, const Profile& profile,
                                          const EvaluationLimits& limits);

}  // namespace assay
