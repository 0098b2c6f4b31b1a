// Ops that compute element by element, constants, random numbers, and the largest elements.
#include "interpreter/hlo/op.h"
#include "interpreter/stablehlo/from_hlo_rows.h"

namespace assay::stablehlo {
namespace {

Attribute AccuracyOf(const ResultAccuracy& accuracy) {
  const Attribute mode = Word("result_accuracy_mode", accuracy.is_highest ? "HIGHEST" : "TOLERANCE");
  if (accuracy.is_highest) return Fields("result_accuracy", {{"mode", mode}});
  return Fields("result_accuracy", {{"atol", {FloatAttribute{accuracy.atol, F64}}},
                                    {"rtol", {FloatAttribute{accuracy.rtol, F64}}},
                                    {"ulps", Number(accuracy.ulps)},
                                    {"mode", mode}});
}

}  // namespace

Status RaiseDirectly(const Raising& raising) {
  Operation operation = raising.Start();
  const auto& accuracy = raising.instruction.result_accuracy;
  if (accuracy && !operation.name.starts_with("stablehlo.")) {
    return raising.Unsupported("CHLO's operation has no result_accuracy");
  }
  if (accuracy) Set(operation, "result_accuracy", AccuracyOf(*accuracy));
  return raising.Finish(std::move(operation));
}

// Fails for a bitcast between pred and another type: HLO stores pred as a byte, and MLIR's i1 has one bit.
Status CheckBits(const Raising& raising) {
  const PrimitiveType from = raising.instruction.operand(0).shape.element_type();
  const PrimitiveType to = raising.instruction.shape.element_type();
  if (from != to && (from == PRED || to == PRED)) return raising.Unsupported("StableHLO's i1 has one bit");
  return {};
}

Status RaiseBitcastConvert(const Raising& raising) {
  ASSAY_CHECK_OK(CheckBits(raising));
  return RaiseDirectly(raising);
}

Status RaiseConvert(const Raising& raising) {
  const bool is_complex = IsComplexType(raising.instruction.operand(0).shape.element_type());
  if (is_complex && raising.instruction.shape.element_type() == PRED) {
    return raising.Unsupported("StableHLO converts the real part alone");
  }
  return RaiseDirectly(raising);
}

Status RaiseCompare(const Raising& raising) {
  Operation operation = raising.Start();
  if (raising.instruction.Has("type")) {
    Set(operation, "compare_type", Word("comparison_type", raising.instruction.String("type")));
  }
  return raising.Finish(std::move(operation));
}

Status RaiseConstant(const Raising& raising) {
  if (raising.instruction.literal_is_elided) return raising.Unsupported("the text elides its values: {...}");
  const Literal& literal = *raising.instruction.literal;
  if (!literal.shape().IsArray()) return raising.Unsupported("StableHLO's constants are arrays");
  DenseElements elements;
  elements.type = {literal.element_type(), literal.shape().dimensions(), {}};
  elements.bytes.assign(reinterpret_cast<const char*>(literal.data()), static_cast<std::size_t>(literal.byte_size()));
  Operation operation = raising.Start();
  Set(operation, "value", {std::move(elements)});
  return raising.Finish(std::move(operation));
}

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
