// Finds the first k elements of each row in one pass, on every thread. Most elements are only compared with a limit:
// the k-th of those before them.
#include <algorithm>
#include <limits>
#include <type_traits>
#include <utility>
#include <vector>

#include "interpreter/kernels/common/indexed_copy.h"
#include "interpreter/kernels/common/order_keys.h"
#include "interpreter/kernels/kernels.h"
#include "interpreter/ops/record.h"
#include "interpreter/types/limits.h"
#include "interpreter/types/parallel.h"
#include "interpreter/types/vector_clones.h"

namespace assay {
namespace {

// Elements that are compared with the limit together.
constexpr std::int64_t kComparedTogether = 64;
// The fewest candidates that are added before the last of them are dropped.
constexpr std::int64_t kFewestAdded = 16;

// Maps the bits of an element to a signed number, its key. Elements with smaller keys come first.
template <class Int>
struct KeyOfBits {
  Int flipped = 0;              // in every element
  Int flipped_if_negative = 0;  // in elements with the highest bit

  KeyOfBits(PrimitiveType type, bool largest) {
    constexpr Int kSign = std::numeric_limits<Int>::min();
    if (IsFloatingPointType(type)) {
      flipped_if_negative = static_cast<Int>(~kSign);
    } else if (!IsSignedIntegralType(type)) {
      flipped = kSign;
    }
    if (largest) flipped = static_cast<Int>(~flipped);
  }

  ASSAY_INLINE Int operator()(Int bits) const {
    return static_cast<Int>(bits ^ flipped ^ ((bits >> (8 * sizeof(Int) - 1)) & flipped_if_negative));
  }
};

template <class Int>
ASSAY_INLINE std::int64_t SkipBlocks(const Int* bits, std::int64_t n, KeyOfBits<Int> key, Int limit) {
  std::int64_t i = 0;
  for (; i + kComparedTogether <= n; i += kComparedTogether) {
    Int below = 0;
    for (std::int64_t j = 0; j < kComparedTogether; ++j) below |= static_cast<Int>(-(key(bits[i + j]) < limit));
    if (below != 0) break;
  }
  return i;
}

// Return the number of elements in the leading blocks whose keys are all at least `limit`.
ASSAY_VECTOR_CLONES std::int64_t Skip(const std::int8_t* bits, std::int64_t n, KeyOfBits<std::int8_t> key,
                                      std::int8_t limit) {
  return SkipBlocks(bits, n, key, limit);
}
ASSAY_VECTOR_CLONES std::int64_t Skip(const std::int16_t* bits, std::int64_t n, KeyOfBits<std::int16_t> key,
                                      std::int16_t limit) {
  return SkipBlocks(bits, n, key, limit);
}
ASSAY_VECTOR_CLONES std::int64_t Skip(const std::int32_t* bits, std::int64_t n, KeyOfBits<std::int32_t> key,
                                      std::int32_t limit) {
  return SkipBlocks(bits, n, key, limit);
}
ASSAY_VECTOR_CLONES std::int64_t Skip(const std::int64_t* bits, std::int64_t n, KeyOfBits<std::int64_t> key,
                                      std::int64_t limit) {
  return SkipBlocks(bits, n, key, limit);
}

// The first k elements of a row by their keys; equal keys in the order of their indices.
template <class Int>
class FirstOfRow {
 public:
  FirstOfRow(std::int64_t k, KeyOfBits<Int> key) : k_(k), most_(k + std::max(k, kFewestAdded)), key_(key) {}

  // Returns the indices of the first k elements, in order.
  std::span<const std::int64_t> Find(const Int* row, std::int64_t n) {
    candidates_.clear();
    for (std::int64_t i = 0; i < k_; ++i) candidates_.push_back(Pack(key_(row[i]), i));
    if (n > k_) FindBelowLimit(row, n);
    std::ranges::sort(candidates_, Before());
    indices_.clear();
    for (std::int64_t i = 0; i < k_; ++i) indices_.push_back(static_cast<Index>(candidates_[i]));
    return indices_;
  }

 private:
  // A key and an index in one number.
  static constexpr bool kIsWide = sizeof(Int) == 8;
  using Candidate = std::conditional_t<kIsWide, unsigned __int128, std::uint64_t>;
  using Index = std::conditional_t<kIsWide, std::uint64_t, std::uint32_t>;
  using Key = std::make_unsigned_t<Int>;
  static constexpr int kIndexBits = 8 * sizeof(Index);
  static constexpr Key kSign = Key{1} << (8 * sizeof(Key) - 1);

