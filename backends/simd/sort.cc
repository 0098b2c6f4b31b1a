#include <hwy/contrib/sort/vqsort.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstdint>
#include <limits>
#include <numeric>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "backends/simd/libraries.h"
#include "backends/simd/permute.h"
#include "backends/simd/selection.h"
#include "interpreter/kernels/common/indexed_copy.h"
#include "interpreter/kernels/kernels.h"
#include "interpreter/types/limits.h"
#include "interpreter/types/parallel.h"
#include "interpreter/types/vector_clones.h"

namespace assay::simd {
namespace {

enum class Order { kAscending, kDescending };

// A comparator that is LT or GT of the two elements of one operand.
struct Comparison {
  Order order;
  std::size_t operand;
  bool is_total;
};

std::optional<Comparison> ComparisonOf(const HloComputation& comparator, std::span<const Literal> operands) {
  const HloInstruction& root = *comparator.root;
  if (root.op->name != "compare") return std::nullopt;
  const HloInstruction &lhs = root.operand(0), &rhs = root.operand(1);
  if (lhs.op->role != OpRole::kParameter || rhs.op->role != OpRole::kParameter) return std::nullopt;
  const std::int64_t operand = lhs.parameter_number / 2;
  if (lhs.parameter_number == rhs.parameter_number || rhs.parameter_number / 2 != operand) return std::nullopt;
  const PrimitiveType type = operands[operand].element_type();
  if (lhs.shape.element_type() != type || rhs.shape.element_type() != type) return std::nullopt;
  const std::string_view direction = root.String("direction");
  if (direction != "LT" && direction != "GT") return std::nullopt;
  const bool is_ascending = (direction == "LT") == (lhs.parameter_number < rhs.parameter_number);
  return Comparison{is_ascending ? Order::kAscending : Order::kDescending, static_cast<std::size_t>(operand),
                    IsTotalOrder(root)};
}

// Maps the bits of floats to integers in the same order, and back. vqsort of Highway 1.0.3 cannot sort the floats
// themselves: it returns the largest finite number for infinity. Returns true if no number is NaN, which is unordered,
// or -0, which equals 0: then elements that compare equal have the same bits, and the result is unique, stable or not.
template <class T, class Key>
ASSAY_INLINE bool MapBits(Key* keys, std::int64_t count) {
  constexpr int kSign = 8 * sizeof(Key) - 1;
  constexpr Key kMagnitude = std::numeric_limits<Key>::max(), kNegativeZero = std::numeric_limits<Key>::min();
  constexpr auto kInfinity = std::bit_cast<Key>(std::numeric_limits<T>::infinity());
  Key unordered = 0;
  for (std::int64_t i = 0; i < count; ++i) {
    unordered |= Key{(keys[i] & kMagnitude) > kInfinity} | Key{keys[i] == kNegativeZero};
    keys[i] ^= (keys[i] >> kSign) & kMagnitude;
  }
  return unordered == 0;
}
ASSAY_VECTOR_CLONES bool MapF32(std::int32_t* keys, std::int64_t count) { return MapBits<float>(keys, count); }
ASSAY_VECTOR_CLONES bool MapF64(std::int64_t* keys, std::int64_t count) { return MapBits<double>(keys, count); }

template <class T>
void SortRows(std::span<T> elements, std::int64_t row_size, Order order) {
  const std::int64_t rows = static_cast<std::int64_t>(elements.size()) / row_size;
  ParallelFor(rows, GrainOfRows(row_size, kDearPerPiece), [&](std::int64_t begin, std::int64_t end) {
    hwy::Sorter sorter;
    for (std::int64_t i = begin; i < end; ++i) {
      CheckLimits();
      if (order == Order::kAscending) {
        sorter(elements.data() + i * row_size, row_size, hwy::SortAscending());
      } else {
        sorter(elements.data() + i * row_size, row_size, hwy::SortDescending());
      }
    }
  });
}

template <class Key>
bool SortFloats(Literal& array, bool (*map)(Key*, std::int64_t), std::int64_t row_size, Order order) {
  const std::span<Key> keys = array.mutable_values<Key>();
  const auto count = static_cast<std::int64_t>(keys.size());
  const bool is_ordered = map(keys.data(), count);
  if (is_ordered) SortRows(keys, row_size, order);
  map(keys.data(), count);
  return is_ordered;
}

template <class T>
bool SortIntegers(Literal& array, std::int64_t row_size, Order order) {
  SortRows(array.mutable_values<T>(), row_size, order);
  return true;
}

// Sorts rows. Returns false if the evaluator must sort them.
bool SortRows(Literal& array, std::int64_t row_size, Order order) {
  switch (array.element_type()) {
    case F32:
      return SortFloats(array, MapF32, row_size, order);
    case F64:
      return SortFloats(array, MapF64, row_size, order);
    case S16:
      return SortIntegers<std::int16_t>(array, row_size, order);
    case U16:
      return SortIntegers<std::uint16_t>(array, row_size, order);
    case S32:
      return SortIntegers<std::int32_t>(array, row_size, order);
    case U32:
      return SortIntegers<std::uint32_t>(array, row_size, order);
    case S64:
      return SortIntegers<std::int64_t>(array, row_size, order);
    case U64:
      return SortIntegers<std::uint64_t>(array, row_size, order);
    default:
      return false;
  }
}

// Maps elements of up to 32 bits to integers in their order, equal for elements that compare equal.
class Keys {
 public:
  // Returns nothing for types that have no such keys.
  static std::optional<Keys> Of(PrimitiveType type, bool is_total) {
    Keys keys;
    keys.shift_ = 32 - 8 * StorageBytes(type);
    keys.is_float_ = type == F32 || type == BF16 || type == F16;
    keys.merges_zeros_ = keys.is_float_ && !is_total;
    if (keys.merges_zeros_) keys.infinity_ = type == F16 ? 0x7c000000 : 0x7f800000;
    if (IsSignedIntegralType(type)) keys.flip_ = kSign;
    const bool is_integer = type == PRED || IsIntegralType(type);
    return keys.shift_ >= 0 && (keys.is_float_ || is_integer) ? std::optional(keys) : std::nullopt;
  }

