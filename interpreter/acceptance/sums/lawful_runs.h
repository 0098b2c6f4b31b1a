// Runs a program by lawful evaluations whose sums are kept in a narrow type.
#pragma once

#include <span>
#include <string>

#include "interpreter/acceptance/profile.h"
#include "interpreter/evaluator/evaluator.h"
#include "interpreter/hlo/module.h"
#include "interpreter/types/literal.h"

namespace assay {

// Compares a result with runs of the module, one by each algorithm of summation, with random legal errors in the other
// instructions. Returns the difference from these runs; empty if there is none. Does not run modules without narrow
// sums, nor those that decide by numbers. Sets are too wide for this: the bound of a sum in any order may be as large
// as the sum in a narrow type, and every output of a softmax may then be wrong by a tenth.
std::string FindUnlikeLawfulRuns(const HloModule& module, const std::vector<Literal>& arguments, const Literal& want,
                                 const Literal& got, const Profile& profile, const EvaluationLimits& limits);

}  // namespace assay
