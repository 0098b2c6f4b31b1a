// The order of a fold depends only on the shape and the instruction set. Pieces of fixed size are each folded into as
// many partial results as there are lanes, which are then combined in order.
#include "backends/simd/reduce.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string_view>
#include <type_traits>
#include <vector>

#include "backends/simd/permute.h"
#include "interpreter/kernels/kernels.h"
#include "interpreter/types/index_util.h"
#include "interpreter/types/limits.h"
#include "interpreter/types/parallel.h"
#include "interpreter/types/repeat.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "backends/simd/reduce.cc"
#include "backends/simd/targets.h"
// clang-format off
#include <hwy/foreach_target.h>
// clang-format on
#include <hwy/highway.h>

#include "backends/simd/bodies-inl.h"
#include "backends/simd/long_windows-inl.h"

#ifndef ASSAY_SIMD_REDUCE_ONCE
#define ASSAY_SIMD_REDUCE_ONCE
namespace assay::simd {

// Folds of n elements by one op; null if there are none for the op.
struct Folds {
  // Folds the neighbors in[0], ..., in[n - 1] into out[0].
  void (*row)(const void* in, std::int64_t n, void* out) = nullptr;
  // Folds in[i * width + j] for each i into out[j], for j below `columns`.
  void (*rows)(const void* in, std::int64_t n, std::int64_t width, std::int64_t columns, void* out) = nullptr;
  FoldWindowsFunction windows = nullptr;
  FoldLongWindowsFunction long_windows = nullptr;
};

}  // namespace assay::simd
#endif

