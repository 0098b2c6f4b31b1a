// Doubtful elements: a kernel lists the elements whose rounding it cannot decide, and the host computes them again.
#pragma once

#include <string>

#include "backends/cuda/kernels/body.h"
#include "backends/cuda/kernels/program.h"
#include "interpreter/hlo/module.h"

namespace assay::cuda {

// Adds the list of doubts, which is scratch memory 0 of all launches, and a launch that empties it. Must precede all
// other launches.
void AddDoubts(KernelProgram& program, const HloComputation& fused);

// Writes code that adds an element to the list, x0, unless the condition holds.
void WriteDoubtUnless(Body& body, const std::string& condition, const std::string& element);

}  // namespace assay::cuda
