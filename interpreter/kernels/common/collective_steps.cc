#include "interpreter/kernels/common/collective_steps.h"

#include <cstring>

#include "interpreter/kernels/common/fold.h"
#include "interpreter/numerics/sum_axis.h"
#include "interpreter/ops/common/fold_rules.h"
#include "interpreter/types/index_util.h"
#include "interpreter/types/strided_copy.h"

namespace assay {
namespace {

// Concatenates contributions k = 1, 2, ... of one array.
std::vector<std::byte> Stacked(Contributions brought, std::size_t i) {
  const std::int64_t bytes = brought[0][i].byte_size();
  std::vector<std::byte> stack(bytes * (brought.size() - 1));
  for (std::size_t k = 1; k < brought.size() && bytes > 0; ++k) {
    std::memcpy(stack.data() + (k - 1) * bytes, brought[k][i].data(), bytes);
  }
  return stack;
}

Literal FoldArrays(const HloComputation& to_apply, Contributions brought, std::size_t i, Evaluation& evaluation) {
  Literal result = brought[0][i];
  const std::int64_t count = result.element_count();
  const auto n = static_cast<std::int64_t>(brought.size()) - 1;
  if (count == 0 || n == 0) return result;
  const PrimitiveType type = result.element_type();
  const std::vector<std::byte> stack = Stacked(brought, i);
  if (IsExactSum(to_apply)) {
    const bool is_complex = IsComplexType(type);
    const std::int64_t reals = is_complex ? 2 * count : count;
    Literal sum = Literal::Uninitialized(result.shape());
    SumAxis(is_complex ? ComplexComponentType(type) : type, stack.data(), 1, n, reals, result.data(), reals,
            sum.mutable_data());
    return sum;
  }
  const auto reducer = evaluation.Scalar(to_apply);
  const FoldedArray array = {stack.data(), type, result.mutable_data(), type};
  if (IsOrderFree(*reducer, type)) {
    FoldSlicesInAnyOrder(*reducer, array, n, count);
  } else {
    FoldSlices(*reducer, {&array, 1}, n, count);
  }
  return result;
}

std::int64_t LinearIndex(const plain::Index& index, std::span<const std::int64_t> strides) {
  std::int64_t linear = 0;
  for (std::size_t d = 0; d < index.size(); ++d) linear += index[d] * strides[d];
  return linear;
}

void CopyRuns(const Literal& from, const plain::Index& from_start, Literal& to, const plain::Index& to_start,
              plain::Bounds sizes) {
  if (Product(sizes) == 0) return;
  const auto from_strides = RowMajorStrides(from.shape().dimensions());
  const auto to_strides = RowMajorStrides(to.shape().dimensions());
  const int bytes = StorageBytes(to.element_type());
  StridedCopy(bytes, sizes, from_strides, to_strides)
      .ParallelCopy(from.data() + LinearIndex(from_start, from_strides) * bytes,
                    to.mutable_data() + LinearIndex(to_start, to_strides) * bytes);
}

}  // namespace

const CollectiveSteps kFastSteps = {.fold = FoldArrays, .copy = CopyRuns};

}  // namespace assay
