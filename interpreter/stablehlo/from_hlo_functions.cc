// Random numbers, and the largest elements.
#include "interpreter/hlo/op.h"
#include "interpreter/stablehlo/from_hlo_rows.h"

namespace assay::stablehlo {

// The third operand is the shape of the result.
Status RaiseRng(const Raising& raising) {
  const Dimensions& dimensions = raising.instruction.shape.dimensions();
  Operation shape;
  shape.name = "stablehlo.constant";
  Set(shape, "value", {WholeNumbers(dimensions, {std::ssize(dimensions)})});
  ASSAY_TRY(shape.results,
            raising.raiser.NewValues(raising.instruction, ShapeUtil::MakeShape(S64, {std::ssize(dimensions)})));
  Operation operation = raising.Start();
  operation.operands.push_back(shape.results[0].id);
  raising.raiser.Append(std::move(shape));
  return raising.Finish(std::move(operation));
}

Status RaiseRngBitGenerator(const Raising& raising) {
  Operation operation = raising.Start();
  const HloInstruction& generator = raising.instruction;
  if (generator.shape.IsTuple()) return raising.Finish(std::move(operation));
  // HLO may omit the new state.
  ASSAY_CHECK_OK(
      raising.Finish(std::move(operation), ShapeUtil::MakeTupleShape({generator.operand(0).shape, generator.shape})));
  raising.raiser.Bind(generator, {raising.raiser.LeavesOf(generator)[1]});
  return {};
}

Status RaiseTopK(const Raising& raising) {
  if (!raising.instruction.Bool("largest")) return raising.Unsupported("CHLO's top_k returns the largest elements");
  const bool* is_stable = raising.instruction.Find<bool>("is_stable");
  if (is_stable != nullptr && !*is_stable) return raising.Unsupported("CHLO's top_k keeps the order of equal elements");
  Operation operation = raising.Start();
  Set(operation, "k", Number(raising.instruction.Int64("k")));
  return raising.Finish(std::move(operation));
}

}  // namespace assay::stablehlo
