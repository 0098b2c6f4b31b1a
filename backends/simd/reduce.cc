// The order of a fold depends only on the shape and the instruction set. Pieces of fixed size are each folded into as
// many partial results as there are lanes, which are then combined in order.
#include "backends/simd/reduce.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string_view>
#include <vector>

#include "backends/simd/permute.h"
#include "interpreter/kernels/kernels.h"
#include "interpreter/numerics/fill.h"
#include "interpreter/types/index_util.h"
#include "interpreter/types/limits.h"
#include "interpreter/types/parallel.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "backends/simd/reduce.cc"
#include "backends/simd/targets.h"
// clang-format off
#include <hwy/foreach_target.h>
// clang-format on
#include <hwy/highway.h>

#include "backends/simd/bodies-inl.h"

#ifndef ASSAY_SIMD_REDUCE_ONCE
#define ASSAY_SIMD_REDUCE_ONCE
namespace assay::simd {

// Folds of n elements by one op; null if there are none for the op.
struct Folds {
  // Folds the neighbors in[0], ..., in[n - 1] into out[0].
  void (*row)(const void* in, std::int64_t n, void* out) = nullptr;
  // Folds in[i * width + j] for each i into out[j], for j below `columns`.
  void (*rows)(const void* in, std::int64_t n, std::int64_t width, std::int64_t columns, void* out) = nullptr;
};

}  // namespace assay::simd
#endif

HWY_BEFORE_NAMESPACE();
namespace assay::simd::HWY_NAMESPACE {

template <class Body, class T>
void FoldRows(const void* in, std::int64_t n, std::int64_t width, std::int64_t columns, void* out) {
  const T* const from = static_cast<const T*>(in);
  T* const to = static_cast<T*>(out);
  const hn::ScalableTag<T> d;
  const hn::CappedTag<T, 1> one;
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
  for (std::int64_t i = 0; i < n; ++i) {
    const T* const row = from + i * width;
    std::int64_t j = 0;
    for (; j + lanes <= columns; j += lanes) {
      hn::StoreU(Body()(hn::LoadU(d, to + j), hn::LoadU(d, row + j)), d, to + j);
    }
    for (; j < columns; ++j) to[j] = hn::GetLane(Body()(hn::Set(one, to[j]), hn::Set(one, row[j])));
  }
}

template <class Body, class T>
void FoldRow(const void* in, std::int64_t n, void* out) {
  constexpr int kParts = 4;
  const T* const from = static_cast<const T*>(in);
  const hn::ScalableTag<T> d;
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
  std::int64_t i = 0;
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
    FoldRows<Body, T>(left, lanes, 1, 1, out);
  }
  FoldRows<Body, T>(from + i, n - i, 1, 1, out);
}

template <class Body, class T>
constexpr Folds kFolds = {FoldRow<Body, T>, FoldRows<Body, T>};

template <class T>
Folds OfOrdered(std::string_view op) {
  if (op == "add") return kFolds<Add, T>;
  if (op == "multiply") return kFolds<Multiply, T>;
  if (op == "maximum") return kFolds<Maximum, T>;
  if (op == "minimum") return kFolds<Minimum, T>;
  return {};
}
template <class T>
Folds OfBits(std::string_view op) {
  if (op == "and") return kFolds<And, T>;
  if (op == "or") return kFolds<Or, T>;
  return {};
}

Folds FoldsOf(std::string_view op, PrimitiveType type) {
  const bool is_bitwise = op == "and" || op == "or";
  if (type == F32) return OfOrdered<float>(op);
  if (type == F64) return OfOrdered<double>(op);
  if (type == S32) return is_bitwise ? OfBits<std::int32_t>(op) : OfOrdered<std::int32_t>(op);
  if (type == U32) return is_bitwise ? OfBits<std::uint32_t>(op) : OfOrdered<std::uint32_t>(op);
  return type == PRED ? OfBits<std::uint8_t>(op) : Folds();
}

}  // namespace assay::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace assay::simd {
namespace {

HWY_EXPORT(FoldsOf);

// An array as [outer, folded, inner].
struct View {
  Literal array;
  std::int64_t outer = 1, folded = 1, inner = 1;
};

// Returns the view of an array. Folded dimensions that are not adjacent are moved to the end.
View ViewOf(const Literal& array, std::span<const std::int64_t> dimensions) {
  const std::int64_t rank = array.shape().rank();
  const auto is_folded = [&](std::int64_t d) { return std::ranges::count(dimensions, d) > 0; };
  const auto [first, last] = std::ranges::minmax(dimensions);
  View view;
  const bool is_together = last - first + 1 == static_cast<std::int64_t>(dimensions.size());
  std::vector<std::int64_t> order;
  for (std::int64_t d = 0; d < rank; ++d) {
    const std::int64_t size = array.shape().dimensions(d);
    (is_folded(d) ? view.folded : is_together && d > last ? view.inner : view.outer) *= size;
    if (!is_folded(d)) order.push_back(d);
  }
  for (std::int64_t d = 0; d < rank; ++d) {
    if (is_folded(d)) order.push_back(d);
  }
  view.array = is_together ? array : Permuted(array, order);
  return view;
}

class Reduction {
 public:
  Reduction(const Folds& folds, const View& view, const Literal& start)
      : folds_(folds), view_(view), start_(start), bytes_(StorageBytes(start.element_type())) {}

  void Run(std::byte* out) const {
    const std::int64_t outer = view_.outer, folded = view_.folded, inner = view_.inner;
    FillWith(bytes_, start_.data(), out, outer * inner);
    // Long folds are split into pieces, whose partial results are combined in order.
    const std::int64_t length = GrainOfRows(inner, kComputedPerPiece);
    const std::int64_t pieces = (folded + length - 1) / length;
    if (inner > 1 || pieces == 1) return FoldWhole(out);
    // Each piece starts with its first element, which avoids a neutral element.
    std::vector<std::byte> partial(outer * pieces * bytes_);
    ParallelFor(outer * pieces, 1, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t i = begin; i < end; ++i) {
        const std::int64_t first = i % pieces * length, count = std::min(length, folded - first);
        const std::byte* const in = view_.array.data() + (i / pieces * folded + first) * bytes_;
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
        const std::byte* const in = view_.array.data() + (row * folded * inner + column) * bytes_;
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
  const Literal& start_;
  const int bytes_;
};

Literal Evaluate(const HloInstruction& reduce, std::span<Literal> operands, Evaluation& evaluation) {
  const auto dimensions = reduce.Int64s("dimensions");
  const PrimitiveType type = operands[0].element_type();
  if (operands.size() == 2 && operands[1].element_type() == type && !dimensions.empty() &&
      reduce.shape.element_type() == type && operands[0].element_count() > 0) {
    const Op* const op = evaluation.Scalar(reduce.Computation("to_apply"))->SingleOp();
    const Folds folds = op == nullptr ? Folds() : HWY_DYNAMIC_DISPATCH(FoldsOf)(op->name, type);
    if (folds.row != nullptr) {
      const View view = ViewOf(operands[0], dimensions);
      Literal result = Literal::Uninitialized(reduce.shape);
      Reduction(folds, view, operands[1]).Run(result.mutable_data());
      return result;
    }
  }
  return WithKernel(*reduce.op).evaluation.evaluate(reduce, operands, evaluation);
}

constexpr std::string_view kNames[] = {"reduce"};

}  // namespace

const Family kReduce = {.ops = kNames, .evaluate = Evaluate};

}  // namespace assay::simd
#endif  // HWY_ONCE
