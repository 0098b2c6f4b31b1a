// Computations that are applied to elements: those of map, reduce, sort, scatter.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "backends/cuda/kernels/emitter.h"

namespace assay::cuda {

// Whether every instruction of a computation of scalars has element text. Its root may be a tuple of scalars.
bool HasAppliedText(const HloComputation& computation);

// Of such a one: whether its results are the reference's to the bit.
bool HasExactApplication(const HloComputation& computation);

// The types of what it returns.
std::vector<PrimitiveType> ResultTypes(const HloComputation& computation);

// Writes the application to elements with these names, one for each parameter; the names of its results. May be written
// any number of times.
std::vector<std::string> Applied(const HloComputation& computation, std::span<const std::string> arguments, Body& body,
                                 ElementEmitter& emitter);

}  // namespace assay::cuda
