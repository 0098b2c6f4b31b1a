// The mutants, by what they break.
#pragma once

#include <vector>

#include "backends/mutant/mutant.h"

namespace assay {

std::vector<Mutant> FunctionMutants();  // element-wise, of floats
std::vector<Mutant> IntegerMutants();   // element-wise, of integers, predicates and conversions
std::vector<Mutant> MovementMutants();  // elements moved, not changed
std::vector<Mutant> FoldMutants();      // sums, windows, orders and control flow
std::vector<Mutant> MatrixMutants();    // transforms, factorizations, normalizations
std::vector<Mutant> DeviceMutants();    // several devices, and state

}  // namespace assay
