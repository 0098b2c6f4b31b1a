// Checks a module against the rules of the operation set. A module that passes can be evaluated: every op finds
// operands and attributes as its record demands.
#pragma once

#include <vector>

#include "interpreter/hlo/module.h"
#include "interpreter/types/result.h"

namespace assay {

struct VerifierOptions {
  // Layouts have been assigned: what hands values on keeps theirs, and so does what computes element by element.
  bool layout_sensitive = false;
};

// Every broken rule that was found, each with its place and the code kIllegal (kLimit for sizes that do not fit); empty
// when the module is legal. Rules about the structure of the module come first, and when one of those is broken nothing
// else is looked at.
std::vector<Error> FindIllegal(const HloModule& module, const VerifierOptions& options = {});

// The first of them.
Status VerifyHloModule(const HloModule& module);

}  // namespace assay
