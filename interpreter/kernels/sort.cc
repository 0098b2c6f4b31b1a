// Sorts rows by integer keys if the comparator compares one operand. Otherwise merges runs that advance together, so
// that one call of the comparator decides many comparisons.
#include <algorithm>
#include <cstring>
#include <optional>
#include <utility>
#include <vector>

#include "interpreter/kernels/common/converted.h"
#include "interpreter/kernels/common/indexed_copy.h"
#include "interpreter/kernels/common/merge_sort.h"
#include "interpreter/kernels/common/order_keys.h"
#include "interpreter/kernels/kernels.h"
#include "interpreter/ops/common/plain_comparator.h"
#include "interpreter/ops/record.h"
#include "interpreter/types/float_format.h"
#include "interpreter/types/index_util.h"
#include "interpreter/types/limits.h"
#include "interpreter/types/parallel.h"
#include "interpreter/types/strided_copy.h"

namespace assay {
namespace {

// Returns the order of a plain comparator if it is a strict weak order: there is then only one stable order, whichever
// algorithm finds it.
std::optional<std::vector<std::int64_t>> OrderByKeys(const PlainComparator& comparator, const Literal& operand,
                                                     std::int64_t rows, std::int64_t row_size) {
  const PrimitiveType type = operand.element_type();
  // Formats with a non-IEEE NaN encoding have no bit order that matches TOTALORDER; the comparator decides.
  const bool is_plain = !IsFloatingPointType(type) || FloatFormatOf(type).nan == NanEncoding::kIeee;
  if (comparator.total_order && !is_plain) return std::nullopt;
  const auto keys = comparator.total_order ? KeysOfTotalOrder(operand) : KeysOfValues(operand);
  if (!keys) return std::nullopt;
  std::vector<std::int64_t> order(rows * row_size);
  const std::int64_t grain = GrainOfRows(row_size, kComputedPerPiece);
  ParallelFor(rows, grain, [&](std::int64_t begin, std::int64_t end) {
    std::vector<std::pair<std::uint64_t, std::int64_t>> row(row_size);
    for (std::int64_t r = begin; r < end; ++r) {
      CheckLimits();
      for (std::int64_t i = 0; i < row_size; ++i) {
        const std::uint64_t key = (*keys)[r * row_size + i];
        row[i] = {comparator.descending ? ~key : key, r * row_size + i};
      }
      LimitCheck check;
      std::ranges::sort(row, [&](const auto& a, const auto& b) {
        check();
        return a < b;
      });
      for (std::int64_t i = 0; i < row_size; ++i) order[r * row_size + i] = row[i].second;
    }
  });
  return order;
}

// Compares elements of the operands by the comparator. arguments[p] is the operand of parameter p, in its type.
ComesBefore ComesBeforeBy(const ScalarFunction& comparator, std::span<const Literal> arguments) {
  return [&comparator, arguments](std::span<const std::int64_t> left, std::span<const std::int64_t> right,
                                  std::span<std::uint8_t> answers) {
    std::vector<std::vector<std::byte>> blocks;
    std::vector<const std::byte*> inputs;
    for (std::size_t p = 0; p < arguments.size(); ++p) {
      const std::span<const std::int64_t> offsets = p % 2 == 0 ? left : right;
      const int bytes = StorageBytes(arguments[p].element_type());
      std::vector<std::byte>& block = blocks.emplace_back(offsets.size() * bytes);
      GatherElements(bytes, arguments[p].data(), offsets, block.data());
      inputs.push_back(block.data());
    }
    std::byte* const output = reinterpret_cast<std::byte*>(answers.data());
    comparator.Apply(inputs, {&output, 1}, answers.size());
  };
}

std::vector<std::int64_t> OrderOf(const HloInstruction& instruction, std::span<const Literal> rows,
                                  std::int64_t row_count, std::int64_t row_size, Evaluation& evaluation) {
  const HloComputation& comparator = instruction.Computation("to_apply");
  const auto parameters = comparator.Parameters();
  std::vector<Literal> arguments;
  for (std::size_t p = 0; p < parameters.size(); ++p) {
    arguments.push_back(WithElementType(rows[p / 2], parameters[p]->shape.element_type()));
  }
  if (const auto plain = PlainComparatorOf(comparator)) {
    if (auto order = OrderByKeys(*plain, arguments[plain->parameter], row_count, row_size)) return *std::move(order);
  }
  const auto function = evaluation.Scalar(comparator);
  return StableOrder(row_count, row_size, ComesBeforeBy(*function, arguments));
}

Literal PermutedRows(const Literal& rows, std::span<const std::int64_t> order) {
  Literal result = Literal::Uninitialized(rows.shape());
  const int bytes = StorageBytes(rows.element_type());
  std::byte* out = result.mutable_data();
  ParallelFor(order.size(), kComputedPerPiece, [&](std::int64_t begin, std::int64_t end) {
    GatherElements(bytes, rows.data(), order.subspan(begin, end - begin), out + begin * bytes);
  });
  return result;
}

Literal EvaluateSort(const HloInstruction& instruction, std::span<Literal> operands, Evaluation& evaluation) {
  const Dimensions dimensions = operands[0].shape().dimensions();
  const std::int64_t dimension = instruction.Int64s("dimensions")[0];
  const std::int64_t row_size = dimensions[dimension];
  if (operands[0].element_count() > 0 && row_size > 1) {
    // Moves the dimension to sort to the end, as rows, and back afterwards.
    auto strides = RowMajorStrides(dimensions);
    const auto result_strides = strides;
    Dimensions moved = dimensions;
    std::rotate(moved.begin() + dimension, moved.begin() + dimension + 1, moved.end());
    std::rotate(strides.begin() + dimension, strides.begin() + dimension + 1, strides.end());
    const auto row_strides = RowMajorStrides(moved);
    const bool is_last = row_strides == strides;
    std::vector<Literal> rows;
    for (Literal& operand : operands) {
      const Shape shape = ShapeUtil::MakeShape(operand.element_type(), moved);
      rows.push_back(is_last ? operand.WithShape(shape) : StridedRead(shape, operand, 0, strides));
    }
    const auto order = OrderOf(instruction, rows, operands[0].element_count() / row_size, row_size, evaluation);
    auto back = row_strides;
    std::rotate(back.begin() + dimension, back.end() - 1, back.end());
    for (std::size_t i = 0; i < operands.size(); ++i) {
      Literal sorted = PermutedRows(rows[i], order);
      operands[i] = is_last ? std::move(sorted).WithShape(operands[i].shape())
                            : StridedRead(operands[i].shape(), sorted, 0, back);
    }
  }
  if (operands.size() == 1) return std::move(operands[0]).WithShape(instruction.shape);
  std::vector<Literal> results;
  for (std::size_t i = 0; i < operands.size(); ++i) {
    results.push_back(std::move(operands[i]).WithShape(instruction.shape.tuple_shapes(i)));
  }
  return Literal::MakeTuple(std::move(results));
}

}  // namespace

const OpKernel kernel_sort = {.op = &op_sort, .evaluate = EvaluateSort};

}  // namespace assay
