// Factors of matrices whose signs are free, beside those of samples.
#pragma once

#include <span>
#include <string>

#include "interpreter/acceptance/choices.h"
#include "interpreter/acceptance/statistics/samples/decisions.h"
#include "interpreter/acceptance/statistics/samples/other_decisions.h"
#include "interpreter/acceptance/statistics/samples/sample_runs.h"
#include "interpreter/acceptance/statistics/samples/sampled_output.h"
#include "interpreter/types/literal.h"

namespace assay {

// Factors whose signs are free are outputs of their own. Their properties are those of the reference's operands, which
// rounding errors and open decisions may move: samples show how far. Returns the reason why an output is much farther;
// empty if none is.
std::string FaultOfFactors(std::span<const SampledOutput> outputs, const Literal& want, const Literal& got,
                           const Choices& choices, const Decisions& decisions, OtherDecisions& decided,
                           SampleRuns& runs);

}  // namespace assay
