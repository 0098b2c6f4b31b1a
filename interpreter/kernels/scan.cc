// Computes cumulative sums in one pass. Other scans copy slices as blocks of bytes.
#include <algorithm>
#include <cstring>
#include <vector>

#include "interpreter/kernels/kernels.h"
#include "interpreter/numerics/cumulative_sum.h"
#include "interpreter/ops/common/scan_rules.h"
#include "interpreter/ops/record.h"
#include "interpreter/types/index_util.h"
#include "interpreter/types/limits.h"

namespace assay {
namespace {

std::vector<Shape> ElementShapes(const Shape& shape) {
  return shape.IsTuple() ? shape.tuple_shapes() : std::vector<Shape>{shape};
}

// An array as [outer, size, inner] along the scanned dimension.
class ScannedArray {
 public:
  ScannedArray(const Shape& shape, std::int64_t dimension) : size_(shape.dimensions(dimension)) {
    for (std::int64_t d = 0; d < shape.rank(); ++d) {
      if (d != dimension) (d < dimension ? outer_ : inner_bytes_) *= shape.dimensions(d);
    }
    inner_bytes_ *= StorageBytes(shape.element_type());
  }
  Literal Read(const Literal& array, std::int64_t step, const Shape& shape) const {
    Literal slice = Literal::Uninitialized(shape);
    std::byte* const out = slice.mutable_data();
    for (std::int64_t o = 0; o < outer_ && inner_bytes_ > 0; ++o) {
      std::memcpy(out + o * inner_bytes_, array.data() + (o * size_ + step) * inner_bytes_, inner_bytes_);
    }
    return slice;
  }
  void Write(const Literal& slice, std::int64_t step, std::byte* out) const {
    for (std::int64_t o = 0; o < outer_ && inner_bytes_ > 0; ++o) {
      std::memcpy(out + (o * size_ + step) * inner_bytes_, slice.data() + o * inner_bytes_, inner_bytes_);
    }
  }

 private:
  std::int64_t size_;
  std::int64_t outer_ = 1;
  std::int64_t inner_bytes_ = 1;
};

Literal CumulativeSum(const HloInstruction& scan, const Literal& input, const Literal& carry) {
  const std::int64_t dimension = scan.Int64s("dimensions")[0];
  const Shape& shape = input.shape();
  const std::span<const std::int64_t> sizes = shape.dimensions();
  const std::int64_t n = sizes[dimension], outer = Product(sizes.first(dimension));
  const std::int64_t inner = Product(sizes.subspan(dimension + 1)) * ComponentCount(shape.element_type());
  Literal sums = Literal::Uninitialized(shape);
  CumulativeSums(ComplexComponentType(shape.element_type()), input.data(), outer, n, inner, carry.data(),
                 scan.Bool("is_reverse"), sums.mutable_data());
  if (n == 0) return Literal::MakeTuple({sums, carry});
  Literal last = ScannedArray(shape, dimension).Read(sums, scan.Bool("is_reverse") ? 0 : n - 1, carry.shape());
  return Literal::MakeTuple({std::move(sums), std::move(last)});
}

Literal EvaluateScan(const HloInstruction& scan, std::span<Literal> operands, Evaluation& evaluation) {
  if (IsCumulativeSum(scan)) return CumulativeSum(scan, operands[0], operands[1]);
  const HloComputation& body = scan.Computation("to_apply");
  const std::int64_t dimension = scan.Int64s("dimensions")[0];
  const auto carries = static_cast<std::size_t>(scan.Int64("num_carries"));
  const std::vector<Shape> shapes = ElementShapes(scan.shape);
  const std::size_t inputs = operands.size() - carries, outputs = shapes.size() - carries;
  std::vector<Literal> results;
  for (std::size_t i = 0; i < outputs; ++i) results.push_back(Literal::Uninitialized(shapes[i]));
  std::vector<Literal> carried(std::make_move_iterator(operands.begin() + static_cast<std::ptrdiff_t>(inputs)),
                               std::make_move_iterator(operands.end()));
  const std::int64_t size = (inputs > 0 ? operands[0].shape() : shapes[0]).dimensions(dimension);
  for (std::int64_t i = 0; i < size; ++i) {
    CheckLimits();
    const std::int64_t step = scan.Bool("is_reverse") ? size - 1 - i : i;
    std::vector<Literal> arguments;
    for (std::size_t k = 0; k < inputs; ++k) {
      const ScannedArray scanned(operands[k].shape(), dimension);
      arguments.push_back(scanned.Read(operands[k], step, body.Parameters()[k]->shape));
    }
    std::move(carried.begin(), carried.end(), std::back_inserter(arguments));
    Literal value = evaluation.Call(body, std::move(arguments));
    std::vector<Literal> values = body.root->shape.IsTuple() ? value.elements() : std::vector<Literal>{value};
    for (std::size_t k = 0; k < outputs; ++k) {
      ScannedArray(shapes[k], dimension).Write(values[k], step, results[k].mutable_data());
    }
    carried.assign(std::make_move_iterator(values.begin() + static_cast<std::ptrdiff_t>(outputs)),
                   std::make_move_iterator(values.end()));
  }
  std::move(carried.begin(), carried.end(), std::back_inserter(results));
  return scan.shape.IsTuple() ? Literal::MakeTuple(std::move(results)) : std::move(results[0]);
}

}  // namespace

const OpKernel kernel_scan = {.op = &op_scan, .evaluate = EvaluateScan};

}  // namespace assay