  // Writes the key of each element to the upper half of a number, and its position to the lower half. Returns false
  // for a NaN that the comparison does not order.
  bool Load(const std::byte* elements, std::span<std::uint64_t> numbers, Order order) const {
    if (shift_ == 0) return LoadBits(reinterpret_cast<const std::uint32_t*>(elements), numbers, order);
    if (shift_ == 16) return LoadBits(reinterpret_cast<const std::uint16_t*>(elements), numbers, order);
    return LoadBits(reinterpret_cast<const std::uint8_t*>(elements), numbers, order);
  }

 private:
  static constexpr std::uint32_t kSign = 1u << 31;

  template <class Bits>
  bool LoadBits(const Bits* elements, std::span<std::uint64_t> numbers, Order order) const {
    const std::uint32_t complement = order == Order::kDescending ? UINT32_MAX : 0;
    bool is_ordered = true;
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      std::uint32_t key = static_cast<std::uint32_t>(elements[i]) << shift_;
      if (is_float_) {
        const std::uint32_t magnitude = key & ~kSign;
        is_ordered &= magnitude <= infinity_;
        if (merges_zeros_ && magnitude == 0) key = 0;
        key = (key & kSign) != 0 ? ~key : key | kSign;
      }
      numbers[i] = std::uint64_t{key ^ flip_ ^ complement} << 32 | i;
    }
    return is_ordered;
  }

