// New modules made of pieces of another one.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "interpreter/hlo/module.h"

namespace assay {

// A module whose entry applies each of the instructions to parameters of its own: the first instruction's operands are
// the first parameters, and so on. The root is the instruction itself when there is one, a tuple of them otherwise.
// Called computations are copied. `retype` gives the element type that each array of the copy has. Control predecessors
// and annotations stay behind, but for a backend_config that is an argument. The module has the devices of the old one
// where an instruction depends on them, else one.
std::unique_ptr<HloModule> ExtractInstructions(std::span<const HloInstruction* const> instructions,
                                               const std::function<PrimitiveType(PrimitiveType)>& retype = {});

}  // namespace assay
