// Elements of a result that a kernel is not sure of: it names them, and the host computes them again.
#pragma once

#include <string>

#include "backends/cuda/kernels/body.h"
#include "backends/cuda/kernels/program.h"
#include "interpreter/hlo/module.h"

namespace assay::cuda {

// The scratch memory of the program's first launch and of all others begins with the list of doubts; this adds it, and
// the launch that empties it.
void AddDoubts(KernelProgram& program, const HloComputation& fused);

// Adds an element to the list, x0, unless the condition holds.
void WriteDoubtUnless(Body& body, const std::string& condition, const std::string& element);

}  // namespace assay::cuda
