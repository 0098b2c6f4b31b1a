// The instructions that decide (decisions.h): small errors of their operands may move their results far.
#pragma once

#include <span>

#include "interpreter/hlo/module.h"
#include "interpreter/types/literal.h"

namespace assay {

bool Decides(const HloInstruction& instruction, std::span<const Literal> operands);

// True for a function of one real number with steps, whose results are exact between them.
bool HasSteps(const HloInstruction& instruction);
bool ComparesReals(const HloInstruction& instruction);
// True if the bits of a number become those of another one.
bool ChangesType(const HloInstruction& instruction);
// True for a function of complex numbers, which may have branch cuts.
bool HasCuts(const HloInstruction& instruction);
// True for a function such as log, whose results cannot be repeated: only its margins count.
bool IsSmoothButForPoles(const HloInstruction& instruction);

}  // namespace assay
