// Random numbers that the module itself generates.
#include "fuzz/generate/ops/drawings.h"
#include "interpreter/builder/add_instruction.h"

namespace assay::generate {
using namespace xla;

// Draws numbers between two bounds, or with a mean and a deviation.
XlaOp DrawRng(InstructionDrawer& drawer) {
  Random& random = drawer.random();
  const bool is_normal = random.Flip();
  const PrimitiveType type = is_normal ? drawer.Type(TypesOf(F16, BF16, F32, F64))
                                       : drawer.Type(TypesOf(F16, BF16, F32, F64, S32, U32, S8, U8, S64, PRED));
  const Shape scalar = ShapeUtil::MakeScalarShape(S32);
  const bool has_sign = IsSignedIntegralType(type) || IsFloatingPointType(type);
  const Literal low = DrawIntegers(random, scalar, has_sign ? -1 : 0, 0);
  const Literal high = DrawIntegers(random, scalar, 1, type == PRED ? 1 : 100);
  const Shape result = drawer.ArrayShape(TypesOf(type));
  return drawer.Add({{drawer.Value(LiteralUtil::Convert(low, type)), drawer.Value(LiteralUtil::Convert(high, type))},
                     {{"distribution", std::string(is_normal ? "rng_normal" : "rng_uniform")}},
                     result});
}

XlaOp DrawRngBitGenerator(InstructionDrawer& drawer) {
  Random& random = drawer.random();
  // The state of ThreeFry has two words, that of Philox two or three.
  const bool has_three = random.OneIn(3);
  const Shape state = ShapeUtil::MakeShape(U64, {has_three ? 3 : 2});
  const std::string algorithm(has_three ? random.OneOf({"rng_philox", "rng_default"})
                                        : random.OneOf({"rng_three_fry", "rng_philox", "rng_default"}));
  const Shape bits = drawer.ArrayShape(TypesOf(U8, U16, U32, U64, S8, S16, S32, S64));
  return drawer.Add({{drawer.Value(state)}, {{"algorithm", algorithm}}, ShapeUtil::MakeTupleShape({state, bits})});
}

XlaOp DrawRngGetAndUpdateState(InstructionDrawer& drawer) {
  return AddInstruction(drawer.builder(), drawer.op().name, {},
                        {{"delta", drawer.random().Between(0, drawer.random().Flip() ? 1 : 1 << 20)}},
                        ShapeUtil::MakeShape(U64, {2}));
}

}  // namespace assay::generate
