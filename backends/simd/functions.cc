#include "backends/simd/functions.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>
#include <type_traits>
#include <vector>

#include "interpreter/numerics/round.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "backends/simd/functions.cc"
#include "backends/simd/targets.h"
// clang-format off
#include <hwy/foreach_target.h>
// clang-format on
#include <hwy/highway.h>

#include "backends/simd/exponentials-inl.h"
#include "backends/simd/powers-inl.h"
#include "backends/simd/storage-inl.h"
#include "backends/simd/trigonometry-inl.h"

HWY_BEFORE_NAMESPACE();
namespace assay::simd::HWY_NAMESPACE {

using NarrowTag = hn::Rebind<float, D>;

// HoldsFor and ValueOf call functions of one and of two operands alike. A function without Holds holds for all but NaN.
template <class F, bool kNarrow>
HWY_INLINE M HoldsFor(V a, V b) {
  if constexpr (requires { F::template Holds<kNarrow>(a, b); }) {
    return F::template Holds<kNarrow>(a, b);
  } else if constexpr (requires { F::template Holds<kNarrow>(a); }) {
    return F::template Holds<kNarrow>(a);
  } else {
    return hn::Eq(a, a);
  }
}
template <class F, bool kNarrow>
HWY_INLINE V ValueOf(V a, V b) {
  if constexpr (requires { F::template Value<kNarrow>(a, b); }) {
    return F::template Value<kNarrow>(a, b);
  } else {
    return F::template Value<kNarrow>(a);
  }
}

template <class T>
HWY_INLINE V LoadNumbers(const T* in) {
  if constexpr (sizeof(T) == 4)
    return hn::PromoteTo(D(), hn::LoadU(NarrowTag(), in));
  else
    return hn::LoadU(D(), in);
}
template <class T>
HWY_INLINE void StoreNumbers(V numbers, T* out) {
  if constexpr (sizeof(T) == 4)
    StoreAsF32(numbers, out);
  else
    hn::StoreU(numbers, D(), out);
}

// Adds those of the n operands at `a` and `b` for which the function's formula does not hold. The vector of the first
// one begins at `place`. Reads them again, so that the formula's loop keeps no copy.
template <class F, bool kNarrow, class T>
HWY_NOINLINE void Collect(const T* a, const T* b, std::int64_t place, std::int64_t n, FallbackOperands& fallback) {
  HWY_ALIGN double is_good[hn::MaxLanes(D())];
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(D()));
  for (std::int64_t i = 0; i < n; ++i) {
    if (i % lanes == 0) {
      const M holds = HoldsFor<F, kNarrow>(LoadNumbers(a + i), LoadNumbers(b + i));
      hn::Store(hn::IfThenElseZero(holds, C(1.0)), D(), is_good);
    }
    if (is_good[i % lanes] != 0) continue;
    fallback.places[fallback.count] = place + i;
    fallback.a[fallback.count] = a[i];
    fallback.b[fallback.count++] = b[i];
  }
}

// True if F has a formula in f32 for numbers of type T. The error bounds of such formulas count fused operations.
template <class F, class T>
constexpr bool kIsInFloats = HWY_NATIVE_FMA && sizeof(T) == 4 && requires(NarrowTag d) {
  F::OfFloats(d, hn::Zero(d));
};

// Computes the f32 numbers of one vector; n of them count.
template <class F, class Tag>
HWY_INLINE void RunFloats(Tag d, const float* a, float* out, std::int64_t place, std::int64_t n,
                          FallbackOperands& fallback) {
  const hn::Vec<Tag> x = hn::LoadU(d, a);
  if constexpr (requires { F::OfNear(d, x); }) {
    if (HWY_LIKELY(hn::AllTrue(d, F::IsNear(d, x)))) return hn::StoreU(F::OfNear(d, x), d, out);
  }
  if (HWY_UNLIKELY(!hn::AllTrue(d, hn::Eq(x, x)))) Collect<F, true>(a, a, place, n, fallback);
  hn::StoreU(F::OfFloats(d, x), d, out);
}