HWY_BEFORE_NAMESPACE();
namespace assay::simd::HWY_NAMESPACE {

// Folds kRows rows into `to`, one after the other.
template <class Body, class T, int kRows>
HWY_INLINE void FoldRowsTogether(const T* HWY_RESTRICT from, std::int64_t width, std::int64_t columns,
                                 T* HWY_RESTRICT to) {
  const auto fold = [&](auto d, std::int64_t j) HWY_ATTR {
    auto folded = hn::LoadU(d, to + j);
#pragma GCC unroll 4
    for (int row = 0; row < kRows; ++row) folded = Body()(folded, hn::LoadU(d, from + row * width + j));
    hn::StoreU(folded, d, to + j);
  };
  const hn::ScalableTag<T> d;
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
  std::int64_t j = 0;
  for (; j + lanes <= columns; j += lanes) fold(d, j);
  for (; j < columns; ++j) fold(hn::CappedTag<T, 1>(), j);
}

template <class Body, class T>
void FoldRows(const void* in, std::int64_t n, std::int64_t width, std::int64_t columns, void* out) {
  // A processor foresees what it reads from several rows, and reads and writes the results once for them.
  constexpr int kTogether = 4;
  const T* const from = static_cast<const T*>(in);
  T* const to = static_cast<T*>(out);
  std::int64_t i = 0;
  for (; i + kTogether <= n; i += kTogether) {
    FoldRowsTogether<Body, T, kTogether>(from + i * width, width, columns, to);
  }
  for (; i < n; ++i) FoldRowsTogether<Body, T, 1>(from + i * width, width, columns, to);
}

// Folds in[0], ..., in[n - 1] into `folded` one by one.
template <class Body, class T>
HWY_INLINE T FoldInto(T folded, const T* in, std::int64_t n) {
  const hn::CappedTag<T, 1> one;
  auto sum = hn::Set(one, folded);
  for (std::int64_t i = 0; i < n; ++i) sum = Body()(sum, hn::Set(one, in[i]));
  return hn::GetLane(sum);
}

// Folds n floats, a multiple of four vectors, by maximum or minimum as the processor has it, which is exact unless a
// number is NaN or the result is zero. Returns false for those.
template <class Body, class T>
HWY_INLINE bool FoldOrdinary(const T* in, std::int64_t n, T& out) {
  constexpr int kParts = 4;
  constexpr bool kIsMaximum = std::is_same_v<Body, Maximum>;
  const hn::ScalableTag<T> d;
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
  const auto fold = [](auto a, auto b) HWY_ATTR { return kIsMaximum ? hn::Max(a, b) : hn::Min(a, b); };
  hn::Vec<decltype(d)> parts[kParts];
  for (int part = 0; part < kParts; ++part) parts[part] = hn::LoadU(d, in + part * lanes);
  auto is_number = hn::Eq(parts[0], parts[0]);
  for (std::int64_t i = 0; i < n; i += kParts * lanes) {
#pragma GCC unroll 4
    for (int part = 0; part < kParts; ++part) {
      const auto numbers = hn::LoadU(d, in + i + part * lanes);
      is_number = hn::And(is_number, hn::Eq(numbers, numbers));
      parts[part] = fold(parts[part], numbers);
    }
  }
  const auto all = fold(fold(parts[0], parts[1]), fold(parts[2], parts[3]));
  out = hn::GetLane(kIsMaximum ? hn::MaxOfLanes(d, all) : hn::MinOfLanes(d, all));
  return hn::AllTrue(d, is_number) && out != 0;
}

template <class Body, class T>
void FoldRow(const void* in, std::int64_t n, void* out) {
  constexpr int kParts = 4;
  const T* const from = static_cast<const T*>(in);
  T& to = *static_cast<T*>(out);
  const hn::ScalableTag<T> d;
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
  std::int64_t i = 0;
  if constexpr (std::is_floating_point_v<T> && (std::is_same_v<Body, Maximum> || std::is_same_v<Body, Minimum>)) {
    const std::int64_t whole = n / (kParts * lanes) * (kParts * lanes);
    if (T folded; whole > 0 && FoldOrdinary<Body>(from, whole, folded)) {
      to = FoldInto<Body>(FoldInto<Body>(to, &folded, 1), from + whole, n - whole);
      return;
    }
  }
  if (n >= kParts * lanes) {
    hn::Vec<decltype(d)> parts[kParts];
    for (int part = 0; part < kParts; ++part) parts[part] = hn::LoadU(d, from + part * lanes);
    for (i = kParts * lanes; i + kParts * lanes <= n; i += kParts * lanes) {
#pragma GCC unroll 4
      for (int part = 0; part < kParts; ++part) {
        parts[part] = Body()(parts[part], hn::LoadU(d, from + i + part * lanes));
      }
    }
    HWY_ALIGN T left[hn::MaxLanes(d)];
    hn::Store(Body()(Body()(parts[0], parts[1]), Body()(parts[2], parts[3])), d, left);
    to = FoldInto<Body>(to, left, lanes);
  }
  to = FoldInto<Body>(to, from + i, n - i);
}

template <class Body, class T>
void FoldWindows(const void* in, const WindowRuns& runs, void* out) {
  const hn::ScalableTag<T> d;
  const hn::CappedTag<T, 1> one;
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
  const auto fold = [&](auto tag, const T* from, T* to) HWY_ATTR {
    auto folded = hn::LoadU(tag, to);
    for (std::int64_t i = 0; i < runs.n; ++i) folded = Body()(folded, hn::LoadU(tag, from + i * runs.width));
    hn::StoreU(folded, tag, to);
  };
  for (std::int64_t p = 0; p < runs.positions; ++p) {
    const T* const from = static_cast<const T*>(in) + p * runs.step;
    T* const to = static_cast<T*>(out) + p * runs.columns;
    std::int64_t j = 0;
    for (; j + lanes <= runs.columns; j += lanes) fold(d, from + j, to + j);
    for (; j < runs.columns; ++j) fold(one, from + j, to + j);
  }
}

template <class Body, class T>
constexpr Folds kFolds = {FoldRow<Body, T>, FoldRows<Body, T>, FoldWindows<Body, T>, FoldLongWindows<Body, T>};

template <class T>
Folds OfExtremes(std::string_view op) {
  if (op == "maximum") return kFolds<Maximum, T>;
  if (op == "minimum") return kFolds<Minimum, T>;
  return {};
}
template <class T>
Folds OfNumbers(std::string_view op) {
  if (op == "add") return kFolds<Add, T>;
  if (op == "multiply") return kFolds<Multiply, T>;
  return OfExtremes<T>(op);
}
template <class T>
Folds OfBits(std::string_view op) {
  if (op == "and") return kFolds<And, T>;
  if (op == "or") return kFolds<Or, T>;
  return {};
}

// Only extremes of integers depend on the sign: the bits of the others are those of unsigned numbers.
Folds FoldsOf(std::string_view op, PrimitiveType type) {
  if (type == F32) return OfNumbers<float>(op);
  if (type == F64) return OfNumbers<double>(op);
  if (type == PRED) return OfBits<std::uint8_t>(op);
  if (type != S32 && type != U32) return {};
  const Folds folds = type == S32 ? OfExtremes<std::int32_t>(op) : Folds();
  if (folds.row != nullptr) return folds;
  const Folds of_bits = OfBits<std::uint32_t>(op);
  return of_bits.row != nullptr ? of_bits : OfNumbers<std::uint32_t>(op);
}

}  // namespace assay::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace assay::simd {
namespace {

HWY_EXPORT(FoldsOf);

// An array as [outer, folded, inner].
struct View {
  std::int64_t outer = 1, folded = 1, inner = 1;
  std::vector<std::int64_t> order;  // of the array's dimensions; empty: as they are
};

// Returns the view of an array. Folded dimensions that are not adjacent are moved to the end.
View ViewOf(const Shape& shape, std::span<const std::int64_t> dimensions) {
  const auto is_folded = [&](std::int64_t d) { return std::ranges::count(dimensions, d) > 0; };
  const auto [first, last] = std::ranges::minmax(dimensions);
  View view;
  const bool is_together = last - first + 1 == static_cast<std::int64_t>(dimensions.size());
  for (std::int64_t d = 0; d < shape.rank(); ++d) {
    (is_folded(d) ? view.folded : is_together && d > last ? view.inner : view.outer) *= shape.dimensions(d);
    if (!is_together && !is_folded(d)) view.order.push_back(d);
  }
  for (std::int64_t d = 0; d < shape.rank() && !is_together; ++d) {
    if (is_folded(d)) view.order.push_back(d);
  }
  return view;
}

class Reduction {
 public:
  Reduction(const Folds& folds, const View& view, PrimitiveType type, const std::byte* array, const std::byte* start)
      : folds_(folds), view_(view), array_(array), start_(start), bytes_(StorageBytes(type)) {}

