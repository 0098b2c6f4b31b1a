#include "backends/simd/permute.h"

#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <utility>
#include <vector>

#include "interpreter/types/index_util.h"
#include "interpreter/types/parallel.h"

namespace assay::simd {
namespace {

// A dimension of the result, with the stride of its elements in the operand.
struct Axis {
  std::int64_t size;
  std::int64_t step;
};

// Returns the axes of the result from major to minor. Axes that stay neighbors in memory are merged, and those of size
// 1 are omitted.
std::vector<Axis> AxesOf(const Literal& array, std::span<const std::int64_t> order) {
  const std::vector<std::int64_t> strides = RowMajorStrides(array.shape().dimensions());
  std::vector<Axis> axes;
  for (const std::int64_t d : order) {
    const Axis axis{array.shape().dimensions(d), strides[d]};
    if (axis.size == 1) continue;
    if (!axes.empty() && axes.back().step == axis.size * axis.step) {
      axes.back() = {axes.back().size * axis.size, axis.step};
    } else {
      axes.push_back(axis);
    }
  }
  return axes;
}

// Returns the side of a square: 256 bytes, so that neighboring cache lines are read and written together, and at most
// 64 elements.
constexpr std::int64_t TileOf(std::int64_t bytes) { return bytes <= 4 ? 64 : 256 / bytes; }
constexpr std::int64_t kBytesPerPiece = 1 << 16;

// A vector of 16 bytes. Vectors of the compiler are enough: shuffles of this size are part of every instruction set.
template <class T>
using Vector [[gnu::vector_size(16)]] = T;

template <class T>
constexpr int kLanesOf = 16 / sizeof(T);

// A result of at least this size is written past the caches: it would not stay in them, and the processor need not read
// the lines that it fills.
constexpr std::int64_t kBytesToStream = 8 << 20;

template <bool kIsStreamed, class T>
void StoreVector(Vector<T> vector, T* to) {
#ifdef __SSE2__
  if constexpr (kIsStreamed) {
    return _mm_stream_si128(reinterpret_cast<__m128i*>(to), reinterpret_cast<__m128i>(vector));
  }
#endif
  std::memcpy(to, &vector, sizeof vector);
}

// Makes streamed vectors visible to other threads.
void FinishStores() {
#ifdef __SSE2__
  _mm_sfence();
#endif
}

// Returns the elements of the lower or the upper halves of two vectors in turns.
template <class T, int kFirst, int... kIndices>
Vector<T> Interleave(Vector<T> a, Vector<T> b, std::integer_sequence<int, kIndices...>) {
  return __builtin_shufflevector(a, b, (kFirst + kIndices / 2 + kIndices % 2 * kLanesOf<T>)...);
}

// Writes the transpose of the N vectors of N neighbors in rows of `in_step` elements to rows of `out_step` elements. A
// turn interleaves the first half of the vectors with the second one, log2(N) turns move each element to its place.
template <bool kIsStreamed, class T>
void TransposeVectors(const T* in, std::int64_t in_step, T* out, std::int64_t out_step) {
  constexpr int kLanes = kLanesOf<T>;
  constexpr std::make_integer_sequence<int, kLanes> kAll;
  Vector<T> rows[kLanes], next[kLanes];
#pragma GCC unroll 16
  for (int i = 0; i < kLanes; ++i) std::memcpy(&rows[i], in + i * in_step, 16);
#pragma GCC unroll 4
  for (int turn = 1; turn < kLanes; turn *= 2) {
#pragma GCC unroll 8
    for (int i = 0; i < kLanes / 2; ++i) {
      next[2 * i] = Interleave<T, 0>(rows[i], rows[i + kLanes / 2], kAll);
      next[2 * i + 1] = Interleave<T, kLanes / 2>(rows[i], rows[i + kLanes / 2], kAll);
    }
#pragma GCC unroll 16
    for (int i = 0; i < kLanes; ++i) rows[i] = next[i];
  }
#pragma GCC unroll 16
  for (int i = 0; i < kLanes; ++i) StoreVector<kIsStreamed, T>(rows[i], out + i * out_step);
}

// Starts to read a row of a square into the cache.
template <class T>
void PrefetchRow(const T* row) {
  constexpr std::int64_t kLine = 64 / sizeof(T);
  for (std::int64_t i = 0; i < TileOf(sizeof(T)); i += kLine) __builtin_prefetch(row + i);
}

// Copies a row of a square, of which `count` elements are in the array. The usual number is copied in vectors, because
// compilers make a string instruction, which is slow to start, of a loop and of a memcpy.
template <class T>
void CopyRow(const T* from, std::int64_t count, T* to) {
  constexpr std::int64_t kTile = TileOf(sizeof(T)), kLanes = kLanesOf<T>;
  if (count < kTile) {
    std::copy_n(from, count, to);
    return;
  }
#pragma GCC unroll 16
  for (std::int64_t i = 0; i < kTile; i += kLanes) std::memcpy(to + i, from + i, 16);
}

// Writes to each of `rows` rows of the result its part of `width` elements, one from each row of the square.
template <bool kIsStreamed, class T>
void WriteColumns(const T (*square)[TileOf(sizeof(T))], std::int64_t rows, std::int64_t width, T* to,
                  std::int64_t out_step) {
  constexpr std::int64_t kTile = TileOf(sizeof(T)), kLanes = kLanesOf<T>;
  std::int64_t r = 0;
  if constexpr (kLanes > 1) {
    for (; r + kLanes <= rows; r += kLanes) {
      std::int64_t c = 0;
      for (; c + kLanes <= width; c += kLanes) {
        TransposeVectors<kIsStreamed>(&square[c][r], kTile, to + r * out_step + c, out_step);
      }
      for (; c < width; ++c) {
        for (std::int64_t i = r; i < r + kLanes; ++i) to[i * out_step + c] = square[c][i];
      }
    }
  }
  for (; r < rows; ++r) {
    for (std::int64_t c = 0; c < width; ++c) to[r * out_step + c] = square[c][r];
  }
}

// Computes out[i, j] = in[i * row_step + j * column_step] for rows [begin, end), square by square, so that whole cache
// lines are read and written.
template <bool kIsStreamed, class T>
void MoveSquares(const T* in, std::int64_t row_step, std::int64_t column_step, std::int64_t begin, std::int64_t end,
                 std::int64_t columns, T* out, std::int64_t out_step) {
  // The processor does not foresee rows that are far apart.
  constexpr std::int64_t kTile = TileOf(sizeof(T)), kAhead = 8;
  for (std::int64_t i = begin; i < end; i += kTile) {
    const std::int64_t rows = std::min(kTile, end - i);
    for (std::int64_t j = 0; j < columns; j += kTile) {
      const std::int64_t width = std::min(kTile, columns - j);
      const T* const from = in + i * row_step + j * column_step;
      // The buffer avoids cache conflicts: the cache may hold few lines whose distance is a power of two.
      T square[kTile][kTile];
      for (std::int64_t c = 0; c < width; ++c) {
        if (row_step == 1) {
          if (j + c + kAhead < columns) PrefetchRow(from + (c + kAhead) * column_step);
          CopyRow(from + c * column_step, rows, square[c]);
        } else {
          for (std::int64_t r = 0; r < rows; ++r) square[c][r] = from[r * row_step + c * column_step];
        }
      }
      WriteColumns<kIsStreamed>(square, rows, width, out + i * out_step + j, out_step);
    }
  }
  if constexpr (kIsStreamed) FinishStores();
}

struct C128Bits {
  std::uint64_t parts[2];
};

class Mover {
 public:
  Mover(std::vector<Axis> axes, const std::byte* in, std::byte* out, int bytes)
      : axes_(std::move(axes)), in_(in), out_(out), bytes_(bytes) {
    // A run of neighboring elements is copied as a whole.
    run_ = 1;
    if (!axes_.empty() && axes_.back().step == 1) {
      run_ = axes_.back().size;
      axes_.pop_back();
    }
    // The axis along which the operand is read fastest forms squares with the last axis of the result.
    if (run_ == 1 && axes_.size() >= 2) {
      fastest_ = std::ranges::min_element(axes_, {}, &Axis::step) - axes_.begin();
    }
    std::int64_t step = run_;
    out_steps_.resize(axes_.size());
    for (std::size_t i = axes_.size(); i-- > 0; step *= axes_[i].size) out_steps_[i] = step;
  }

