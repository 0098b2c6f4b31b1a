#include <hwy/contrib/sort/vqsort.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <span>
#include <string_view>
#include <vector>

#include "backends/simd/libraries.h"
#include "backends/simd/permute.h"
#include "interpreter/kernels/kernels.h"
#include "interpreter/types/limits.h"
#include "interpreter/types/parallel.h"

namespace assay::simd {
namespace {

enum class Order { kAscending, kDescending, kOther };

// Returns the order of a comparator that is LT or GT of its two parameters.
Order OrderOf(const HloComputation& comparator) {
  const HloInstruction& root = *comparator.root;
  if (root.op->name != "compare") return Order::kOther;
  const HloInstruction &lhs = root.operand(0), &rhs = root.operand(1);
  if (lhs.op->role != OpRole::kParameter || rhs.op->role != OpRole::kParameter) return Order::kOther;
  if (lhs.parameter_number == rhs.parameter_number) return Order::kOther;
  const std::string_view direction = root.String("direction");
  if (direction != "LT" && direction != "GT") return Order::kOther;
  return (direction == "LT") == (lhs.parameter_number == 0) ? Order::kAscending : Order::kDescending;
}

// True if elements that compare equal have the same bits. The result is then unique, stable or not. Zeros of both signs
// compare equal, and NaN is unordered.
template <class T>
bool IsOrdered(std::span<const T> numbers) {
  return std::ranges::none_of(numbers, [](T x) { return std::isnan(x) || (x == 0 && std::signbit(x)); });
}

// Maps the bits of floats to integers in the same order, and back. vqsort of Highway 1.0.3 cannot sort the floats
// themselves: it returns the largest finite number for infinity.
template <class Key>
void MapBits(std::span<Key> keys) {
  constexpr int kSign = 8 * sizeof(Key) - 1;
  for (Key& key : keys) key ^= (key >> kSign) & std::numeric_limits<Key>::max();
}

template <class T>
void SortRows(std::span<T> elements, std::int64_t row_size, Order order) {
  const std::int64_t rows = static_cast<std::int64_t>(elements.size()) / row_size;
  ParallelFor(rows, 1, [&](std::int64_t begin, std::int64_t end) {
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

template <class T, class Key>
bool SortFloats(Literal& array, std::int64_t row_size, Order order) {
  if (!IsOrdered(array.values<T>())) return false;
  const std::span<Key> keys = array.mutable_values<Key>();
  MapBits(keys);
  SortRows(keys, row_size, order);
  MapBits(keys);
  return true;
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
      return SortFloats<float, std::int32_t>(array, row_size, order);
    case F64:
      return SortFloats<double, std::int64_t>(array, row_size, order);
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

Literal Evaluate(const HloInstruction& sort, std::span<Literal> operands, Evaluation& evaluation) {
  const Order order = OrderOf(sort.Computation("to_apply"));
  if (operands.size() == 1 && order != Order::kOther && operands[0].element_count() > 0) {
    // Moves the sorted dimension to the end, as rows, and back afterwards.
    const std::int64_t dimension = sort.Int64s("dimensions")[0], rank = operands[0].shape().rank();
    std::vector<std::int64_t> moved(rank), back(rank);
    std::iota(moved.begin(), moved.end(), 0);
    std::rotate(moved.begin() + dimension, moved.begin() + dimension + 1, moved.end());
    for (std::int64_t i = 0; i < rank; ++i) back[moved[i]] = i;
    Literal rows = Permuted(operands[0], moved);
    if (SortRows(rows, operands[0].shape().dimensions(dimension), order)) {
      return Permuted(rows, back).WithShape(sort.shape);
    }
  }
  return WithKernel(*sort.op).evaluation.evaluate(sort, operands, evaluation);
}

constexpr std::string_view kNames[] = {"sort"};

}  // namespace

const Family kSort = {.ops = kNames, .evaluate = Evaluate};

}  // namespace assay::simd
