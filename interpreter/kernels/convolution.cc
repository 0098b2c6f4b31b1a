// Products of matrices: the window's cells at a block of positions are the rows of one, the kernel is the other.
#include <algorithm>
#include <cstring>
#include <numeric>
#include <vector>

#include "interpreter/hlo/convolution_attributes.h"
#include "interpreter/kernels/common/matrix_product.h"
#include "interpreter/kernels/common/permuted.h"
#include "interpreter/kernels/common/window_walk.h"
#include "interpreter/kernels/kernels.h"
#include "interpreter/numerics/transform_parts.h"
#include "interpreter/ops/common/dot_rules.h"
#include "interpreter/ops/common/sparse_operands.h"
#include "interpreter/ops/record.h"
#include "interpreter/types/index_util.h"
#include "interpreter/types/limits.h"
#include "interpreter/types/parallel.h"

namespace assay {
namespace {

// A convolution as a product of matrices. The sum of each output starts from zero (XLA, Operation Semantics:
// ConvWithGeneralPadding: `value = 0`), so it is never -0. It omits padding and holes. The window's cells at a block of
// positions are the rows of a matrix [positions, cells * features], with a last column of +0 for the start. The kernel
// is the other matrix.
class ConvolutionProduct {
 public:
  ConvolutionProduct(const HloInstruction& convolution, const Literal& input, const Literal& kernel)
      : convolution_(convolution),
        labels_(DimLabels(convolution)),
        product_(convolution.shape.element_type()),
        bytes_(StorageBytes(product_.number_type())),
        walk_(SizesOf(input.shape(), labels_.input_spatial_dimensions), WindowOfKind(convolution), kPositionsPerBlock),
        feature_groups_(convolution.Int64("feature_group_count")),
        batch_groups_(convolution.Int64("batch_group_count")),
        batch_(input.shape().dimensions(labels_.input_batch_dimension)),
        places_(SizeOf(input.shape(), labels_.input_spatial_dimensions)),
        features_(kernel.shape().dimensions(labels_.kernel_input_feature_dimension)),
        outputs_(kernel.shape().dimensions(labels_.kernel_output_feature_dimension) / feature_groups_ / batch_groups_),
        depth_(walk_.cell_count() * features_ + 1),
        input_(product_.Numbers(Grouped(input))) {
    PackKernel(kernel);
  }

  Literal Run() const {
    // [batch, output feature groups, positions, features of the group], permuted to the order of the labels at the end.
    const std::int64_t groups = feature_groups_ * batch_groups_;
    const std::int64_t out_batch = batch_ / batch_groups_;
    Dimensions sizes = {out_batch, groups};
    for (std::int64_t d : labels_.output_spatial_dimensions) sizes.push_back(convolution_.shape.dimensions(d));
    sizes.push_back(outputs_);
    Literal result = Literal::Uninitialized(ShapeUtil::MakeShape(convolution_.shape.element_type(), sizes));
    std::byte* const out = result.mutable_data();
    const std::int64_t blocks = walk_.block_count();
    const int result_bytes = StorageBytes(convolution_.shape.element_type());
    const std::int64_t terms = std::min(kPositionsPerBlock, walk_.position_count()) * outputs_ * depth_;
    const std::int64_t grain = GrainOfRows(terms, kComputedPerPiece);
    ParallelFor(out_batch * groups * blocks, grain, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t i = begin; i < end; ++i) {
        const PositionBlock block = walk_.block(i % blocks);
        const std::int64_t b = i / blocks / groups, group = i / blocks % groups;
        const std::int64_t row = (b * groups + group) * walk_.position_count() + block.first;
        MultiplyBlock(b, group, block, out + row * outputs_ * result_bytes);
      }
    });
    return InOrderOfLabels(result);
  }

 private:
  static constexpr std::int64_t kPositionsPerBlock = 512;

  // Returns the input as [batch, feature group, spatial..., feature of the group].
  Literal Grouped(const Literal& input) const {
    const Shape& shape = input.shape();
    const Literal ordered =
        Permuted(input, Concatenated({labels_.input_batch_dimension}, labels_.input_spatial_dimensions,
                                     {labels_.input_feature_dimension}));
    Dimensions split = {batch_, places_, feature_groups_, features_};
    return Permuted(ordered.WithShape(ShapeUtil::MakeShape(shape.element_type(), split)), {0, 2, 1, 3});
  }

  // Stores the kernel as [group, cell, input feature, output feature], with the row of the start.
  void PackKernel(const Literal& kernel) {
    const Literal ordered = Permuted(
        kernel, Concatenated(labels_.kernel_spatial_dimensions,
                             {labels_.kernel_input_feature_dimension, labels_.kernel_output_feature_dimension}));
    const std::int64_t groups = feature_groups_ * batch_groups_;
    const std::int64_t cells = Product(SizesOf(kernel.shape(), labels_.kernel_spatial_dimensions));
    const Dimensions split = {cells, features_, groups, outputs_};
    const Literal grouped =
        product_.Numbers(Permuted(ordered.WithShape(ShapeUtil::MakeShape(kernel.element_type(), split)), {2, 0, 1, 3}));
    const std::int64_t row = features_ * outputs_ * bytes_;
    kernel_ = Literal(ShapeUtil::MakeShape(product_.number_type(), {groups, depth_, outputs_}));
    std::byte* out = kernel_.mutable_data();
    for (std::int64_t group = 0; group < groups; ++group) {
      for (std::int64_t cell = 0; cell < walk_.cell_count(); ++cell, out += row) {
        std::copy_n(grouped.data() + (group * cells + walk_.OffsetInWindow(cell)) * row, row, out);
      }
      out += outputs_ * bytes_;
    }
    kernel_is_finite_ =
        IsIntegralType(product_.number_type()) ||
        AreFinite({reinterpret_cast<const double*>(kernel_.data()), kernel_.byte_size() / sizeof(double)});
  }

