// The parts of a module other than its computations.
#pragma once

#include "interpreter/hlo/module.h"
#include "interpreter/proto/message.h"
#include "interpreter/types/result.h"

namespace assay::proto {

// Reads the layouts of the entry, aliases, donors, the numbers of devices, and attributes. The module must have its
// computations.
Status ReadHeader(const Message& message, HloModule& module);
void WriteHeader(const HloModule& module, MessageWriter& message);

// Writes the shapes of a computation's parameters and result.
MessageWriter WriteProgramShape(const std::vector<Shape>& parameters, const Shape& result,
                                const HloComputation& computation);

}  // namespace assay::proto
