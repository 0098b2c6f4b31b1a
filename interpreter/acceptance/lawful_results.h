// One instruction's lawful results: the exact ones, widened by what its rule and the profile's freedoms allow.
#pragma once

#include <memory>
#include <span>

#include "interpreter/acceptance/ops/value_set.h"
#include "interpreter/acceptance/rule.h"

namespace assay {

// `value` is the reference's result, `image` the set of exact results (OpAcceptance::image; null: all are decided). The
// operands of `judged` are not read.
ValueSet WidenToLawful(const JudgedInstruction& judged, std::span<const ValueSet> operands, const Literal& value,
                       std::shared_ptr<const OpenElements> image, SetEvaluation& evaluation);

// True if a result says more of a NaN than that it is one.
bool TellsNans(const HloInstruction& instruction, std::span<const ValueSet> operands, const Literal& value);

// The operands with every NaN open: its sign and its payload are free.
std::vector<ValueSet> WithOpenNans(std::span<const ValueSet> operands);

}  // namespace assay
