// Copies of modules.
#pragma once

#include <memory>

#include "interpreter/hlo/module.h"

namespace assay {

// Returns a deep copy, which can be changed without changing the original.
std::unique_ptr<HloModule> CloneModule(const HloModule& module);

// Returns a copy with a computation of the module as its entry, without the computations that the entry does not call.
// For another entry than the module's, entry_computation_layout has the shapes of its parameters and root, and the copy
// has no aliases, donors or sharding propagation, which name the old entry's parameters and results. The module need
// not be legal.
std::unique_ptr<HloModule> CloneWithEntry(const HloModule& module, const HloComputation& entry);

}  // namespace assay
