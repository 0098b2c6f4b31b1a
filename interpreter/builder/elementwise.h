// Element-wise operations. Binary ones broadcast operands of different shapes (XLA, Broadcasting):
// `broadcast_dimensions` maps each dimension of the operand of lower rank to one of the other; dimensions of size 1 are
// then repeated. The broadcasts become separate instructions.
#pragma once

#include "interpreter/builder/builder.h"

namespace assay::xla {

XlaOp Abs(XlaOp operand);
XlaOp Acos(XlaOp operand);
XlaOp Acosh(XlaOp operand);
XlaOp Asin(XlaOp operand);
XlaOp Asinh(XlaOp operand);
XlaOp Atan(XlaOp operand);
XlaOp Atanh(XlaOp operand);
XlaOp Cbrt(XlaOp operand);
XlaOp Ceil(XlaOp operand);
XlaOp Clz(XlaOp operand);
XlaOp Cos(XlaOp operand);
XlaOp Cosh(XlaOp operand);
XlaOp Erf(XlaOp operand);
XlaOp Exp(XlaOp operand);
XlaOp Expm1(XlaOp operand);
XlaOp Floor(XlaOp operand);
XlaOp Imag(XlaOp operand);
XlaOp IsFinite(XlaOp operand);
XlaOp Log(XlaOp operand);
XlaOp Log1p(XlaOp operand);
XlaOp Logistic(XlaOp operand);
XlaOp Neg(XlaOp operand);
XlaOp Not(XlaOp operand);
XlaOp PopulationCount(XlaOp operand);
XlaOp Real(XlaOp operand);
XlaOp Round(XlaOp operand);  // halves away from zero
XlaOp RoundNearestEven(XlaOp operand);
XlaOp Rsqrt(XlaOp operand);
XlaOp Sign(XlaOp operand);
XlaOp Sin(XlaOp operand);
XlaOp Sinh(XlaOp operand);
XlaOp Sqrt(XlaOp operand);
XlaOp Tan(XlaOp operand);
XlaOp Tanh(XlaOp operand);
// Returns the complex conjugate, by Real, Imag, Neg and Complex.
XlaOp Conj(XlaOp operand);

XlaOp Add(XlaOp lhs, XlaOp rhs, const Int64List& broadcast_dimensions = {});
XlaOp And(XlaOp lhs, XlaOp rhs, const Int64List& broadcast_dimensions = {});
XlaOp Atan2(XlaOp y, XlaOp x, const Int64List& broadcast_dimensions = {});
XlaOp Complex(XlaOp real, XlaOp imag, const Int64List& broadcast_dimensions = {});
XlaOp Div(XlaOp lhs, XlaOp rhs, const Int64List& broadcast_dimensions = {});
XlaOp Max(XlaOp lhs, XlaOp rhs, const Int64List& broadcast_dimensions = {});
XlaOp Min(XlaOp lhs, XlaOp rhs, const Int64List& broadcast_dimensions = {});
XlaOp Mul(XlaOp lhs, XlaOp rhs, const Int64List& broadcast_dimensions = {});
XlaOp Mulhi(XlaOp lhs, XlaOp rhs, const Int64List& broadcast_dimensions = {});
XlaOp Or(XlaOp lhs, XlaOp rhs, const Int64List& broadcast_dimensions = {});
XlaOp Pow(XlaOp lhs, XlaOp rhs, const Int64List& broadcast_dimensions = {});
XlaOp Rem(XlaOp lhs, XlaOp rhs, const Int64List& broadcast_dimensions = {});
XlaOp ShiftLeft(XlaOp lhs, XlaOp rhs, const Int64List& broadcast_dimensions = {});
XlaOp ShiftRightArithmetic(XlaOp lhs, XlaOp rhs, const Int64List& broadcast_dimensions = {});
XlaOp ShiftRightLogical(XlaOp lhs, XlaOp rhs, const Int64List& broadcast_dimensions = {});
XlaOp Sub(XlaOp lhs, XlaOp rhs, const Int64List& broadcast_dimensions = {});
XlaOp Xor(XlaOp lhs, XlaOp rhs, const Int64List& broadcast_dimensions = {});

// Forms with three or more operands.
template <class... Ops>
XlaOp And(XlaOp op1, XlaOp op2, XlaOp op3, const Ops&... operands) {
  return And(op1, And(op2, op3, operands...));
}
template <class... Ops>
XlaOp Or(XlaOp op1, XlaOp op2, XlaOp op3, const Ops&... operands) {
  return Or(op1, Or(op2, op3, operands...));
}

struct Comparison {
  enum class Direction { kEq, kNe, kGe, kGt, kLe, kLt };
  enum class Type { kFloat, kFloatTotalOrder, kSigned, kUnsigned };
};
using ComparisonDirection = Comparison::Direction;

XlaOp Compare(XlaOp lhs, XlaOp rhs, ComparisonDirection direction);
XlaOp Compare(XlaOp lhs, XlaOp rhs, const Int64List& broadcast_dimensions, ComparisonDirection direction);
XlaOp Compare(XlaOp lhs, XlaOp rhs, const Int64List& broadcast_dimensions, ComparisonDirection direction,
              Comparison::Type compare_type);

XlaOp Eq(XlaOp lhs, XlaOp rhs, const Int64List& broadcast_dimensions = {});
XlaOp Ne(XlaOp lhs, XlaOp rhs, const Int64List& broadcast_dimensions = {});
XlaOp Ge(XlaOp lhs, XlaOp rhs, const Int64List& broadcast_dimensions = {});
XlaOp Gt(XlaOp lhs, XlaOp rhs, const Int64List& broadcast_dimensions = {});
XlaOp Le(XlaOp lhs, XlaOp rhs, const Int64List& broadcast_dimensions = {});
XlaOp Lt(XlaOp lhs, XlaOp rhs, const Int64List& broadcast_dimensions = {});
// Compares floats in the order -NaN < -inf < -finite < -0 < +0 < +finite < +inf < +NaN, and other types as above.
XlaOp EqTotalOrder(XlaOp lhs, XlaOp rhs, const Int64List& broadcast_dimensions = {});
XlaOp NeTotalOrder(XlaOp lhs, XlaOp rhs, const Int64List& broadcast_dimensions = {});
XlaOp GeTotalOrder(XlaOp lhs, XlaOp rhs, const Int64List& broadcast_dimensions = {});
XlaOp GtTotalOrder(XlaOp lhs, XlaOp rhs, const Int64List& broadcast_dimensions = {});
XlaOp LeTotalOrder(XlaOp lhs, XlaOp rhs, const Int64List& broadcast_dimensions = {});
XlaOp LtTotalOrder(XlaOp lhs, XlaOp rhs, const Int64List& broadcast_dimensions = {});

// A bound may be a scalar.
XlaOp Clamp(XlaOp min, XlaOp operand, XlaOp max);
// The predicate may be a scalar; it must be one if the choices are tuples, whose elements are selected one by one.
XlaOp Select(XlaOp pred, XlaOp on_true, XlaOp on_false);

XlaOp ConvertElementType(XlaOp operand, PrimitiveType new_element_type);
// Returns the same bits as another type. If the widths differ, the last dimension of the wider type's array is the
// ratio.
XlaOp BitcastConvertType(XlaOp operand, PrimitiveType new_element_type);
// Rounds up or down at random: `random` has unsigned integers as wide as the operand's elements.
XlaOp StochasticConvertType(XlaOp operand, XlaOp random, PrimitiveType new_element_type);
XlaOp ReducePrecision(XlaOp operand, int exponent_bits, int mantissa_bits);

XlaOp operator-(XlaOp x);
XlaOp operator+(XlaOp x, XlaOp y);
XlaOp operator-(XlaOp x, XlaOp y);
XlaOp operator*(XlaOp x, XlaOp y);
XlaOp operator/(XlaOp x, XlaOp y);
XlaOp operator%(XlaOp x, XlaOp y);
XlaOp operator~(XlaOp x);
XlaOp operator&(XlaOp x, XlaOp y);
XlaOp operator|(XlaOp x, XlaOp y);
XlaOp operator^(XlaOp x, XlaOp y);
XlaOp operator<<(XlaOp x, XlaOp y);
// Arithmetic for signed types, logical for unsigned ones.
XlaOp operator>>(XlaOp x, XlaOp y);

}  // namespace assay::xla