  void Run(std::byte* out) const {
    const std::int64_t outer = view_.outer, folded = view_.folded, inner = view_.inner;
    FillWith(bytes_, start_, out, outer * inner);
    // Long folds are split into pieces, whose partial results are combined in order.
    const std::int64_t length = GrainOfRows(inner, kComputedPerPiece);
    const std::int64_t pieces = (folded + length - 1) / length;
    if (inner > 1 || pieces == 1) return FoldWhole(out);
    // Each piece starts with its first element, which avoids a neutral element.
    std::vector<std::byte> partial(outer * pieces * bytes_);
    ParallelFor(outer * pieces, 1, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t i = begin; i < end; ++i) {
        const std::int64_t first = i % pieces * length, count = std::min(length, folded - first);
        const std::byte* const in = array_ + (i / pieces * folded + first) * bytes_;
        std::copy_n(in, bytes_, partial.data() + i * bytes_);
        folds_.row(in + bytes_, count - 1, partial.data() + i * bytes_);
      }
    });
    for (std::int64_t i = 0; i < outer; ++i) folds_.row(partial.data() + i * pieces * bytes_, pieces, out + i * bytes_);
  }

 private:
  // Folds each result without splitting; columns of the inner dimensions side by side.
  void FoldWhole(std::byte* out) const {
    const std::int64_t outer = view_.outer, folded = view_.folded, inner = view_.inner;
    static constexpr std::int64_t kColumns = 1024;
    const std::int64_t blocks = (inner + kColumns - 1) / kColumns;
    const std::int64_t work = std::max<std::int64_t>(1, folded * std::min(inner, kColumns));
    ParallelFor(outer * blocks, GrainOfRows(work, kComputedPerPiece), [&](std::int64_t begin, std::int64_t end) {
      CheckLimits();
      for (std::int64_t i = begin; i < end; ++i) {
        const std::int64_t row = i / blocks, column = i % blocks * kColumns;
        const std::byte* const in = array_ + (row * folded * inner + column) * bytes_;
        std::byte* const to = out + (row * inner + column) * bytes_;
        if (inner == 1) {
          folds_.row(in, folded, to);
        } else {
          folds_.rows(in, folded, inner, std::min(kColumns, inner - column), to);
        }
      }
    });
  }

  const Folds& folds_;
  const View& view_;
  const std::byte *const array_, *const start_;
  const int bytes_;
};

Folds FoldsOfOp(const Op* op, PrimitiveType type) {
  return op == nullptr ? Folds() : HWY_DYNAMIC_DISPATCH(FoldsOf)(op->name, type);
}

