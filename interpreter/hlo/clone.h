// Copies of modules.
#pragma once

#include <memory>

#include "interpreter/hlo/module.h"

namespace assay {

// A module of which any part may be changed without changing the original.
std::unique_ptr<HloModule> CloneModule(const HloModule& module);

}  // namespace assay
