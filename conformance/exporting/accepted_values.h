// The results that a profile accepts for a case, as plain data. The judge is asked for the verdicts of results that
// nobody has computed: numbers at the ends of intervals, found by bisection, and whole results drawn from them.
#pragma once

#include <string>
#include <vector>

#include "conformance/exporting/component_search.h"
#include "conformance/judging/instruction_values.h"
#include "interpreter/acceptance/profile.h"
#include "interpreter/evaluator/evaluator.h"
#include "interpreter/hlo/module.h"

namespace assay {

struct AcceptedValues {
  std::vector<std::vector<AcceptedRange>> arrays;  // of each array of the result, by element and part
  // The reason why ranges cannot say what the judge says, so that only a result with the exact bits has a verdict. Then
  // `arrays` is empty.
  std::string undecided;
};

// Errors are those of the judge.
Result<AcceptedValues> FindAcceptedValues(const HloModule& module, const DeviceValues& arguments,
                                          const InstructionValues& reference, const Profile& profile,
                                          const EvaluationLimits& limits);

}  // namespace assay
