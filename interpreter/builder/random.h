// Random numbers.
#pragma once

#include "interpreter/builder/builder.h"
#include "interpreter/builder/dimension_numbers.h"

namespace assay::xla {

XlaOp RngNormal(XlaOp mu, XlaOp sigma, const Shape& shape);
// Returns numbers in [a, b).
XlaOp RngUniform(XlaOp a, XlaOp b, const Shape& shape);
// Returns the next state of the generator and an array of random bits.
XlaOp RngBitGenerator(RandomAlgorithm algorithm, XlaOp initial_state, const Shape& shape);

}  // namespace assay::xla
