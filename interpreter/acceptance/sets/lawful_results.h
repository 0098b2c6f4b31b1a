// The lawful results of one instruction: the exact ones, widened by what its rule and the profile's freedoms allow.
#pragma once

#include <memory>
#include <span>

#include "interpreter/acceptance/ops/value_set.h"
#include "interpreter/acceptance/rule.h"

namespace assay {

// Widens `image`, the set of exact results (OpAcceptance::image; null: all are decided), to the set of lawful results.
// `value` is the reference's result. The operands of `judged` are not read.
ValueSet WidenToLawful(const JudgedInstruction& judged, std::span<const ValueSet> operands, const Literal& value,
                       std::shared_ptr<const OpenElements> image, SetEvaluation& evaluation);

// Returns the numbers that the rule alone lets a backend store for an element, without any freedom.
struct ElementFacts;
Reals LawfulByRule(const ElementFacts& element);

// True if a result depends on the sign or payload of a NaN.
bool TellsNans(const HloInstruction& instruction, std::span<const ValueSet> operands, const Literal& value);

// Returns the operands with every NaN open: its sign and its payload are free.
std::vector<ValueSet> WithOpenNans(std::span<const ValueSet> operands);

}  // namespace assay
