#include <unordered_set>

#include "interpreter/ops/common/call_rules.h"
#include "interpreter/ops/common/legality.h"
#include "interpreter/ops/record.h"

namespace assay {
namespace {

// Checks that a fused computation has no dead instruction. All but the root, including parameters, must be used or have
// a side effect. The root must not be used.
Status CheckUses(const HloInstruction& instruction, const HloComputation& fused) {
  std::unordered_set<const HloInstruction*> used;
  for (const auto& inner : fused.instructions) used.insert(inner->operands.begin(), inner->operands.end());
  if (used.contains(fused.root)) {
    return Illegal(instruction, "the root {} of the fused computation is used inside it", fused.root->name);
  }
  for (const auto& inner : fused.instructions) {
    if (inner.get() == fused.root || used.contains(inner.get()) || inner->op->evaluation.has_side_effect) continue;
    return Illegal(instruction, "{} is not used in the fused computation", inner->name);
  }
  return {};
}

Result<Shape> InferFusion(const HloInstruction& instruction) {
  const HloComputation& fused = instruction.Computation("calls");
  ASSAY_CHECK_OK(CheckArguments(instruction, "the fused computation", fused, OperandShapes(instruction)));
  ASSAY_CHECK_OK(CheckUses(instruction, fused));
  ASSAY_CHECK_OK(CheckAliasing(instruction));
  return fused.root->shape;
}

}  // namespace

const Op op_fusion = {
    .name = "fusion",
    .meaning = "A computation that a compiler fused.",
    .role = OpRole::kCall,
    .syntax =
        {
            .attributes = {OneOf("kind", {"kLoop", "kInput", "kOutput", "kCustom"}, /*required=*/true),
                           OutputToOperandAliasing(), Required("calls", AttributeKind::kComputation)},
            .shape_is_inferable = false,
        },
    .legality =
        {
            .arity = AtLeast(0),
            .types = kAny,
            .layouts = LayoutRule::kInferred,
            .allows_mixed_precision = true,
            .fuses = true,
            .infer = InferFusion,
        },
};

}  // namespace assay
