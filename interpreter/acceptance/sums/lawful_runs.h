// A program run by lawful evaluations of it, where its sums may be kept in a narrow type.
#pragma once

#include <span>
#include <string>

#include "interpreter/acceptance/profile.h"
#include "interpreter/evaluator/evaluator.h"
#include "interpreter/hlo/module.h"
#include "interpreter/types/literal.h"

namespace assay {

// Sets are as wide as the bound of a sum in any order, which in a narrow type may be as large as the sum: every output
// of a softmax may then be wrong by a tenth. Here the module is run once by each algorithm of summation, with random
// legal errors in the other instructions. Returns what is unlike these runs; empty: nothing. Modules without such sums,
// and those that decide by numbers, are not run.
std::string FindUnlikeLawfulRuns(const HloModule& module, const std::vector<Literal>& arguments, const Literal& want,
                                 const Literal& got, const Profile& profile, const EvaluationLimits& limits);

}  // namespace assay
