#include "backends/simd/elementwise.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <type_traits>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "backends/simd/elementwise.cc"
#include "backends/simd/targets.h"
// clang-format off
#include <hwy/foreach_target.h>
// clang-format on
#include <hwy/highway.h>

#include "backends/simd/bodies-inl.h"
#include "backends/simd/element_wise_line.h"
#include "backends/simd/storage-inl.h"

HWY_BEFORE_NAMESPACE();
namespace assay::simd::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

struct Named {
  std::string_view op;
  Loop loop;
};

template <class Body, class Storage, std::size_t kOperands>
constexpr Loop kLoop = Run<Body, Storage, Storage, kOperands>;

template <std::size_t kCount>
Loop Find(const Named (&loops)[kCount], std::string_view op) {
  const Named* const found = std::ranges::find(loops, op, &Named::op);
  return found == std::end(loops) ? nullptr : found->loop;
}

template <class Storage>
Loop OfOrderedReal(std::string_view op) {
  static constexpr Named kLoops[] = {
      {"maximum", kLoop<Maximum, Storage, 2>},
      {"minimum", kLoop<Minimum, Storage, 2>},
      {"clamp", kLoop<Clamp, Storage, 3>},
      {"sqrt", kLoop<Sqrt, Storage, 1>},
      {"floor", kLoop<Floor, Storage, 1>},
      {"ceil", kLoop<Ceil, Storage, 1>},
      {"round-nearest-even", kLoop<RoundNearestEven, Storage, 1>},
      {"round-nearest-afz", kLoop<RoundNearestAfz, Storage, 1>},
  };
  return Find(kLoops, op);
}

template <class Storage>
Loop OfReal(std::string_view op) {
  static constexpr Named kLoops[] = {
      {"add", kLoop<Add, Storage, 2>},           {"subtract", kLoop<Subtract, Storage, 2>},
      {"multiply", kLoop<Multiply, Storage, 2>}, {"divide", kLoop<Divide, Storage, 2>},
      {"abs", kLoop<Abs, Storage, 1>},           {"negate", kLoop<Negate, Storage, 1>},
  };
  const Loop loop = Find(kLoops, op);
  return loop != nullptr ? loop : OfOrderedReal<Storage>(op);
}

// Returns the loop of an op that is the same for signed and unsigned integers.
template <class T>
Loop OfBits(std::string_view op) {
  using Storage = Direct<T>;
  static constexpr Named kLoops[] = {
      {"add", kLoop<Add, Storage, 2>},           {"subtract", kLoop<Subtract, Storage, 2>},
      {"multiply", kLoop<Multiply, Storage, 2>}, {"negate", kLoop<Negate, Storage, 1>},
      {"and", kLoop<And, Storage, 2>},           {"or", kLoop<Or, Storage, 2>},
      {"xor", kLoop<Xor, Storage, 2>},           {"not", kLoop<Not, Storage, 1>},
  };
  return Find(kLoops, op);
}

template <class T>
Loop OfInteger(std::string_view op) {
  using Storage = Direct<T>;
  static constexpr Named kLoops[] = {
      {"maximum", kLoop<Maximum, Storage, 2>},
      {"minimum", kLoop<Minimum, Storage, 2>},
      {"clamp", kLoop<Clamp, Storage, 3>},
  };
  if constexpr (std::is_signed_v<T>) {
    if (op == "abs") return kLoop<Abs, Storage, 1>;
  }
  const Loop loop = Find(kLoops, op);
  return loop != nullptr ? loop : OfBits<std::make_unsigned_t<T>>(op);
}

Loop OfPredicate(std::string_view op) {
  using Storage = Direct<std::uint8_t>;
  static constexpr Named kLoops[] = {
      {"and", kLoop<And, Storage, 2>}, {"or", kLoop<Or, Storage, 2>}, {"xor", kLoop<Xor, Storage, 2>}};
  return Find(kLoops, op);
}

