#include "interpreter/ops/common/collective_rules.h"
#include "interpreter/ops/common/collectives.h"
#include "interpreter/ops/record.h"

namespace assay {
namespace {

// Infers (operands, results, contexts...); in place, (input, output, contexts...). A context is u32[].
Result<Shape> InferCollectivePermuteStart(const HloInstruction& instruction) {
  ASSAY_TRY(Shape permuted, InferCollectivePermute(instruction));
  const bool is_in_place = instruction.Has("slice_sizes");
  std::vector<Shape> elements = {is_in_place ? instruction.operand(0).shape : ShapeOfOperands(instruction),
                                 std::move(permuted)};
  const std::vector<Shape>& declared = instruction.shape.tuple_shapes();
  for (std::size_t i = 2; i < declared.size(); ++i) elements.push_back(ShapeUtil::MakeScalarShape(U32));
  return ShapeUtil::MakeTupleShape(std::move(elements));
}

}  // namespace

const Op op_collective_permute_start = {
    .name = "collective-permute-start",
    .meaning = "The start of an asynchronous collective-permute.",
    .syntax = {.attributes = CollectivePermuteAttributes(), .shape_is_inferable = false},
    .legality =
        {
            .arity = AtLeast(1),
            .types = kArrays | kTuples,
            .allows_mixed_precision = true,
            .done = "collective-permute-done",
            .infer = InferCollectivePermuteStart,
        },
    .evaluation = {.evaluate = EvaluateStart<CollectivePermute, kPlainSteps>, .depends_on_device = true},
};

}  // namespace assay