// True if the instruction folds one array of its own type.
bool FoldsOneArray(const HloInstruction& reduce, const Shape& array, const Shape& start) {
  const PrimitiveType type = array.element_type();
  return start.element_type() == type && reduce.shape.element_type() == type && !reduce.Int64s("dimensions").empty() &&
         ShapeUtil::ElementsIn(array) > 0;
}

Literal Evaluate(const HloInstruction& reduce, std::span<Literal> operands, Evaluation& evaluation) {
  if (operands.size() == 2 && FoldsOneArray(reduce, operands[0].shape(), operands[1].shape())) {
    const PrimitiveType type = operands[0].element_type();
    const Folds folds = FoldsOfOp(evaluation.Scalar(reduce.Computation("to_apply"))->SingleOp(), type);
    if (folds.row != nullptr) {
      const View view = ViewOf(operands[0].shape(), reduce.Int64s("dimensions"));
      const Literal array = view.order.empty() ? operands[0] : Permuted(operands[0], view.order);
      Literal result = Literal::Uninitialized(reduce.shape);
      Reduction(folds, view, type, array.data(), operands[1].data()).Run(result.mutable_data());
      return result;
    }
  }
  return WithKernel(*reduce.op).evaluation.evaluate(reduce, operands, evaluation);
}

// Returns the op of a computation op(parameter 0, parameter 1), or with the parameters exchanged, on scalars of the
// type; null for others.
const Op* SingleOpOn(const HloComputation& computation, PrimitiveType type) {
  const HloInstruction& root = *computation.root;
  if (computation.instructions.size() != 3 || root.operands.size() != 2) return nullptr;
  for (const HloInstruction* operand : root.operands) {
    if (operand->op->role != OpRole::kParameter || operand->shape.element_type() != type) return nullptr;
  }
  return root.operands[0] != root.operands[1] && root.shape.element_type() == type ? root.op : nullptr;
}

// Returns the folds of a reduce of one array of fixed shape.
Folds FoldsOfReduce(const HloInstruction& reduce) {
  if (reduce.op->name != "reduce" || reduce.operands.size() != 2 || !reduce.shape.IsFixedArray()) return {};
  const Shape& array = reduce.operand(0).shape;
  if (!array.IsFixedArray() || !FoldsOneArray(reduce, array, reduce.operand(1).shape)) return {};
  return FoldsOfOp(SingleOpOn(reduce.Computation("to_apply"), array.element_type()), array.element_type());
}

constexpr std::string_view kNames[] = {"reduce"};

}  // namespace

Kernel ReduceKernel(const HloInstruction& reduce) {
  const Folds folds = FoldsOfReduce(reduce);
  if (folds.row == nullptr) return {};
  const Shape& array = reduce.operand(0).shape;
  const PrimitiveType type = array.element_type();
  const View view = ViewOf(array, reduce.Int64s("dimensions"));
  if (!view.order.empty()) return {};
  return [folds, view, type](std::span<const std::byte* const> operands, std::byte* result, std::int64_t) {
    Reduction(folds, view, type, operands[0], operands[1]).Run(result);
  };
}

Kernel RowKernel(const HloInstruction& reduce) {
  const Folds folds = FoldsOfReduce(reduce);
  if (folds.row == nullptr) return {};
  const View view = ViewOf(reduce.operand(0).shape, reduce.Int64s("dimensions"));
  if (!view.order.empty() || view.inner != 1 || view.folded > kComputedPerPiece) return {};
  const int bytes = StorageBytes(reduce.shape.element_type());
  return [row = folds.row, columns = view.folded, bytes](std::span<const std::byte* const> operands, std::byte* result,
                                                         std::int64_t n) {
    FillWith(bytes, operands[1], result, n);
    for (std::int64_t i = 0; i < n; ++i) row(operands[0] + i * columns * bytes, columns, result + i * bytes);
  };
}

FoldWindowsFunction WindowsFold(const HloComputation& computation, PrimitiveType type) {
  return FoldsOfOp(SingleOpOn(computation, type), type).windows;
}

FoldLongWindowsFunction LongWindowsFold(const HloComputation& computation, PrimitiveType type) {
  return FoldsOfOp(SingleOpOn(computation, type), type).long_windows;
}

const Family kReduce = {.ops = kNames, .evaluate = Evaluate};

}  // namespace assay::simd
#endif  // HWY_ONCE
