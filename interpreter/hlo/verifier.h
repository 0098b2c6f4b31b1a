// Checks a module against the rules of the operation set. A module that passes can be evaluated: every op has operands
// and attributes as its record requires.
#pragma once

#include <vector>

#include "interpreter/hlo/module.h"
#include "interpreter/types/result.h"

namespace assay {

struct VerifierOptions {
  // Layouts have been assigned: ops that pass values on and element-wise ops must keep them.
  bool layout_sensitive = false;
};

// Returns every violated rule, with its location and the code kIllegal (kLimit for sizes that do not fit); empty if the
// module is legal. Rules about the structure of the module come first; if one is violated, no other rule is checked.
std::vector<Error> FindIllegal(const HloModule& module, const VerifierOptions& options = {});

// Returns the first error of FindIllegal.
Status VerifyHloModule(const HloModule& module);

}  // namespace assay
