#include "interpreter/builder/constants.h"

#include "interpreter/builder/add_instruction.h"

namespace assay::xla {
namespace {

// Broadcasts a scalar to an array.
XlaOp Fill(XlaOp scalar, const Shape& shape) {
  return AddInstruction("broadcast", {scalar}, {{"dimensions", Int64List{}}}, shape);
}

XlaOp NoSuchConstant(XlaBuilder* builder, PrimitiveType type) {
  return builder->ReportError(
      {ErrorCode::kIllegal, "constant: " + std::string(PrimitiveTypeName(type)) + " has no such value"});
}

XlaOp Bound(XlaBuilder* builder, PrimitiveType type, Literal (*value)(PrimitiveType)) {
  if (!IsArrayType(type) || IsComplexType(type)) return NoSuchConstant(builder, type);
  return ConstantLiteral(builder, value(type));
}

}  // namespace

XlaOp ConstantR0WithType(XlaBuilder* builder, PrimitiveType type, double value) {
  if (!IsArrayType(type)) return NoSuchConstant(builder, type);
  return ConstantLiteral(builder, LiteralUtil::Convert(LiteralUtil::CreateR0<double>(value), type));
}

XlaOp Zero(XlaBuilder* builder, PrimitiveType type) { return ConstantR0WithType(builder, type, 0); }
XlaOp One(XlaBuilder* builder, PrimitiveType type) { return ConstantR0WithType(builder, type, 1); }
XlaOp MinValue(XlaBuilder* builder, PrimitiveType type) { return Bound(builder, type, LiteralUtil::MinValue); }
XlaOp MaxValue(XlaBuilder* builder, PrimitiveType type) { return Bound(builder, type, LiteralUtil::MaxValue); }
XlaOp MinFiniteValue(XlaBuilder* builder, PrimitiveType type) {
  return Bound(builder, type, LiteralUtil::MinFiniteValue);
}
XlaOp MaxFiniteValue(XlaBuilder* builder, PrimitiveType type) {
  return Bound(builder, type, LiteralUtil::MaxFiniteValue);
}

XlaOp ScalarLike(XlaOp prototype, double value) {
  const Shape* shape = FindShape(prototype);
  return shape == nullptr ? prototype : ConstantR0WithType(prototype.builder(), shape->element_type(), value);
}

XlaOp FullLike(XlaOp prototype, double value) {
  const Shape* shape = FindShape(prototype);
  return shape == nullptr ? prototype : Fill(ScalarLike(prototype, value), *shape);
}

XlaOp Zeros(XlaBuilder* builder, const Shape& shape) { return Fill(Zero(builder, shape.element_type()), shape); }

XlaOp ZerosLike(XlaOp prototype) {
  const Shape* shape = FindShape(prototype);
  return shape == nullptr ? prototype : Zeros(prototype.builder(), *shape);
}

XlaOp Iota(XlaBuilder* builder, const Shape& shape, std::int64_t iota_dimension) {
  return AddInstruction(builder, "iota", {}, {{"iota_dimension", iota_dimension}}, shape);
}

XlaOp Iota(XlaBuilder* builder, PrimitiveType type, std::int64_t size) {
  return Iota(builder, ShapeUtil::MakeShape(type, {size}), 0);
}

}  // namespace assay::xla
