#include "interpreter/builder/constants.h"

#include "interpreter/builder/add_instruction.h"

namespace assay {
namespace {

// A scalar under every index of an array.
XlaOp Fill(XlaOp scalar, const Shape& shape) {
  return AddInstruction("broadcast", {scalar}, {{"dimensions", Int64List{}}}, shape);
}

}  // namespace

XlaOp ConstantR0WithType(XlaBuilder* builder, PrimitiveType type, double value) {
  if (!IsArrayType(type)) {
    return builder->ReportError({ErrorCode::kIllegal, "constant: an element type is needed"});
  }
  return ConstantLiteral(builder, LiteralUtil::Convert(LiteralUtil::CreateR0<double>(value), type));
}

XlaOp Zero(XlaBuilder* builder, PrimitiveType type) { return ConstantLiteral(builder, LiteralUtil::Zero(type)); }
XlaOp One(XlaBuilder* builder, PrimitiveType type) { return ConstantLiteral(builder, LiteralUtil::One(type)); }
XlaOp MinValue(XlaBuilder* builder, PrimitiveType type) {
  return ConstantLiteral(builder, LiteralUtil::MinValue(type));
}
XlaOp MaxValue(XlaBuilder* builder, PrimitiveType type) {
  return ConstantLiteral(builder, LiteralUtil::MaxValue(type));
}
XlaOp MinFiniteValue(XlaBuilder* builder, PrimitiveType type) {
  return ConstantLiteral(builder, LiteralUtil::MinFiniteValue(type));
}
XlaOp MaxFiniteValue(XlaBuilder* builder, PrimitiveType type) {
  return ConstantLiteral(builder, LiteralUtil::MaxFiniteValue(type));
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
  return builder->AddInstruction("iota", {}, {{"iota_dimension", iota_dimension}}, shape);
}

XlaOp Iota(XlaBuilder* builder, PrimitiveType type, std::int64_t size) {
  return Iota(builder, ShapeUtil::MakeShape(type, {size}), 0);
}

}  // namespace assay
