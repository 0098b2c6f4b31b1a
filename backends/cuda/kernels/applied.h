// Computations that are applied to elements: those of map, reduce, sort and scatter.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "backends/cuda/kernels/emitter.h"

namespace assay::cuda {

// True if every instruction of a computation of scalars has element text. Its root may be a tuple of scalars.
bool HasAppliedText(const HloComputation& computation);

// True if the results of such a computation are bit-exact with the reference.
bool HasExactApplication(const HloComputation& computation);

// Returns the types of the computation's results.
std::vector<PrimitiveType> ResultTypes(const HloComputation& computation);

// Writes the application to elements with these names, one for each parameter. Returns the names of its results. May be
// called any number of times.
std::vector<std::string> Applied(const HloComputation& computation, std::span<const std::string> arguments, Body& body,
                                 ElementEmitter& emitter);

}  // namespace assay::cuda