  void Run() {
    if (run_ > 1 || axes_.size() < 2) return CopyRuns();
    switch (bytes_) {
      case 1:
        return MoveAll<std::uint8_t>();
      case 2:
        return MoveAll<std::uint16_t>();
      case 4:
        return MoveAll<std::uint32_t>();
      case 8:
        return MoveAll<std::uint64_t>();
      default:
        return MoveAll<C128Bits>();
    }
  }

 private:
  // Returns the offsets in operand and result of the i-th index over all axes except the last `inner` ones and
  // `skipped`.
  std::pair<std::int64_t, std::int64_t> OffsetsOf(std::int64_t i, std::size_t inner, std::size_t skipped) const {
    std::int64_t from = 0, to = 0;
    for (std::size_t a = axes_.size() - inner; a-- > 0;) {
      if (a == skipped) continue;
      from += i % axes_[a].size * axes_[a].step;
      to += i % axes_[a].size * out_steps_[a];
      i /= axes_[a].size;
    }
    return {from, to};
  }

  void CopyRuns() const {
    const Axis last = axes_.empty() ? Axis{1, 0} : axes_.back();
    std::int64_t count = 1;
    for (std::size_t a = 0; a + 1 < axes_.size(); ++a) count *= axes_[a].size;
    const std::int64_t size = run_ * bytes_, grain = std::max<std::int64_t>(1, kBytesPerPiece / (size * last.size));
    ParallelFor(count, grain, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t i = begin; i < end; ++i) {
        const auto [from, to] = OffsetsOf(i, axes_.empty() ? 0 : 1, axes_.size());
        for (std::int64_t j = 0; j < last.size; ++j) {
          std::memcpy(out_ + (to + j * run_) * bytes_, in_ + (from + j * last.step) * bytes_, size);
        }
      }
    });
  }

