// Element-wise ops, known from their records alone: the element types that go together are those that the op's own rule
// accepts.
#pragma once

#include <cstdint>
#include <vector>

#include "generate/draft.h"

namespace assay::generate {

struct Signature {
  std::vector<PrimitiveType> operands;
  PrimitiveType result = PRIMITIVE_TYPE_INVALID;
};

struct ElementWise {
  std::vector<Signature> signatures;
  TypeSet types;  // of operand 0
  // Which operands may be scalars beside arrays: sets of operand numbers, as bits. No operand always may.
  std::vector<std::uint32_t> scalars;
};

// Of an op with a kernel.
const ElementWise& ElementWiseOf(const Op& op);

// The instruction of an op with a kernel.
XlaOp DrawElementWise(Draft& draft);

// A value made from another, and from more of its shape where the op takes two, by an op that keeps element types.
XlaOp DrawStep(Random& random, XlaOp value, const std::vector<XlaOp>& others, PrimitiveType type);

}  // namespace assay::generate
