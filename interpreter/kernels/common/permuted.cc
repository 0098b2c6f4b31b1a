#include "interpreter/kernels/common/permuted.h"

#include <algorithm>
#include <vector>

#include "interpreter/ops/common/dot_rules.h"
#include "interpreter/types/index_util.h"
#include "interpreter/types/strided_copy.h"

namespace assay {

Literal Permuted(const Literal& array, const Int64List& order) {
  if (std::ranges::is_sorted(order)) return array;
  const std::vector<std::int64_t> strides = RowMajorStrides(array.shape().dimensions());
  std::vector<std::int64_t> from;
  for (std::int64_t d : order) from.push_back(strides[d]);
  return StridedRead(ShapeUtil::MakeShape(array.element_type(), SizesOf(array.shape(), order)), array, 0, from);
}

}  // namespace assay