// Computes kVectors vectors, the first of which begins at `place`; n elements of them count. Several vectors need one
// branch, and their formulas do not wait for each other.
template <class F, bool kNarrow, int kVectors, class T>
HWY_INLINE void RunVectors(const T* a, const T* b, T* out, std::int64_t place, std::int64_t n,
                           FallbackOperands& fallback) {
  constexpr bool kHasTwoOperands = requires(V x) { F::template Value<kNarrow>(x, x); };
  if constexpr (kIsInFloats<F, T>) {
    using Tag = std::conditional_t<kVectors == 1, NarrowTag, hn::ScalableTag<float>>;
    return RunFloats<F>(Tag(), a, out, place, n, fallback);
  }
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(D()));
  V x[kVectors], y[kVectors];
#pragma GCC unroll 4
  for (int k = 0; k < kVectors; ++k) {
    x[k] = LoadNumbers(a + k * lanes);
    y[k] = kHasTwoOperands ? LoadNumbers(b + k * lanes) : x[k];
  }
  M holds = HoldsFor<F, kNarrow>(x[0], y[0]);
#pragma GCC unroll 4
  for (int k = 1; k < kVectors; ++k) holds = hn::And(holds, HoldsFor<F, kNarrow>(x[k], y[k]));
  if (HWY_UNLIKELY(!hn::AllTrue(D(), holds))) Collect<F, kNarrow>(a, b, place, n, fallback);
#pragma GCC unroll 4
  for (int k = 0; k < kVectors; ++k) StoreNumbers(ValueOf<F, kNarrow>(x[k], y[k]), out + k * lanes);
}

template <class F, bool kNarrow, class T>
HWY_NOINLINE void RunArray(const void* a, const void* b, void* out, std::int64_t n, FallbackOperands& fallback) {
  constexpr int kVectors = kNarrow ? 2 : 1;
  const T* const x = static_cast<const T*>(a);
  const T* const y = static_cast<const T*>(b);
  T* const z = static_cast<T*>(out);
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(D()));
  std::int64_t i = 0;
  for (; i + kVectors * lanes <= n; i += kVectors * lanes) {
    RunVectors<F, kNarrow, kVectors>(x + i, y + i, z + i, i, kVectors * lanes, fallback);
  }
  for (; i + lanes <= n; i += lanes) RunVectors<F, kNarrow, 1>(x + i, y + i, z + i, i, lanes, fallback);
  if (i == n) return;
  T last_x[hn::MaxLanes(D())] = {}, last_y[hn::MaxLanes(D())] = {}, last_z[hn::MaxLanes(D())];
  std::copy(x + i, x + n, last_x);
  std::copy(y + i, y + n, last_y);
  RunVectors<F, kNarrow, 1>(last_x, last_y, last_z, i, n - i, fallback);
  std::copy(last_z, last_z + (n - i), z + i);
}

template <class F>
void Run(FunctionElements elements, const void* a, const void* b, void* out, std::int64_t n,
         FallbackOperands& fallback) {
  switch (elements) {
    case FunctionElements::kF32:
      return RunArray<F, true, float>(a, b, out, n, fallback);
    case FunctionElements::kNarrowInF64:
      return RunArray<F, true, double>(a, b, out, n, fallback);
    case FunctionElements::kF64:
      return RunArray<F, false, double>(a, b, out, n, fallback);
  }
}

// In the order of kNames.
constexpr FunctionBlock kBlocks[] = {
    Run<Acos>,
    Run<Acosh>,
    Run<Asin>,
    Run<Asinh>,
    Run<Atan>,
    Run<Atan2>,
    Run<Atanh>,
    Run<Cbrt>,
    Run<Cosh>,
    Run<Cosine>,
    Run<Erf>,
    Run<Exponential>,
    Run<ExponentialMinusOne>,
    Run<Logarithm>,
    Run<LogPlusOne>,
    Run<Logistic>,
    Run<Power>,
    Run<ReciprocalRoot>,
    Run<Sine>,
    Run<Sinh>,
    Run<Tan>,
    Run<Tanh>,
};