  // Returns the places of a feature group of one image, each with its features.
  const std::byte* Image(std::int64_t b, std::int64_t group) const {
    const std::int64_t image = group / feature_groups_ * (batch_ / batch_groups_) + b;
    return input_.data() + (image * feature_groups_ + group % feature_groups_) * places_ * features_ * bytes_;
  }
  const std::byte* Kernel(std::int64_t group) const { return kernel_.data() + group * depth_ * outputs_ * bytes_; }

  void MultiplyBlock(std::int64_t b, std::int64_t group, const PositionBlock& block, std::byte* out) const {
    std::vector<std::byte> rows(block.count * depth_ * bytes_);  // zero if there is no element
    std::vector<std::vector<std::int64_t>> cells_of(kernel_is_finite_ ? 0 : block.count);
    const std::byte* const image = Image(b, group);
    const std::int64_t size = features_ * bytes_;
    std::vector<ElementRun> runs;
    // Without features there is nothing to gather, and no array to gather it from.
    for (std::int64_t cell = 0; size > 0 && cell < walk_.cell_count(); ++cell) {
      CheckLimits();
      walk_.FindRuns(block, cell, runs);
      for (const ElementRun& run : runs) {
        for (std::int64_t t = 0; t < run.count; ++t) {
          const std::int64_t position = run.first_position + t * run.position_step;
          const std::byte* from = image + (run.first_element + t * run.element_step) * size;
          std::memcpy(rows.data() + position * depth_ * bytes_ + cell * size, from, size);
          if (!kernel_is_finite_) cells_of[position].push_back(cell);
        }
      }
    }
    if (kernel_is_finite_) {
      return product_.Multiply(rows.data(), Kernel(group), 1, block.count, outputs_, depth_, out);
    }
    const int result_bytes = StorageBytes(convolution_.shape.element_type());
    for (std::int64_t position = 0; position < block.count; ++position) {
      MultiplyRow(rows.data() + position * depth_ * bytes_, group, cells_of[position],
                  out + position * outputs_ * result_bytes);
    }
  }

  // Multiplies one position, using only cells that are over an element: zero times an infinite weight would be NaN.
  void MultiplyRow(const std::byte* row, std::int64_t group, const std::vector<std::int64_t>& cells,
                   std::byte* out) const {
    const std::int64_t size = features_ * bytes_;
    const auto depth = static_cast<std::int64_t>(cells.size()) * features_ + 1;
    std::vector<std::byte> met(depth * bytes_), weights(depth * outputs_ * bytes_);
    for (std::size_t i = 0; i < cells.size(); ++i) {
      std::copy_n(row + cells[i] * size, size, met.data() + i * size);
      std::copy_n(Kernel(group) + cells[i] * size * outputs_, size * outputs_, weights.data() + i * size * outputs_);
    }
    product_.Multiply(met.data(), weights.data(), 1, 1, outputs_, depth, out);
  }

  Literal InOrderOfLabels(const Literal& result) const {
    const Shape& shape = convolution_.shape;
    const auto n = static_cast<std::int64_t>(labels_.output_spatial_dimensions.size());
    // Permutes [batch, group, spatial..., feature] to [batch, spatial..., group, feature], then merges groups and
    // features.
    Int64List order(n + 3);
    std::iota(order.begin(), order.end(), 0);
    std::rotate(order.begin() + 1, order.begin() + 2, order.end() - 1);
    const Literal ordered = Permuted(result, order);
    Int64List label_order(n + 2);
    label_order[labels_.output_batch_dimension] = 0;
    label_order[labels_.output_feature_dimension] = n + 1;
    for (std::int64_t i = 0; i < n; ++i) label_order[labels_.output_spatial_dimensions[i]] = i + 1;
    Dimensions sizes = {shape.dimensions(labels_.output_batch_dimension)};
    for (std::int64_t d : labels_.output_spatial_dimensions) sizes.push_back(shape.dimensions(d));
    sizes.push_back(shape.dimensions(labels_.output_feature_dimension));
    return Permuted(ordered.WithShape(ShapeUtil::MakeShape(shape.element_type(), sizes)), label_order).WithShape(shape);
  }

  const HloInstruction& convolution_;
  const ConvolutionDimensionNumbers& labels_;
  const MatrixProduct product_;
  const std::int64_t bytes_;  // of a number
  const WindowWalk walk_;
  const std::int64_t feature_groups_, batch_groups_;
  const std::int64_t batch_;     // of the input
  const std::int64_t places_;    // spatial elements of the input
  const std::int64_t features_;  // input features of a group
  const std::int64_t outputs_;   // output features of a group
  const std::int64_t depth_;     // terms of one output, including the start
  const Literal input_;
  Literal kernel_;
  bool kernel_is_finite_ = true;
};

Literal EvaluateConvolution(const HloInstruction& convolution, std::span<Literal> operands, Evaluation&) {
  MaterializeSparse(convolution, operands);
  return ConvolutionProduct(convolution, operands[0], operands[1]).Run();
}

}  // namespace

const OpKernel kernel_convolution = {.op = &op_convolution, .evaluate = EvaluateConvolution};

}  // namespace assay
