// Literals from native values: the functions of XLA's LiteralUtil, with its names. The native type determines the
// element type; Convert makes types that C++ lacks.
#pragma once

#include <complex>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "interpreter/types/literal.h"

namespace assay {

using complex64 = std::complex<float>;
using complex128 = std::complex<double>;

// The element type whose literals store values as T.
template <class T>
inline constexpr PrimitiveType kPrimitiveTypeOf = PRIMITIVE_TYPE_INVALID;
template <>
inline constexpr PrimitiveType kPrimitiveTypeOf<bool> = PRED;
template <>
inline constexpr PrimitiveType kPrimitiveTypeOf<std::int8_t> = S8;
template <>
inline constexpr PrimitiveType kPrimitiveTypeOf<std::int16_t> = S16;
template <>
inline constexpr PrimitiveType kPrimitiveTypeOf<std::int32_t> = S32;
template <>
inline constexpr PrimitiveType kPrimitiveTypeOf<std::int64_t> = S64;
template <>
inline constexpr PrimitiveType kPrimitiveTypeOf<std::uint8_t> = U8;
template <>
inline constexpr PrimitiveType kPrimitiveTypeOf<std::uint16_t> = U16;
template <>
inline constexpr PrimitiveType kPrimitiveTypeOf<std::uint32_t> = U32;
template <>
inline constexpr PrimitiveType kPrimitiveTypeOf<std::uint64_t> = U64;
template <>
inline constexpr PrimitiveType kPrimitiveTypeOf<float> = F32;
template <>
inline constexpr PrimitiveType kPrimitiveTypeOf<double> = F64;
template <>
inline constexpr PrimitiveType kPrimitiveTypeOf<complex64> = C64;
template <>
inline constexpr PrimitiveType kPrimitiveTypeOf<complex128> = C128;

template <class T>
concept NativeType = kPrimitiveTypeOf<T>
!= PRIMITIVE_TYPE_INVALID;

namespace LiteralUtil {

// Returns n arrays of one shape as one array with a new dimension 0. `type` and `rank` of the arrays are arguments
// because there may be no array. Aborts if the shapes differ.
Literal Stack(PrimitiveType type, std::int64_t rank, const std::vector<Literal>& arrays);

template <NativeType T>
Literal CreateR0(T value) {
  return CreateR0<T>(kPrimitiveTypeOf<T>, value);
}

template <NativeType T>
Literal CreateR1(std::span<const T> values) {
  return Create<T>(kPrimitiveTypeOf<T>, {static_cast<std::int64_t>(values.size())}, values);
}
template <NativeType T>
Literal CreateR1(std::initializer_list<T> values) {
  return CreateR1<T>(std::span<const T>(values.begin(), values.size()));
}

// Rows must have equal lengths.
template <NativeType T>
Literal CreateR2(std::initializer_list<std::initializer_list<T>> values) {
  std::vector<Literal> rows;
  for (const auto& row : values) rows.push_back(CreateR1<T>(row));
  return Stack(kPrimitiveTypeOf<T>, 1, rows);
}
template <NativeType T>
Literal CreateR3(std::initializer_list<std::initializer_list<std::initializer_list<T>>> values) {
  std::vector<Literal> matrices;
  for (const auto& matrix : values) matrices.push_back(CreateR2<T>(matrix));
  return Stack(kPrimitiveTypeOf<T>, 2, matrices);
}
template <NativeType T>
Literal CreateR4(std::initializer_list<std::initializer_list<std::initializer_list<std::initializer_list<T>>>> values) {
  std::vector<Literal> cuboids;
  for (const auto& cuboid : values) cuboids.push_back(CreateR3<T>(cuboid));
  return Stack(kPrimitiveTypeOf<T>, 3, cuboids);
}
// Makes an array from row-major values; their number must match the dimensions.
template <NativeType T>
Literal CreateFromArray(Dimensions dimensions, std::span<const T> values) {
  return Create<T>(kPrimitiveTypeOf<T>, std::move(dimensions), values);
}

Literal MakeTuple(std::vector<Literal> elements);
Literal CreateToken();

// Converts each element of an array to another type, rounded once.
Literal Convert(const Literal& literal, PrimitiveType type);

// Makes scalars. The least and greatest values are the infinities if the type has them. Aborts for types without order.
Literal Zero(PrimitiveType type);
Literal One(PrimitiveType type);
Literal MinValue(PrimitiveType type);
Literal MaxValue(PrimitiveType type);
Literal MinFiniteValue(PrimitiveType type);
Literal MaxFiniteValue(PrimitiveType type);

// Returns "f32[2] {1, 2}".
std::string ToString(const Literal& literal);

}  // namespace LiteralUtil
}  // namespace assay
