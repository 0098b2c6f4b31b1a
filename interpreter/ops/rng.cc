#include "interpreter/ops/legality.h"
#include "interpreter/ops/record.h"

namespace assay {
namespace {

Result<Shape> Infer(const HloInstruction& instruction) {
  const Shape& declared = instruction.shape;
  if (!declared.IsArray()) return Illegal(instruction, "the result must be an array, found {}", declared.ToString());
  const bool is_uniform = instruction.String("distribution") == "rng_uniform";
  const TypeSet types = is_uniform ? kFloats | kIntegral | kPred : kFloats;
  const PrimitiveType type = instruction.operand(0).shape.element_type();
  if (!types.contains(type)) {
    return Illegal(instruction, "{} has no values of type {}", instruction.String("distribution"),
                   PrimitiveTypeName(type));
  }
  for (std::int64_t i = 0; i < 2; ++i) {
    const Shape& shape = instruction.operand(i).shape;
    if (shape.IsScalar() && shape.element_type() == type) continue;
    return Illegal(instruction, "operands must be two scalars of the same type, found {}",
                   shape.ToStringWithoutLayout());
  }
  return ShapeUtil::ChangeElementType(declared, type);
}

}  // namespace

const Op op_rng = {
    .name = "rng",
    .meaning = "Random numbers of a distribution.",
    .arity = Exactly(2),
    .types = kArrays,
    .attributes = {{.name = "distribution",
                    .kind = AttributeKind::kEnum,
                    .required = true,
                    .enumerators = {"rng_uniform", "rng_normal"},
                    .ignores_case = true}},
    .shape_is_inferable = false,
    .has_side_effect = true,
    .infer = Infer,
    .not_evaluated = "the specification leaves the numbers to the implementation",
    .acceptance = Acceptance::kStatistical,
};

}  // namespace assay
