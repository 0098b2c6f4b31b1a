// Element-wise operations. Binary ones broadcast operands of different shapes (XLA, Broadcasting):
// `broadcast_dimensions` maps each dimension of the operand of lower rank to one of the other; dimensions of size 1 are
// then repeated. The broadcasts become separate instructions.
#pragma once

#include "interpreter/builder/add_instruction.h"

namespace assay::xla {

inline XlaOp Abs(XlaOp operand) { return AddInstruction("abs", {operand}); }
inline XlaOp Acos(XlaOp operand) { return AddInstruction("acos", {operand}); }
inline XlaOp Acosh(XlaOp operand) { return AddInstruction("acosh", {operand}); }
inline XlaOp Asin(XlaOp operand) { return AddInstruction("asin", {operand}); }
inline XlaOp Asinh(XlaOp operand) { return AddInstruction("asinh", {operand}); }
inline XlaOp Atan(XlaOp operand) { return AddInstruction("atan", {operand}); }
inline XlaOp Atanh(XlaOp operand) { return AddInstruction("atanh", {operand}); }
inline XlaOp Cbrt(XlaOp operand) { return AddInstruction("cbrt", {operand}); }
inline XlaOp Ceil(XlaOp operand) { return AddInstruction("ceil", {operand}); }
inline XlaOp Clz(XlaOp operand) { return AddInstruction("count-leading-zeros", {operand}); }
inline XlaOp Cos(XlaOp operand) { return AddInstruction("cosine", {operand}); }
inline XlaOp Cosh(XlaOp operand) { return AddInstruction("cosh", {operand}); }
inline XlaOp Erf(XlaOp operand) { return AddInstruction("erf", {operand}); }
inline XlaOp Exp(XlaOp operand) { return AddInstruction("exponential", {operand}); }
inline XlaOp Expm1(XlaOp operand) { return AddInstruction("exponential-minus-one", {operand}); }
inline XlaOp Floor(XlaOp operand) { return AddInstruction("floor", {operand}); }
inline XlaOp Imag(XlaOp operand) { return AddInstruction("imag", {operand}); }
inline XlaOp IsFinite(XlaOp operand) { return AddInstruction("is-finite", {operand}); }
inline XlaOp Log(XlaOp operand) { return AddInstruction("log", {operand}); }
inline XlaOp Log1p(XlaOp operand) { return AddInstruction("log-plus-one", {operand}); }
inline XlaOp Logistic(XlaOp operand) { return AddInstruction("logistic", {operand}); }
inline XlaOp Neg(XlaOp operand) { return AddInstruction("negate", {operand}); }
inline XlaOp Not(XlaOp operand) { return AddInstruction("not", {operand}); }
inline XlaOp PopulationCount(XlaOp operand) { return AddInstruction("popcnt", {operand}); }
inline XlaOp Real(XlaOp operand) { return AddInstruction("real", {operand}); }
inline XlaOp Round(XlaOp operand) { return AddInstruction("round-nearest-afz", {operand}); }  // halves away from zero
inline XlaOp RoundNearestEven(XlaOp operand) { return AddInstruction("round-nearest-even", {operand}); }
inline XlaOp Rsqrt(XlaOp operand) { return AddInstruction("rsqrt", {operand}); }
inline XlaOp Sign(XlaOp operand) { return AddInstruction("sign", {operand}); }
inline XlaOp Sin(XlaOp operand) { return AddInstruction("sine", {operand}); }
inline XlaOp Sinh(XlaOp operand) { return AddInstruction("sinh", {operand}); }
inline XlaOp Sqrt(XlaOp operand) { return AddInstruction("sqrt", {operand}); }
inline XlaOp Tan(XlaOp operand) { return AddInstruction("tan", {operand}); }
inline XlaOp Tanh(XlaOp operand) { return AddInstruction("tanh", {operand}); }
// Returns the complex conjugate, by Real, Imag, Neg and Complex.
XlaOp Conj(XlaOp operand);

// Operations of two operands: the function, and the op.
#define ASSAY_BINARY(function, op)                                                          \
  inline XlaOp function(XlaOp lhs, XlaOp rhs, const Int64List& broadcast_dimensions = {}) { \
    return AddBinary(op, lhs, rhs, broadcast_dimensions);                                   \
  }
ASSAY_BINARY(Add, "add")
ASSAY_BINARY(And, "and")
ASSAY_BINARY(Atan2, "atan2")
ASSAY_BINARY(Complex, "complex")
ASSAY_BINARY(Div, "divide")
ASSAY_BINARY(Max, "maximum")
ASSAY_BINARY(Min, "minimum")
ASSAY_BINARY(Mul, "multiply")
ASSAY_BINARY(Mulhi, "mulhi")
ASSAY_BINARY(Or, "or")
ASSAY_BINARY(Pow, "power")
ASSAY_BINARY(Rem, "remainder")
ASSAY_BINARY(ShiftLeft, "shift-left")
ASSAY_BINARY(ShiftRightArithmetic, "shift-right-arithmetic")
ASSAY_BINARY(ShiftRightLogical, "shift-right-logical")
ASSAY_BINARY(Sub, "subtract")
ASSAY_BINARY(Xor, "xor")
#undef ASSAY_BINARY

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

// Compares floats in the order -NaN < -inf < -finite < -0 < +0 < +finite < +inf < +NaN, and other types as above.
XlaOp CompareTotalOrder(XlaOp lhs, XlaOp rhs, const Int64List& broadcast_dimensions, ComparisonDirection direction);

// Comparisons: the function in the order of values and in the total order, and the direction.
#define ASSAY_COMPARISON(function, total_order, direction)                                     \
  inline XlaOp function(XlaOp lhs, XlaOp rhs, const Int64List& broadcast_dimensions = {}) {    \
    return Compare(lhs, rhs, broadcast_dimensions, ComparisonDirection::direction);            \
  }                                                                                            \
  inline XlaOp total_order(XlaOp lhs, XlaOp rhs, const Int64List& broadcast_dimensions = {}) { \
    return CompareTotalOrder(lhs, rhs, broadcast_dimensions, ComparisonDirection::direction);  \
  }
ASSAY_COMPARISON(Eq, EqTotalOrder, kEq)
ASSAY_COMPARISON(Ne, NeTotalOrder, kNe)
ASSAY_COMPARISON(Ge, GeTotalOrder, kGe)
ASSAY_COMPARISON(Gt, GtTotalOrder, kGt)
ASSAY_COMPARISON(Le, LeTotalOrder, kLe)
ASSAY_COMPARISON(Lt, LtTotalOrder, kLt)
#undef ASSAY_COMPARISON

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

inline XlaOp operator-(XlaOp x) { return Neg(x); }
inline XlaOp operator+(XlaOp x, XlaOp y) { return Add(x, y); }
inline XlaOp operator-(XlaOp x, XlaOp y) { return Sub(x, y); }
inline XlaOp operator*(XlaOp x, XlaOp y) { return Mul(x, y); }
inline XlaOp operator/(XlaOp x, XlaOp y) { return Div(x, y); }
inline XlaOp operator%(XlaOp x, XlaOp y) { return Rem(x, y); }
inline XlaOp operator~(XlaOp x) { return Not(x); }
inline XlaOp operator&(XlaOp x, XlaOp y) { return And(x, y); }
inline XlaOp operator|(XlaOp x, XlaOp y) { return Or(x, y); }
inline XlaOp operator^(XlaOp x, XlaOp y) { return Xor(x, y); }
inline XlaOp operator<<(XlaOp x, XlaOp y) { return ShiftLeft(x, y); }
// Arithmetic for signed types, logical for unsigned ones.
XlaOp operator>>(XlaOp x, XlaOp y);

}  // namespace assay::xla
