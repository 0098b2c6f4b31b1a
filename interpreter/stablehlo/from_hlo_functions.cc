// Random numbers, and the largest elements.
#include <cstring>

#include "interpreter/hlo/op.h"
#include "interpreter/stablehlo/from_hlo_rows.h"

namespace assay::stablehlo {

// The third operand is the shape of the result.
Status RaiseRng(const Raising& raising) {
  const Dimensions& dimensions = raising.instruction.shape.dimensions();
  DenseElements elements;
  elements.type = {S64, {std::ssize(dimensions)}, {}};
  for (const std::int64_t size : dimensions) {
    elements.bytes.append(reinterpret_cast<const char*>(&size), sizeof(size));
  }
  Operation shape;
  shape.name = "stablehlo.constant";
  Set(shape, "value", {std::move(elements)});
  ASSAY_TRY(shape.results,
            raising.raiser.NewValues(raising.instruction, ShapeUtil::MakeShape(S64, {std::ssize(dimensions)})));
  Operation operation = raising.Start();
  operation.operands.push_back(shape.results[0].id);
  raising.raiser.Append(std::move(shape));
  const bool is_uniform = raising.instruction.String("distribution") == "rng_uniform";
  Set(operation, "rng_distribution", Word("rng_distribution", is_uniform ? "UNIFORM" : "NORMAL"));
  return raising.Finish(std::move(operation));
}

Status RaiseRngBitGenerator(const Raising& raising) {
  const std::string_view algorithm = raising.instruction.String("algorithm");
  Operation operation = raising.Start();
  Set(operation, "rng_algorithm",
      Word("rng_algorithm", algorithm == "rng_default"     ? "DEFAULT"
                            : algorithm == "rng_three_fry" ? "THREE_FRY"
                                                           : "PHILOX"));
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
