// The parts of a module, its entry and its functions that are not instructions.
#pragma once

#include <vector>

#include "interpreter/hlo/module.h"
#include "interpreter/stablehlo/to_hlo_translator.h"

namespace assay::stablehlo {

// Sets the name, the numbers of devices, the layouts of the entry, aliases and donors, and frontend attributes.
Status SetModuleAttributes(const Program& program, const Operation& main, HloModule& module);
// Sets the sharding and the frontend attributes of an argument.
Status AnnotateArgument(const Program& program, const Operation& function, std::size_t index,
                        HloInstruction& parameter);
// Adds and returns the root of a function's computation: its result, or a tuple of its results, with their shardings.
Result<HloInstruction*> AddFunctionResults(const Program& program, const Operation& function, Translator& translator,
                                           std::vector<HloInstruction*> results);

}  // namespace assay::stablehlo
