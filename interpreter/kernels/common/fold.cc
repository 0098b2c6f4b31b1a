#include "interpreter/kernels/common/fold.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <vector>

#include "interpreter/numerics/round.h"
#include "interpreter/ops/record.h"
#include "interpreter/types/limits.h"
#include "interpreter/types/parallel.h"

namespace assay {
namespace {

// The number of lanes that fit the first-level cache together with a slice, and the number below which a call costs
// more than its elements.
constexpr std::int64_t kLanes = 2048;
constexpr std::int64_t kFewLanes = 256;

bool HasNan(PrimitiveType type, const std::byte* elements, std::int64_t count) {
  if (!IsFloatingPointType(type)) return false;
  std::vector<double> numbers(count);
  LoadReals(type, elements, numbers.data(), count);
  return std::ranges::any_of(numbers, [](double x) { return std::isnan(x); });
}

}  // namespace

bool IsOrderFree(const ScalarFunction& to_apply, PrimitiveType type) {
  const Op* op = to_apply.SingleOp();
  const bool is_whole = IsIntegralType(type) || type == PRED;
  if (op == &op_and || op == &op_or || op == &op_xor) return true;
  if (op == &op_add || op == &op_multiply) return is_whole;
  return (op == &op_maximum || op == &op_minimum) && (is_whole || IsFloatingPointType(type));
}

void FoldSlices(const ScalarFunction& reducer, std::span<const FoldedArray> arrays, std::int64_t n,
                std::int64_t lanes) {
  const std::size_t count = arrays.size();
  ParallelFor(lanes, kLanes, [&](std::int64_t begin, std::int64_t end) {
    std::vector<const std::byte*> inputs(2 * count);
    std::vector<std::byte*> outputs(count);
    for (std::size_t i = 0; i < count; ++i) {
      inputs[i] = outputs[i] = arrays[i].accumulators + begin * StorageBytes(arrays[i].accumulator_type);
      inputs[count + i] = arrays[i].slices + begin * StorageBytes(arrays[i].slice_type);
    }
    LimitCheck check(/*turns=*/64);
    for (std::int64_t k = 0; k < n; ++k) {
      check();
      reducer.Apply(inputs, outputs, end - begin);
      for (std::size_t i = 0; i < count; ++i) inputs[count + i] += lanes * StorageBytes(arrays[i].slice_type);
    }
  });
}

void FoldSlicesInAnyOrder(const ScalarFunction& reducer, FoldedArray array, std::int64_t n, std::int64_t lanes) {
  const std::int64_t bytes = StorageBytes(array.slice_type);
  const FoldedArray whole = array;
  const std::int64_t all = n;
  const std::vector<std::byte> start(array.accumulators, array.accumulators + lanes * bytes);
  std::vector<std::byte> halves;
  while (lanes < kFewLanes && n * lanes > 2 * kFewLanes) {
    // Folds the upper half of the slices onto the lower half. If their number is odd, the middle one is kept.
    const std::int64_t upper = n / 2;
    const std::int64_t lower = n - upper;
    std::vector<std::byte> folded(lower * lanes * bytes);
    ParallelFor(upper * lanes, kComputedPerPiece, [&](std::int64_t begin, std::int64_t end) {
      const std::byte* const inputs[] = {array.slices + begin * bytes, array.slices + (lower * lanes + begin) * bytes};
      std::byte* const output = folded.data() + begin * bytes;
      reducer.Apply(inputs, {&output, 1}, end - begin);
    });
    const std::int64_t middle = upper * lanes * bytes;
    std::memcpy(folded.data() + middle, array.slices + middle, (lower - upper) * lanes * bytes);
    halves = std::move(folded);
    array.slices = halves.data();
    n = lower;
  }
  FoldSlices(reducer, {&array, 1}, n, lanes);
  // The result is the first of several NaNs, whose signs may differ, and the halves have mixed their order.
  if (n == all || !HasNan(array.accumulator_type, array.accumulators, lanes)) return;
  std::ranges::copy(start, whole.accumulators);
  FoldSlices(reducer, {&whole, 1}, all, lanes);
}

}  // namespace assay
