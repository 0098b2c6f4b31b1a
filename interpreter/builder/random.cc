#include "interpreter/builder/random.h"

#include "interpreter/builder/add_instruction.h"

namespace assay::xla {

XlaOp RngNormal(XlaOp mu, XlaOp sigma, const Shape& shape) {
  return AddInstruction("rng", {mu, sigma}, {{"distribution", "rng_normal"}}, shape);
}

XlaOp RngUniform(XlaOp a, XlaOp b, const Shape& shape) {
  return AddInstruction("rng", {a, b}, {{"distribution", "rng_uniform"}}, shape);
}

XlaOp RngBitGenerator(RandomAlgorithm algorithm, XlaOp initial_state, const Shape& shape) {
  static constexpr const char* kNames[] = {"rng_default", "rng_three_fry", "rng_philox"};
  const Shape* state = FindShape(initial_state);
  return AddInstruction("rng-bit-generator", {initial_state}, {{"algorithm", kNames[algorithm]}},
                        ShapeUtil::MakeTupleShape({state == nullptr ? Shape() : *state, shape}));
}

}  // namespace assay::xla
