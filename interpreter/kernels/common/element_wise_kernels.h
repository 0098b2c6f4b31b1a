// Kernels of element-wise ops, made from bodies of one line: blocks of elements in machine numbers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "interpreter/hlo/module.h"
#include "interpreter/numerics/complex.h"
#include "interpreter/numerics/functions.h"
#include "interpreter/numerics/integer.h"
#include "interpreter/numerics/real.h"

namespace assay {

// A body is a function of one element of each operand. Its arguments are TwosComplement<T> for integers and pred, and
// float or double for reals. A body that returns bool has a pred result. On float the result is correctly rounded if a
// single operation rounds it. Formats narrower than f32 are computed in double and rounded again by the store. This
// double rounding is innocuous for + - * / and sqrt: 53 >= 2 * 24 + 2 (Figueroa, "When is double rounding innocuous?",
// 1995).
//
//   NumberKernel   pred, integers, reals, complex numbers
//   IntegerKernel  pred and integers
//   RealKernel     reals, complex numbers
//
// Complex numbers are computed by `complex`, a function of interpreter/numerics/complex.h. Without one the body applies
// to each of the two parts.
template <auto body, auto... complex>
Kernel NumberKernel(const HloInstruction& instruction);
template <auto body>
Kernel IntegerKernel(const HloInstruction& instruction);
template <auto body, auto... complex>
Kernel RealKernel(const HloInstruction& instruction);

// Makes a kernel of a function of interpreter/numerics/functions.h and one of complex.h. Operands of different types
// are first converted to the result's type.
template <auto real, auto... complex>
Kernel FunctionKernel(const HloInstruction& instruction);

// Returns `kernel`, which needs operands of the given type from operand `first` on, with a conversion of other
// operands.
Kernel WithOperandsConverted(const HloInstruction& instruction, std::size_t first, PrimitiveType type, Kernel kernel);

// ----------------------------------------------------------------------------------------------------- Implementation.

namespace elementwise {

// Computes n results from n elements of each operand, in one compute type. `width` is that of TwosComplement.
using Loop = void (*)(const std::byte* const* operands, std::byte* result, std::int64_t n, int width);

// A body in every compute type; null if it has no meaning there.
struct Loops {
  bool is_predicate = false;  // results are the bytes of pred
  Loop f64 = nullptr;
  Loop f32 = nullptr;
  Loop s64 = nullptr;
  Loop u64 = nullptr;
  Loop s32 = nullptr;
};

using ComplexUnaryFunction = void (*)(PrimitiveType, const std::byte* in, std::byte* out, std::int64_t count);
using ComplexBinaryFunction = void (*)(PrimitiveType, const std::byte* lhs, const std::byte* rhs, std::byte* out,
                                       std::int64_t count);

Kernel MakeFunctionKernel(const RealUnary* function, const HloInstruction& instruction);
Kernel MakeFunctionKernel(const RealBinary* function, const HloInstruction& instruction);
Kernel MakeFunctionKernel(const ComplexUnary* function, const HloInstruction& instruction);
Kernel MakeFunctionKernel(const ComplexBinary* function, const HloInstruction& instruction);
Kernel MakeFunctionKernel(ComplexUnaryFunction function, const HloInstruction& instruction);
Kernel MakeFunctionKernel(ComplexBinaryFunction function, const HloInstruction& instruction);

// Runs the loop on the arrays directly if the element type is a compute type; otherwise block by block through the
// nearest one. The result may be one of the operand arrays.
Kernel MakeKernel(const Loops& loops, const HloInstruction& instruction);

template <class T>
using Argument =
    std::conditional_t<std::is_integral_v<T>, TwosComplement<std::conditional_t<std::is_integral_v<T>, T, int>>, T>;

// At -O2 g++ 12 vectorizes only loops of known length.
template <auto body, class T, class... In>
#if defined(__GNUC__) && !defined(__clang__)
__attribute__((optimize("O3")))
#endif
void Run(std::byte* result, std::int64_t n, int width, const In*... in) {
  using R = decltype(body(Argument<T>{*in}...));
  using Stored = std::conditional_t<std::is_same_v<R, bool>, std::uint8_t, T>;
  auto* out = reinterpret_cast<Stored*>(result);
#pragma GCC ivdep
  for (std::int64_t i = 0; i < n; ++i) {
    if constexpr (std::is_same_v<R, bool> && std::is_integral_v<T>) {
      out[i] = body(Argument<T>{in[i], width}...);
    } else if constexpr (std::is_same_v<R, bool>) {
      out[i] = body(in[i]...);
    } else if constexpr (std::is_integral_v<T>) {
      out[i] = body(Argument<T>{in[i], width}...).value;
    } else if constexpr (sizeof...(In) == 1) {
      out[i] = WithSignedNanOf(body(in[i]...), in[i]...);
    } else {
      out[i] = WithNanOf(body(in[i]...), in[i]...);
    }
  }
}

template <auto body, class T>
void LoopOver(const std::byte* const* operands, std::byte* result, std::int64_t n, int width) {
  using A = Argument<T>;
  using Body = decltype(body);
  const auto in = [&](int k) { return reinterpret_cast<const T*>(operands[k]); };
  if constexpr (std::is_invocable_v<Body, A>) {
    Run<body, T>(result, n, width, in(0));
  } else if constexpr (std::is_invocable_v<Body, A, A>) {
    Run<body, T>(result, n, width, in(0), in(1));
  } else {
    Run<body, T>(result, n, width, in(0), in(1), in(2));
  }
}

template <auto body, class T>
constexpr bool IsPredicate() {
  using A = Argument<T>;
  using Body = decltype(body);
  if constexpr (std::is_invocable_v<Body, A>) {
    return std::is_same_v<std::invoke_result_t<Body, A>, bool>;
  } else if constexpr (std::is_invocable_v<Body, A, A>) {
    return std::is_same_v<std::invoke_result_t<Body, A, A>, bool>;
  } else {
    return std::is_same_v<std::invoke_result_t<Body, A, A, A>, bool>;
  }
}

template <auto body, bool on_integers, bool on_reals>
constexpr Loops LoopsOf() {
  Loops loops;
  loops.is_predicate = IsPredicate<body, std::conditional_t<on_reals, double, std::int64_t>>();
  if constexpr (on_integers) {
    loops.s64 = LoopOver<body, std::int64_t>;
    loops.u64 = LoopOver<body, std::uint64_t>;
    loops.s32 = LoopOver<body, std::int32_t>;
  }
  if constexpr (on_reals) {
    loops.f64 = LoopOver<body, double>;
    loops.f32 = LoopOver<body, float>;
  }
  return loops;
}

inline bool IsComplex(const HloInstruction& instruction) {
  return IsComplexType(instruction.operand(0).shape.element_type());
}

}  // namespace elementwise

template <auto body, auto... complex>
Kernel NumberKernel(const HloInstruction& instruction) {
  if constexpr (sizeof...(complex) > 0) {
    if (elementwise::IsComplex(instruction)) return FunctionKernel<complex...>(instruction);
  }
  return elementwise::MakeKernel(elementwise::LoopsOf<body, true, true>(), instruction);
}
template <auto body>
Kernel IntegerKernel(const HloInstruction& instruction) {
  return elementwise::MakeKernel(elementwise::LoopsOf<body, true, false>(), instruction);
}
template <auto body, auto... complex>
Kernel RealKernel(const HloInstruction& instruction) {
  if constexpr (sizeof...(complex) > 0) {
    if (elementwise::IsComplex(instruction)) return FunctionKernel<complex...>(instruction);
  }
  return elementwise::MakeKernel(elementwise::LoopsOf<body, false, true>(), instruction);
}
template <auto real, auto... complex>
Kernel FunctionKernel(const HloInstruction& instruction) {
  if constexpr (sizeof...(complex) > 0) {
    if (elementwise::IsComplex(instruction)) return FunctionKernel<complex...>(instruction);
  }
  return elementwise::MakeFunctionKernel(real, instruction);
}

}  // namespace assay
