// The handwritten mutants, by the ops that they break.
#pragma once

#include <vector>

#include "backends/mutant/mutant.h"

namespace assay {

std::vector<Mutant> FunctionMutants();  // element-wise, of floats
std::vector<Mutant> IntegerMutants();   // element-wise, of integers, predicates, complex parts and conversions
std::vector<Mutant> MovementMutants();  // elements moved, not changed
std::vector<Mutant> FoldMutants();      // sums, windows and orders
std::vector<Mutant> CallMutants();      // calls, control flow, copies, tuples and parameters
std::vector<Mutant> MatrixMutants();    // transforms, factorizations, normalizations
std::vector<Mutant> DeviceMutants();    // several devices, and state
std::vector<Mutant> TransferMutants();  // between two devices, and with the host

}  // namespace assay
