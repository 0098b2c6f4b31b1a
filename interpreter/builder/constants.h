// Constants and iota.
#pragma once

#include "interpreter/builder/builder.h"
#include "interpreter/builder/literal_util.h"

namespace assay::xla {

template <NativeType T>
XlaOp ConstantR0(XlaBuilder* builder, T value) {
  return ConstantLiteral(builder, LiteralUtil::CreateR0<T>(value));
}
template <NativeType T>
XlaOp ConstantR1(XlaBuilder* builder, std::initializer_list<T> values) {
  return ConstantLiteral(builder, LiteralUtil::CreateR1<T>(values));
}
template <NativeType T>
XlaOp ConstantR1(XlaBuilder* builder, std::span<const T> values) {
  return ConstantLiteral(builder, LiteralUtil::CreateR1<T>(values));
}
// Makes a vector of `length` equal values.
template <NativeType T>
XlaOp ConstantR1(XlaBuilder* builder, std::int64_t length, T value) {
  Literal values(ShapeUtil::MakeShape(kPrimitiveTypeOf<T>, {length}));
  for (T& element : values.mutable_values<T>()) element = value;
  return ConstantLiteral(builder, values);
}
template <NativeType T>
XlaOp ConstantR2(XlaBuilder* builder, std::initializer_list<std::initializer_list<T>> values) {
  for (const auto& row : values) {
    if (row.size() == values.begin()->size()) continue;
    return builder->ReportError({ErrorCode::kIllegal, "constant: the rows of an array must be equally long"});
  }
  return ConstantLiteral(builder, LiteralUtil::CreateR2<T>(values));
}
// Makes an array of any dimensions from row-major values.
template <NativeType T>
XlaOp ConstantFromArray(XlaBuilder* builder, Dimensions dimensions, std::span<const T> values) {
  return ConstantLiteral(builder, LiteralUtil::CreateFromArray<T>(std::move(dimensions), values));
}

// Makes scalars: a number rounded once to the type, or a value of LiteralUtil.
XlaOp ConstantR0WithType(XlaBuilder* builder, PrimitiveType type, double value);
XlaOp Zero(XlaBuilder* builder, PrimitiveType type);
XlaOp One(XlaBuilder* builder, PrimitiveType type);
XlaOp MinValue(XlaBuilder* builder, PrimitiveType type);
XlaOp MaxValue(XlaBuilder* builder, PrimitiveType type);
XlaOp MinFiniteValue(XlaBuilder* builder, PrimitiveType type);
XlaOp MaxFiniteValue(XlaBuilder* builder, PrimitiveType type);
// Makes a number of the prototype's element type: as a scalar, or as an array of the prototype's dimensions.
XlaOp ScalarLike(XlaOp prototype, double value);
XlaOp FullLike(XlaOp prototype, double value);
XlaOp Zeros(XlaBuilder* builder, const Shape& shape);
XlaOp ZerosLike(XlaOp prototype);

// Makes 0, 1, 2, ... along one dimension.
XlaOp Iota(XlaBuilder* builder, const Shape& shape, std::int64_t iota_dimension);
XlaOp Iota(XlaBuilder* builder, PrimitiveType type, std::int64_t size);

}  // namespace assay::xla
