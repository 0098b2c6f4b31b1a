#include "interpreter/acceptance/statistics/samples/narrow_results.h"

#include "interpreter/acceptance/ops/op_acceptance.h"
#include "interpreter/acceptance/rule.h"
#include "interpreter/acceptance/statistics/sums/sum_samples.h"
#include "interpreter/hlo/op.h"

namespace assay {

bool MayBeNarrowSum(const HloInstruction& instruction, const Profile& profile) {
  const Shape& shape = instruction.shape;
  if (!ShapeUtil::HasInexactLeaf(shape) || instruction.op->role != OpRole::kOrdinary) return false;
  const JudgedInstruction judged = {instruction, {}, profile, RuleOf(instruction, profile)};
  return judged.rule.acceptance == Acceptance::kSum &&
         MayBeNarrow(judged, shape.IsTuple() ? shape.tuple_shapes()[0].element_type() : shape.element_type());
}

bool Narrows(const HloInstruction& instruction) {
  if (!AcceptanceOf(instruction).Has(Trait::kConverts) || !ShapeUtil::HasInexactLeaf(instruction.shape)) return false;
  const PrimitiveType from = instruction.operand(0).shape.element_type();
  return IsInexactType(from) && BitWidth(instruction.shape.element_type()) < BitWidth(from);
}

}  // namespace assay