  template <class T>
  void MoveAll() const {
    const T* const in = reinterpret_cast<const T*>(in_);
    T* const out = reinterpret_cast<T*>(out_);
    constexpr std::int64_t kTile = TileOf(sizeof(T));
    const Axis rows = axes_[fastest_], columns = axes_.back();
    std::int64_t count = 1;
    for (const Axis& axis : axes_) count *= axis.size;
    // Vectors are streamed to multiples of their size only, and every step but the last is one of columns.size.
    const bool is_streamed = count * bytes_ >= kBytesToStream && reinterpret_cast<std::uintptr_t>(out) % 16 == 0 &&
                             columns.size * bytes_ % 16 == 0;
    const auto move = is_streamed ? MoveSquares<true, T> : MoveSquares<false, T>;
    count /= rows.size * columns.size;
    const std::int64_t bands = (rows.size + kTile - 1) / kTile;
    const std::int64_t grain = std::max<std::int64_t>(1, kBytesPerPiece / (kTile * columns.size * bytes_));
    ParallelFor(count * bands, grain, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t i = begin; i < end; ++i) {
        const auto [from, to] = OffsetsOf(i / bands, 1, fastest_);
        const std::int64_t first = i % bands * kTile, last = std::min(rows.size, first + kTile);
        move(in + from, rows.step, columns.step, first, last, columns.size, out + to, out_steps_[fastest_]);
      }
    });
  }

  std::vector<Axis> axes_;
  const std::byte* in_;
  std::byte* out_;
  std::int64_t bytes_;
  std::int64_t run_ = 1;
  std::size_t fastest_ = 0;
  std::vector<std::int64_t> out_steps_;
};

Literal EvaluateTranspose(const HloInstruction& transpose, std::span<Literal> operands, Evaluation&) {
  return Permuted(operands[0], transpose.Int64s("dimensions")).WithShape(transpose.shape);
}

constexpr std::string_view kNames[] = {"transpose"};

}  // namespace

Literal Permuted(const Literal& array, std::span<const std::int64_t> order) {
  Dimensions sizes;
  for (const std::int64_t d : order) sizes.push_back(array.shape().dimensions(d));
  const Shape shape = ShapeUtil::MakeShape(array.element_type(), sizes);
  if (std::ranges::is_sorted(order)) return array.WithShape(shape);
  Literal result = Literal::Uninitialized(shape);
  if (result.element_count() > 0) {
    Mover(AxesOf(array, order), array.data(), result.mutable_data(), StorageBytes(array.element_type())).Run();
  }
  return result;
}

const Family kTranspose = {.ops = kNames, .evaluate = EvaluateTranspose};

}  // namespace assay::simd
