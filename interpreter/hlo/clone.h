// Copies of modules.
#pragma once

#include <memory>

#include "interpreter/hlo/module.h"

namespace assay {

// A module of which any part may be changed without changing the original.
std::unique_ptr<HloModule> CloneModule(const HloModule& module);

// The same with a computation of the module as its entry, and without the computations that this does not call. It has
// the layouts of the old entry's parameters and result. The module need not be legal.
std::unique_ptr<HloModule> CloneWithEntry(const HloModule& module, const HloComputation& entry);

}  // namespace assay