// Returns the loop of an op; null if the evaluator's suffices.
Loop LoopOf(std::string_view op, PrimitiveType type) {
  switch (type) {
    case F32:
      return OfReal<Direct<float>>(op);
    case F64:
      return OfReal<Direct<double>>(op);
    case BF16:
      return OfReal<Bf16>(op);
    case F16:
      return OfReal<F16Storage>(op);
    case S8:
      return OfInteger<std::int8_t>(op);
    case U8:
      return OfInteger<std::uint8_t>(op);
    case S16:
      return OfInteger<std::int16_t>(op);
    case U16:
      return OfInteger<std::uint16_t>(op);
    case S32:
      return OfInteger<std::int32_t>(op);
    case U32:
      return OfInteger<std::uint32_t>(op);
    case PRED:
      return OfPredicate(op);
    default:
      return nullptr;
  }
}

template <class Body, class T>
void FoldEach(std::byte* array, const std::byte* updates, std::span<const RunStart> runs, std::int64_t elements) {
  const hn::ScalableTag<T> all;
  const hn::CappedTag<T, 1> one;
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(all));
  for (const RunStart& run : runs) {
    T* const to = reinterpret_cast<T*>(array) + run.to;
    const T* const from = reinterpret_cast<const T*>(updates) + run.from;
    std::int64_t i = 0;
    for (; i + lanes <= elements; i += lanes) {
      hn::StoreU(Body()(hn::LoadU(all, to + i), hn::LoadU(all, from + i)), all, to + i);
    }
    for (; i < elements; ++i) hn::StoreU(Body()(hn::LoadU(one, to + i), hn::LoadU(one, from + i)), one, to + i);
  }
}

template <class T>
FoldRuns FoldEachOf(std::string_view op) {
  if (op == "add") return FoldEach<Add, T>;
  if (op == "multiply") return FoldEach<Multiply, T>;
  return op == "maximum" ? FoldEach<Maximum, T> : FoldEach<Minimum, T>;
}

// Returns the function of one of the four ops and types that FoldingKernel accepts.
FoldRuns FoldOf(std::string_view op, PrimitiveType type) {
  switch (type) {
    case F32:
      return FoldEachOf<float>(op);
    case F64:
      return FoldEachOf<double>(op);
    case S32:
      return FoldEachOf<std::int32_t>(op);
    default:
      return FoldEachOf<std::uint32_t>(op);
  }
}

}  // namespace assay::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace assay::simd {
namespace {

HWY_EXPORT(LoopOf);
HWY_EXPORT(FoldOf);

constexpr std::string_view kNames[] = {"abs",
                                       "add",
                                       "and",
                                       "ceil",
                                       "clamp",
                                       "divide",
                                       "floor",
                                       "maximum",
                                       "minimum",
                                       "multiply",
                                       "negate",
                                       "not",
                                       "or",
                                       "round-nearest-afz",
                                       "round-nearest-even",
                                       "sqrt",
                                       "subtract",
                                       "xor"};

Kernel KernelOfArithmetic(const HloInstruction& instruction) {
  const PrimitiveType type = instruction.shape.element_type();
  const bool is_uniform = std::ranges::all_of(
      instruction.operands, [&](const HloInstruction* operand) { return operand->shape.element_type() == type; });
  const Loop loop = is_uniform ? HWY_DYNAMIC_DISPATCH(LoopOf)(instruction.op->name, type) : nullptr;
  return KernelOfLoop(loop, instruction);
}

}  // namespace

FoldRuns FoldRunsOf(const HloComputation& computation, PrimitiveType type) {
  if (FoldingKernel(computation, type) == nullptr) return nullptr;
  return HWY_DYNAMIC_DISPATCH(FoldOf)(computation.root->op->name, type);
}

const Family kArithmetic = {.ops = kNames, .kernel = KernelOfArithmetic};

}  // namespace assay::simd
#endif  // HWY_ONCE
