// Element-wise ops, drawn from their records alone: the op's own rule determines which element types are legal
// together.
#pragma once

#include <cstdint>
#include <vector>

#include "fuzz/generate/instruction_drawer.h"

namespace assay::generate {

struct Signature {
  std::vector<PrimitiveType> operands;
  PrimitiveType result = PRIMITIVE_TYPE_INVALID;
};

struct ElementWise {
  std::vector<Signature> signatures;
  TypeSet types;  // of operand 0
  // The sets of operands, as bits of operand numbers, that may be scalars while the others are arrays. The empty set is
  // always legal.
  std::vector<std::uint32_t> scalars;
};

// Returns the signatures of an op with a kernel.
const ElementWise& ElementWiseOf(const Op& op);

// Draws the instruction of an op with a kernel.
XlaOp DrawElementWise(InstructionDrawer& drawer);

// Adds an op that keeps the element type to a value; a second operand is one of `others`.
XlaOp DrawStep(Random& random, XlaOp value, const std::vector<XlaOp>& others, PrimitiveType type);

}  // namespace assay::generate
