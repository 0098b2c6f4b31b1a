#include <hwy/contrib/sort/vqsort.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string_view>
#include <type_traits>
#include <vector>

#include "backends/simd/libraries.h"
#include "backends/simd/permute.h"
#include "interpreter/types/limits.h"
#include "interpreter/types/parallel.h"

namespace assay::simd {
namespace {

enum class Order { kAscending, kDescending, kOther };

// What a comparator of two parameters says, if it is LT or GT of the two.
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

// Elements that compare equal are the same bits: then there is one result, stable or not. Zeros of both signs are equal
// and NaN is not ordered at all.
template <class T>
bool IsOrdered(const Literal& array) {
  if constexpr (!std::is_floating_point_v<T>) return true;
  return std::ranges::none_of(array.values<T>(), [](T x) { return std::isnan(x) || (x == 0 && std::signbit(x)); });
}

template <class T>
bool SortRows(Literal& array, std::int64_t row_size, Order order) {
  if (!IsOrdered<T>(array)) return false;
  T* const elements = array.mutable_values<T>().data();
  ParallelFor(array.element_count() / row_size, 1, [&](std::int64_t begin, std::int64_t end) {
    hwy::Sorter sorter;
    for (std::int64_t i = begin; i < end; ++i) {
      CheckLimits();
      if (order == Order::kAscending) {
        sorter(elements + i * row_size, row_size, hwy::SortAscending());
      } else {
        sorter(elements + i * row_size, row_size, hwy::SortDescending());
      }
    }
  });
  return true;
}

bool SortRows(Literal& array, std::int64_t row_size, Order order) {
  switch (array.element_type()) {
    case F32:
      return SortRows<float>(array, row_size, order);
    case F64:
      return SortRows<double>(array, row_size, order);
    case S16:
      return SortRows<std::int16_t>(array, row_size, order);
    case U16:
      return SortRows<std::uint16_t>(array, row_size, order);
    case S32:
      return SortRows<std::int32_t>(array, row_size, order);
    case U32:
      return SortRows<std::uint32_t>(array, row_size, order);
    case S64:
      return SortRows<std::int64_t>(array, row_size, order);
    case U64:
      return SortRows<std::uint64_t>(array, row_size, order);
    default:
      return false;
  }
}

Literal Evaluate(const HloInstruction& sort, std::span<Literal> operands, Evaluation& evaluation) {
  const Order order = OrderOf(sort.Computation("to_apply"));
  if (operands.size() == 1 && order != Order::kOther && operands[0].element_count() > 0) {
    // The dimension to sort comes last, as rows; afterwards it goes back.
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
  return sort.op->evaluation.evaluate(sort, operands, evaluation);
}

constexpr std::string_view kNames[] = {"sort"};

}  // namespace

const Family kSort = {.ops = kNames, .evaluate = Evaluate};

}  // namespace assay::simd
