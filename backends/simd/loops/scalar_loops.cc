#include "backends/simd/loops/scalar_loops.h"

#include <cstring>
#include <functional>
#include <string_view>
#include <type_traits>

#include "backends/simd/selection.h"

namespace assay::simd {
namespace {

template <class T>
T Get(const std::byte* from) {
  T value;
  std::memcpy(&value, from, sizeof(T));
  return value;
}
template <class T>
void Put(T value, std::byte* to) {
  std::memcpy(to, &value, sizeof(T));
}

// Integers wrap.
template <class T>
struct ArithmeticOf {
  using Type = T;
};
template <class T>
requires std::is_integral_v<T>
struct ArithmeticOf<T> {
  using Type = std::make_unsigned_t<T>;
};

template <class T, class Function>
void Binary(const std::byte* const* operands, std::byte* result, std::int64_t) {
  using A = typename ArithmeticOf<T>::Type;
  Put<A>(static_cast<A>(Function()(Get<A>(operands[0]), Get<A>(operands[1]))), result);
}

template <class T, class Relation>
void Compare(const std::byte* const* operands, std::byte* result, std::int64_t) {
  Put<std::uint8_t>(Relation()(Get<T>(operands[0]), Get<T>(operands[1])) ? 1 : 0, result);
}

template <class From, class To>
void Convert(const std::byte* const* operands, std::byte* result, std::int64_t) {
  Put<To>(static_cast<To>(Get<From>(operands[0])), result);
}

template <class T>
void Select(const std::byte* const* operands, std::byte* result, std::int64_t) {
  Put<T>(Get<T>(operands[Get<std::uint8_t>(operands[0]) != 0 ? 1 : 2]), result);
}

template <class T>
Loop ArithmeticLoop(std::string_view op) {
  if (op == "add") return Binary<T, std::plus<>>;
  if (op == "subtract") return Binary<T, std::minus<>>;
  if (op == "multiply") return Binary<T, std::multiplies<>>;
  if constexpr (std::is_floating_point_v<T>) {
    if (op == "divide") return Binary<T, std::divides<>>;
  }
  return nullptr;
}

template <class T>
Loop CompareLoop(std::string_view direction) {
  if (direction == "EQ") return Compare<T, std::equal_to<>>;
  if (direction == "NE") return Compare<T, std::not_equal_to<>>;
  if (direction == "LT") return Compare<T, std::less<>>;
  if (direction == "LE") return Compare<T, std::less_equal<>>;
  if (direction == "GT") return Compare<T, std::greater<>>;
  return Compare<T, std::greater_equal<>>;
}

// Calls f(type) for the C++ type of these element types; returns null for others.
template <class Function>
Loop WithType(PrimitiveType type, const Function& function) {
  switch (type) {
    case F32:
      return function(float());
    case F64:
      return function(double());
    case S32:
      return function(std::int32_t());
    case U32:
      return function(std::uint32_t());
    case S64:
      return function(std::int64_t());
    case U64:
      return function(std::uint64_t());
    default:
      return nullptr;
  }
}

// Returns the conversions that C++ defines for every number, with the rounding of `convert`.
Loop ConvertLoop(PrimitiveType from, PrimitiveType to) {
  if (from == S32 && to == F32) return Convert<std::int32_t, float>;
  if (from == S32 && to == F64) return Convert<std::int32_t, double>;
  if (from == S64 && to == F64) return Convert<std::int64_t, double>;
  if (from == S64 && to == F32) return Convert<std::int64_t, float>;
  if (from == S32 && to == S64) return Convert<std::int32_t, std::int64_t>;
  if (from == S64 && to == S32) return Convert<std::int64_t, std::int32_t>;
  if (from == F32 && to == F64) return Convert<float, double>;
  return nullptr;
}

bool HasOneType(const HloInstruction& instruction, std::size_t first) {
  for (std::size_t i = first; i < instruction.operands.size(); ++i) {
    if (instruction.operands[i]->shape.element_type() != instruction.operands[first]->shape.element_type())
      return false;
  }
  return true;
}

}  // namespace

Loop ScalarLoop(const HloInstruction& instruction) {
  const std::string_view op = instruction.op->name;
  const PrimitiveType type = instruction.operand(0).shape.element_type();
  if (op == "convert") return ConvertLoop(type, instruction.shape.element_type());
  if (op == "select" && HasOneType(instruction, 1)) {
    return WithType(instruction.shape.element_type(), []<class T>(T) -> Loop { return Select<T>; });
  }
  if (op == "compare" && HasOneType(instruction, 0) && !IsTotalOrder(instruction)) {
    return WithType(type, [&]<class T>(T) { return CompareLoop<T>(instruction.String("direction")); });
  }
  if (!HasOneType(instruction, 0) || instruction.shape.element_type() != type) return nullptr;
  return WithType(type, [&]<class T>(T) { return ArithmeticLoop<T>(op); });
}

}  // namespace assay::simd