  static Candidate Pack(Int key, std::int64_t index) {
    return Candidate{static_cast<Key>(static_cast<Key>(key) ^ kSign)} << kIndexBits | static_cast<Index>(index);
  }

  auto Before() {
    return [this](Candidate a, Candidate b) {
      check_();
      return a < b;
    };
  }

  void FindBelowLimit(const Int* row, std::int64_t n) {
    Int limit = Cut();
    for (std::int64_t i = k_; i < n;) {
      check_();
      i += Skip(row + i, std::min(n - i, kMovedPerPiece), key_, limit);
      // An element whose key is the limit comes after the candidate that has it already.
      for (const std::int64_t end = std::min(n, i + kComparedTogether); i < end; ++i) {
        const Int key = key_(row[i]);
        if (key < limit) candidates_.push_back(Pack(key, i));
      }
      if (static_cast<std::int64_t>(candidates_.size()) >= most_) limit = Cut();
    }
    Cut();
  }

  // Drops all candidates but the first k. Returns the key of the last of these.
  Int Cut() {
    const auto last = candidates_.begin() + (k_ - 1);
    std::ranges::nth_element(candidates_, last, Before());
    candidates_.resize(k_);
    return static_cast<Int>(static_cast<Key>(candidates_.back() >> kIndexBits) ^ kSign);
  }

  const std::int64_t k_, most_;
  const KeyOfBits<Int> key_;
  std::vector<Candidate> candidates_;
  std::vector<std::int64_t> indices_;
  LimitCheck check_;
};

// Rows of n elements, whose first k elements go to `values` and `indices`.
struct Rows {
  const Literal& operand;
  std::int64_t n, k;
  Literal values, indices;
};

// Takes the elements of the rows, or other numbers in the same order, as integers of `type`'s size.
template <class Int>
void FindRows(PrimitiveType type, bool largest, const void* elements, Rows& rows) {
  const std::int64_t n = rows.n, k = rows.k;
  const int bytes = StorageBytes(rows.operand.element_type());
  std::byte* const values = rows.values.mutable_data();
  std::int32_t* const indices = rows.indices.mutable_values<std::int32_t>().data();
  ParallelFor(rows.values.element_count() / k, GrainOfRows(n, kMovedPerPiece),
              [&](std::int64_t begin, std::int64_t end) {
                FirstOfRow<Int> first(k, {type, largest});
                for (std::int64_t row = begin; row < end; ++row) {
                  const auto order = first.Find(static_cast<const Int*>(elements) + row * n, n);
                  GatherElements(bytes, rows.operand.data() + row * n * bytes, order, values + row * k * bytes);
                  std::ranges::copy(order, indices + row * k);
                }
              });
}

void FindAllRows(bool largest, Rows& rows) {
  const PrimitiveType type = rows.operand.element_type();
  const int bytes = StorageBytes(type);
  const bool are_indices_short = rows.n <= std::numeric_limits<std::uint32_t>::max();
  if (!HasBitOrder(type) || (bytes < 8 && !are_indices_short)) {
    return FindRows<std::int64_t>(U64, largest, KeysOfTotalOrder(rows.operand)->data(), rows);
  }
  const std::byte* const elements = rows.operand.data();
  if (bytes == 1) return FindRows<std::int8_t>(type, largest, elements, rows);
  if (bytes == 2) return FindRows<std::int16_t>(type, largest, elements, rows);
  if (bytes == 4) return FindRows<std::int32_t>(type, largest, elements, rows);
  FindRows<std::int64_t>(type, largest, elements, rows);
}

Literal EvaluateTopk(const HloInstruction& instruction, std::span<Literal> operands, Evaluation&) {
  Rows rows = {.operand = operands[0],
               .n = operands[0].shape().dimensions().back(),
               .k = instruction.Int64("k"),
               .values = Literal::Uninitialized(instruction.shape.tuple_shapes(0)),
               .indices = Literal::Uninitialized(instruction.shape.tuple_shapes(1))};
  if (rows.values.element_count() > 0) FindAllRows(instruction.Bool("largest"), rows);
  return Literal::MakeTuple({std::move(rows.values), std::move(rows.indices)});
}

}  // namespace

const OpKernel kernel_topk = {.op = &op_topk, .evaluate = EvaluateTopk};

}  // namespace assay
