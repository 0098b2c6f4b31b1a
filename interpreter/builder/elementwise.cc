#include "interpreter/builder/elementwise.h"

#include <algorithm>

#include "interpreter/builder/broadcast_steps.h"

namespace assay::xla {
namespace {

const char* Name(ComparisonDirection direction) {
  static constexpr const char* kNames[] = {"EQ", "NE", "GE", "GT", "LE", "LT"};
  return kNames[static_cast<int>(direction)];
}

const char* Name(Comparison::Type type) {
  static constexpr const char* kNames[] = {"FLOAT", "TOTALORDER", "SIGNED", "UNSIGNED"};
  return kNames[static_cast<int>(type)];
}

Shape WithType(XlaOp operand, PrimitiveType type) {
  const Shape* shape = FindShape(operand);
  return ShapeUtil::ChangeElementType(shape == nullptr ? Shape() : *shape, type);
}

}  // namespace

XlaOp AddBinary(std::string_view op, XlaOp lhs, XlaOp rhs, const Int64List& broadcast_dimensions,
                std::vector<OpAttribute> attributes) {
  const Shape* lhs_shape = FindShape(lhs);
  const Shape* rhs_shape = FindShape(rhs);
  if (lhs_shape != nullptr && rhs_shape != nullptr) {
    const Result<BroadcastPlan> plan = PlanBroadcast(*lhs_shape, *rhs_shape, broadcast_dimensions);
    if (!plan) return ReportIllegal(op, {lhs, rhs}, plan.error().message);
    lhs = BroadcastSteps(lhs, plan->lhs, plan->result);
    rhs = BroadcastSteps(rhs, plan->rhs, plan->result);
  }
  return AddInstruction(op, {lhs, rhs}, std::move(attributes));
}

XlaOp BroadcastSteps(XlaOp operand, const BroadcastOperand& plan, const Shape& result) {
  const Shape* shape = FindShape(operand);
  if (shape != nullptr && shape->rank() != plan.in_dim_shape.rank()) {
    operand = AddInstruction("broadcast", {operand}, {{"dimensions", plan.broadcast_dimensions}}, plan.in_dim_shape);
  }
  if (plan.degenerate_dimensions.empty()) return operand;
  Shape kept = ShapeUtil::MakeScalarShape(plan.in_dim_shape.element_type());
  Int64List kept_dimensions;
  for (std::int64_t d = 0; d < result.rank(); ++d) {
    if (std::ranges::count(plan.degenerate_dimensions, d) > 0) continue;
    kept.add_dimension(plan.in_dim_shape.dimensions(d), plan.in_dim_shape.is_dynamic_dimension(d));
    kept_dimensions.push_back(d);
  }
  kept.set_default_layout();
  operand = AddInstruction("reshape", {operand}, {}, kept);
  return AddInstruction("broadcast", {operand}, {{"dimensions", kept_dimensions}},
                        ShapeUtil::ChangeElementType(result, kept.element_type()));
}

XlaOp Conj(XlaOp operand) { return Complex(Real(operand), Neg(Imag(operand))); }

XlaOp XlaBuilder::Max(XlaOp lhs, XlaOp rhs, const Int64List& broadcast_dimensions) {
  return xla::Max(lhs, rhs, broadcast_dimensions);
}

XlaOp Compare(XlaOp lhs, XlaOp rhs, ComparisonDirection direction) { return Compare(lhs, rhs, {}, direction); }
XlaOp Compare(XlaOp lhs, XlaOp rhs, const Int64List& broadcast_dimensions, ComparisonDirection direction) {
  return AddBinary("compare", lhs, rhs, broadcast_dimensions, {{"direction", Name(direction)}});
}
XlaOp Compare(XlaOp lhs, XlaOp rhs, const Int64List& broadcast_dimensions, ComparisonDirection direction,
              Comparison::Type compare_type) {
  return AddBinary("compare", lhs, rhs, broadcast_dimensions,
                   {{"direction", Name(direction)}, {"type", Name(compare_type)}});
}

XlaOp CompareTotalOrder(XlaOp lhs, XlaOp rhs, const Int64List& broadcast_dimensions, ComparisonDirection direction) {
  const Shape* shape = FindShape(lhs);
  if (shape == nullptr || !IsFloatingPointType(shape->element_type())) {
    return Compare(lhs, rhs, broadcast_dimensions, direction);
  }
  return Compare(lhs, rhs, broadcast_dimensions, direction, Comparison::Type::kFloatTotalOrder);
}

XlaOp Clamp(XlaOp min, XlaOp operand, XlaOp max) { return AddInstruction("clamp", {min, operand, max}); }

XlaOp Select(XlaOp pred, XlaOp on_true, XlaOp on_false) {
  const Shape* shape = FindShape(on_true);
  if (shape == nullptr || !shape->IsTuple() || !pred.valid() || !on_false.valid()) {
    return AddInstruction("select", {pred, on_true, on_false});
  }
  const bool is_predicate = FindShape(pred)->IsScalar() && FindShape(pred)->element_type() == PRED;
  if (!is_predicate || !ShapeUtil::Compatible(*shape, *FindShape(on_false))) {
    return ReportIllegal("select", {pred, on_true, on_false}, "tuples of the same shape are chosen by a scalar pred");
  }
  std::vector<XlaOp> elements;
  for (std::int64_t i = 0; i < static_cast<std::int64_t>(shape->tuple_shapes().size()); ++i) {
    elements.push_back(Select(pred, AddInstruction("get-tuple-element", {on_true}, {{"index", i}}),
                              AddInstruction("get-tuple-element", {on_false}, {{"index", i}})));
  }
  return AddInstruction(pred.builder(), "tuple", elements);
}

XlaOp ConvertElementType(XlaOp operand, PrimitiveType new_element_type) {
  return AddInstruction("convert", {operand}, {}, WithType(operand, new_element_type));
}

XlaOp StochasticConvertType(XlaOp operand, XlaOp random, PrimitiveType new_element_type) {
  return AddInstruction("stochastic-convert", {operand, random}, {}, WithType(operand, new_element_type));
}

XlaOp BitcastConvertType(XlaOp operand, PrimitiveType new_element_type) {
  return AddInstruction("bitcast-convert", {operand}, {}, ShapeUtil::MakeScalarShape(new_element_type));
}

XlaOp ReducePrecision(XlaOp operand, int exponent_bits, int mantissa_bits) {
  return AddInstruction(
      "reduce-precision", {operand},
      {{"exponent_bits", std::int64_t{exponent_bits}}, {"mantissa_bits", std::int64_t{mantissa_bits}}});
}

XlaOp operator>>(XlaOp x, XlaOp y) {
  const Shape* shape = FindShape(x);
  const bool is_signed = shape != nullptr && IsSignedIntegralType(shape->element_type());
  return is_signed ? ShiftRightArithmetic(x, y) : ShiftRightLogical(x, y);
}

}  // namespace assay::xla