  int shift_ = 0;
  bool is_float_ = false, merges_zeros_ = false;
  std::uint32_t infinity_ = UINT32_MAX, flip_ = 0;
};

// Sorts the rows of all operands by keys of one of them, stably. Returns false, and changes no row, if the evaluator
// must sort them.
bool SortByKeys(std::span<Literal> rows, std::int64_t row_size, const Comparison& comparison) {
  const Literal& by = rows[comparison.operand];
  const std::optional<Keys> keys = Keys::Of(by.element_type(), comparison.is_total);
  if (!keys || row_size > UINT32_MAX) return false;
  std::vector<Literal> sorted;
  for (const Literal& operand : rows) sorted.push_back(Literal::Uninitialized(operand.shape()));
  std::vector<std::byte*> out;
  for (Literal& operand : sorted) out.push_back(operand.mutable_data());
  const int key_bytes = StorageBytes(by.element_type());
  std::atomic<bool> is_ordered = true;
  const std::int64_t grain = GrainOfRows(row_size, kDearPerPiece);
  ParallelFor(by.element_count() / row_size, grain, [&](std::int64_t begin, std::int64_t end) {
    hwy::Sorter sorter;
    std::vector<std::uint64_t> numbers(row_size);
    std::vector<std::int64_t> order(row_size);
    for (std::int64_t row = begin; row < end && is_ordered; ++row) {
      CheckLimits();
      if (!keys->Load(by.data() + row * row_size * key_bytes, numbers, comparison.order)) is_ordered = false;
      sorter(numbers.data(), numbers.size(), hwy::SortAscending());
      std::ranges::transform(numbers, order.begin(), [](std::uint64_t number) { return number & UINT32_MAX; });
      for (std::size_t i = 0; i < rows.size(); ++i) {
        const int bytes = StorageBytes(rows[i].element_type());
        const std::int64_t first = row * row_size * bytes;
        GatherElements(bytes, rows[i].data() + first, order, out[i] + first);
      }
    }
  });
  if (is_ordered) std::ranges::move(sorted, rows.begin());
  return is_ordered;
}

// Sorts rows of any operands. Returns false if the evaluator must sort them.
bool SortAnyRows(std::span<Literal> rows, std::int64_t row_size, const Comparison& comparison) {
  return (rows.size() == 1 && SortRows(rows[0], row_size, comparison.order)) || SortByKeys(rows, row_size, comparison);
}

Literal Evaluate(const HloInstruction& sort, std::span<Literal> operands, Evaluation& evaluation) {
  const std::optional<Comparison> comparison = ComparisonOf(sort.Computation("to_apply"), operands);
  // Rows of several operands are sorted by keys only, and are not moved in vain.
  const bool is_fast = comparison && (operands.size() == 1 ||
                                      Keys::Of(operands[comparison->operand].element_type(), comparison->is_total));
  if (!is_fast || operands[0].element_count() == 0) {
    return WithKernel(*sort.op).evaluation.evaluate(sort, operands, evaluation);
  }
  // Moves the sorted dimension to the end, as rows, and back afterwards.
  const std::int64_t dimension = sort.Int64s("dimensions")[0], rank = operands[0].shape().rank();
  const std::int64_t row_size = operands[0].shape().dimensions(dimension);
  std::vector<std::int64_t> moved(rank), back(rank);
  std::iota(moved.begin(), moved.end(), 0);
  std::rotate(moved.begin() + dimension, moved.begin() + dimension + 1, moved.end());
  for (std::int64_t i = 0; i < rank; ++i) back[moved[i]] = i;
  std::vector<Literal> rows;
  for (const Literal& operand : operands) rows.push_back(Permuted(operand, moved));
  if (!SortAnyRows(rows, row_size, *comparison)) {
    return WithKernel(*sort.op).evaluation.evaluate(sort, operands, evaluation);
  }
  if (operands.size() == 1) return Permuted(rows[0], back).WithShape(sort.shape);
  std::vector<Literal> results;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    results.push_back(Permuted(rows[i], back).WithShape(sort.shape.tuple_shapes(i)));
  }
  return Literal::MakeTuple(std::move(results));
}

constexpr std::string_view kNames[] = {"sort"};

}  // namespace

const Family kSort = {.ops = kNames, .evaluate = Evaluate};

}  // namespace assay::simd