FunctionBlock BlockOf(std::size_t function) { return kBlocks[function]; }

}  // namespace assay::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace assay::simd {
namespace {

HWY_EXPORT(BlockOf);

constexpr std::string_view kNames[] = {
    "acos",
    "acosh",
    "asin",
    "asinh",
    "atan",
    "atan2",
    "atanh",
    "cbrt",
    "cosh",
    "cosine",
    "erf",
    "exponential",
    "exponential-minus-one",
    "log",
    "log-plus-one",
    "logistic",
    "power",
    "rsqrt",
    "sine",
    "sinh",
    "tan",
    "tanh",
};

// A kernel of one function. Elements of types other than f32 and f64 go through blocks of doubles.
class FunctionKernel {
 public:
  explicit FunctionKernel(const HloInstruction& instruction)
      : block_(HWY_DYNAMIC_DISPATCH(BlockOf)(std::ranges::find(kNames, instruction.op->name) - kNames)),
        exact_(EvaluatorsKernel(instruction)),
        type_(instruction.shape.element_type()),
        operand_count_(instruction.operands.size()) {}

  void operator()(std::span<const std::byte* const> operands, std::byte* result, std::int64_t n) const {
    FallbackOperands fallback;
    for (std::int64_t begin = 0; begin < n; begin += FallbackOperands::kMost) {
      const std::int64_t count = std::min(FallbackOperands::kMost, n - begin), offset = begin * StorageBytes(type_);
      fallback.count = 0;
      Run(operands.front() + offset, operands.back() + offset, result + offset, count, fallback);
      if (fallback.count > 0) Mend(fallback, result + offset);
    }
  }

 private:
  void Run(const std::byte* a, const std::byte* b, std::byte* out, std::int64_t n, FallbackOperands& fallback) const {
    if (type_ == F32) return block_(FunctionElements::kF32, a, b, out, n, fallback);
    if (type_ == F64) return block_(FunctionElements::kF64, a, b, out, n, fallback);
    std::array<double, FallbackOperands::kMost> x, y;
    LoadReals(type_, a, x.data(), n);
    if (operand_count_ == 2) LoadReals(type_, b, y.data(), n);
    block_(FunctionElements::kNarrowInF64, x.data(), (operand_count_ == 2 ? y : x).data(), x.data(), n, fallback);
    StoreReals(type_, x.data(), out, n);
  }

  // Replaces the results of fallback operands with the evaluator's.
  void Mend(const FallbackOperands& fallback, std::byte* out) const {
    const std::int64_t bytes = StorageBytes(type_);
    std::vector<std::byte> a(fallback.count * bytes), b(fallback.count * bytes);
    StoreReals(type_, fallback.a, a.data(), fallback.count);
    StoreReals(type_, fallback.b, b.data(), fallback.count);
    const std::array<const std::byte*, 2> operands = {a.data(), b.data()};
    exact_(std::span(operands).first(operand_count_), a.data(), fallback.count);
    for (std::int64_t i = 0; i < fallback.count; ++i) {
      std::copy_n(a.data() + i * bytes, bytes, out + fallback.places[i] * bytes);
    }
  }

  FunctionBlock block_;
  Kernel exact_;
  PrimitiveType type_;
  std::size_t operand_count_;
};

// Returns the kernel of an instruction. The evaluator computes complex functions, operands of several types, and
// results that must be more accurate than the formulas.
Kernel KernelOf(const HloInstruction& instruction) {
  const PrimitiveType type = instruction.shape.element_type();
  const std::int64_t ulps = type == F64 ? 4 : 1;
  if (instruction.result_accuracy && instruction.result_accuracy->ulps < ulps) return EvaluatorsKernel(instruction);
  for (const HloInstruction* operand : instruction.operands) {
    if (operand->shape.element_type() != type || !IsFloatingPointType(type)) return EvaluatorsKernel(instruction);
  }
  return FunctionKernel(instruction);
}

}  // namespace

const Family kFunctions = {.ops = kNames, .kernel = KernelOf};

}  // namespace assay::simd
#endif  // HWY_ONCE
