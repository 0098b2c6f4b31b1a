#include <algorithm>
#include <cmath>
#include <string_view>
#include <type_traits>
#include <vector>

#include "backends/simd/gemm.h"
#include "backends/simd/narrow_products.h"
#include "backends/simd/permute.h"
#include "backends/simd/products.h"
#include "backends/simd/window_place.h"
#include "interpreter/hlo/convolution_attributes.h"
#include "interpreter/kernels/kernels.h"
#include "interpreter/types/index_util.h"
#include "interpreter/types/parallel.h"
#include "interpreter/types/vector_clones.h"

namespace assay::simd {
namespace {

constexpr std::size_t kMostAxes = 16;
constexpr std::int64_t kMostPlaces = 1 << 24;  // along an axis

// True if the tables of WindowRows are small enough.
bool HasSmallTables(const HloInstruction& convolution) {
  const auto& window = convolution.window().dimensions;
  const Int64List& dimensions = DimLabels(convolution).output_spatial_dimensions;
  bool is_small = window.size() <= kMostAxes;
  for (std::size_t i = 0; i < window.size(); ++i) {
    const std::int64_t positions = convolution.shape.dimensions(dimensions[i]);
    is_small = is_small && (positions == 0 || window[i].size <= kMostPlaces / positions);
  }
  return is_small;
}

// Return [first, spatial..., last] and [spatial..., first, last].
std::vector<std::int64_t> Between(std::int64_t first, const Int64List& spatial, std::int64_t last) {
  std::vector<std::int64_t> order = {first};
  order.insert(order.end(), spatial.begin(), spatial.end());
  order.push_back(last);
  return order;
}
std::vector<std::int64_t> Before(const Int64List& spatial, std::int64_t first, std::int64_t last) {
  std::vector<std::int64_t> order(spatial.begin(), spatial.end());
  order.insert(order.end(), {first, last});
  return order;
}

// The window as a matrix that is never stored: a row for each output position of each image, a column for each cell of
// the window and input feature of one group. Zero where a cell meets padding or a hole.
template <class T>
class WindowRows final : public Rows<T> {
 public:
  // `input` is [batch, spatial..., features]. SetGroup selects the group's images and features.
  WindowRows(const HloInstruction& convolution, const Literal& input, std::int64_t features)
      : input_(reinterpret_cast<const T*>(input.data())),
        features_(features),
        all_features_(input.shape().dimensions().back()) {
    const ConvolutionDimensionNumbers& labels = DimLabels(convolution);
    const std::vector<WindowDimension> window = WindowOfKind(convolution).dimensions;
    axes_.resize(std::max<std::size_t>(window.size(), 1));
    axes_.back() = {1, 1, {0}};  // a window without dimensions has one cell
    runs_ = {1};
    for (std::size_t i = window.size(); i-- > 0;) {
      const std::int64_t places = input.shape().dimensions(static_cast<std::int64_t>(i) + 1);
      const std::int64_t positions = convolution.shape.dimensions(labels.output_spatial_dimensions[i]);
      axes_[i] = {window[i].size, positions, PlacesOf(window[i], places, positions, places_)};
      positions_ *= positions;
      cells_ *= window[i].size;
      places_ *= places;
    }
    if (!window.empty()) runs_ = RunsOf(axes_.back().place_of, axes_.back().size, features_ == all_features_);
  }

  std::int64_t positions() const { return positions_; }
  std::int64_t depth() const { return cells_ * features_; }
  void SetGroup(std::int64_t image, std::int64_t feature) {
    first_ = input_ + image * places_ * all_features_ + feature;
  }

  void Copy(std::int64_t row, std::int64_t begin, std::int64_t end, T* out) const override {
    const T* const image = first_ + row / positions_ * places_ * all_features_;
    // The places of the cells at this position, and the current cell, along each axis.
    const std::int64_t* places[kMostAxes];
    std::int64_t cell[kMostAxes];
    std::int64_t position = row % positions_, rest = begin / features_;
    const std::int64_t* const runs = runs_.data() + position % axes_.back().positions * axes_.back().size;
    for (std::size_t i = axes_.size(); i-- > 0;) {
      const Axis& axis = axes_[i];
      places[i] = axis.place_of.data() + position % axis.positions * axis.size;
      position /= axis.positions;
      cell[i] = rest % axis.size;
      rest /= axis.size;
    }
    const std::size_t last = axes_.size() - 1;
    std::int64_t left = end - begin, first = begin % features_;
    while (left > 0) {
      std::int64_t place = 0;
      for (std::size_t i = 0; i < last; ++i) {
        const std::int64_t along = places[i][cell[i]];
        place = along < 0 || place < 0 ? -1 : place + along;
      }
      const T* const line = place < 0 ? nullptr : image + place * all_features_;
      while (cell[last] < axes_[last].size && left > 0) {
        const std::int64_t along = places[last][cell[last]], run = runs[cell[last]];
        const std::int64_t count = std::min(run * features_ - first, left);
        const T* const from = line == nullptr || along < 0 ? nullptr : line + along * all_features_ + first;
        out = from == nullptr ? std::fill_n(out, count, T{0}) : std::copy_n(from, count, out);
        left -= count;
        cell[last] += run;
        first = 0;
      }
      cell[last] = 0;
      for (std::size_t i = last; i-- > 0 && ++cell[i] == axes_[i].size;) cell[i] = 0;
    }
  }

 private:
  struct Axis {
    std::int64_t size, positions;
    // For each output position and each cell of the window: the summand of the input's row-major place under it, or -1
    // if there is none.
    std::vector<std::int64_t> place_of;
  };

  static std::vector<std::int64_t> PlacesOf(const WindowDimension& window, std::int64_t places, std::int64_t positions,
                                            std::int64_t step) {
    std::vector<std::int64_t> table;
    for (std::int64_t position = 0; position < positions; ++position) {
      for (std::int64_t cell = 0; cell < window.size; ++cell) {
        const std::int64_t offset = window.window_reversal ? window.size - 1 - cell : cell;
        const std::int64_t place = PlaceUnder(window, position, offset, places);
        table.push_back(place < 0 ? -1 : place * step);
      }
    }
    return table;
  }

  // Returns, for each output position and each cell of a window of `size` cells, how many cells from it on are adjacent
  // in the input, or are outside of it. A cell is adjacent to the next one only if a place has no other features.
  static std::vector<std::int64_t> RunsOf(const std::vector<std::int64_t>& places, std::int64_t size, bool is_whole) {
    std::vector<std::int64_t> runs(places.size(), 1);
    for (std::size_t i = places.size(); i-- > 1;) {
      const bool is_last = static_cast<std::int64_t>(i) % size == 0;
      const bool is_adjacent = places[i - 1] < 0 ? places[i] < 0 : is_whole && places[i] == places[i - 1] + 1;
      if (!is_last && is_adjacent) runs[i - 1] = runs[i] + 1;
    }
    return runs;
  }

  const T* input_;
  const T* first_ = nullptr;
  std::int64_t features_;      // of a group
  std::int64_t all_features_;  // of the input
  std::vector<Axis> axes_;
  std::vector<std::int64_t> runs_;  // along the last axis
  std::int64_t positions_ = 1, cells_ = 1, places_ = 1;
};

ASSAY_VECTOR_CLONES void AddProducts(const float* cells, const float* weights, std::int64_t n, float* sums) {
  for (std::int64_t j = 0; j < n; ++j) sums[j] += cells[j] * weights[j];
}
ASSAY_VECTOR_CLONES void AddProducts(const double* cells, const double* weights, std::int64_t n, double* sums) {
  for (std::int64_t j = 0; j < n; ++j) sums[j] += cells[j] * weights[j];
}
ASSAY_VECTOR_CLONES void AddProducts(const std::int32_t* cells, const std::int32_t* weights, std::int64_t n,
                                     std::int32_t* sums) {
  for (std::int64_t j = 0; j < n; ++j) {
    const auto product = static_cast<std::uint32_t>(cells[j]) * static_cast<std::uint32_t>(weights[j]);
    sums[j] = static_cast<std::int32_t>(static_cast<std::uint32_t>(sums[j]) + product);
  }
}

// True if each output feature comes from one input feature of its own.
bool IsDepthwise(const HloInstruction& convolution) {
  const ConvolutionDimensionNumbers& labels = DimLabels(convolution);
  const Shape& kernel = convolution.operand(1).shape;
  const std::int64_t groups = convolution.Int64("feature_group_count");
  return groups > 1 && convolution.Int64("batch_group_count") == 1 &&
         kernel.dimensions(labels.kernel_input_feature_dimension) == 1 &&
         kernel.dimensions(labels.kernel_output_feature_dimension) == groups;
}

// Computes out[i, j] = the sum over cells of lhs[i, cell, j] * weights[cell, j] for m rows and n features.
template <class T>
void MultiplyFeatures(const WindowRows<T>& lhs, const T* weights, std::int64_t m, std::int64_t n, T* out) {
  ParallelFor(m, GrainOfRows(lhs.depth(), kComputedPerPiece), [&](std::int64_t begin, std::int64_t end) {
    std::vector<T> cells(lhs.depth());
    for (std::int64_t i = begin; i < end; ++i) {
      lhs.Copy(i, 0, lhs.depth(), cells.data());
      std::fill_n(out + i * n, n, T{0});
      for (std::int64_t l = 0; l < lhs.depth(); l += n) AddProducts(cells.data() + l, weights + l, n, out + i * n);
    }
  });
}

// Returns the result, whose dimensions are those of the convolution in the given order, in the order of the labels.
Literal InOrderOfLabels(const HloInstruction& convolution, const Literal& result, std::span<const std::int64_t> order) {
  std::vector<std::int64_t> back(order.size());
  for (std::size_t i = 0; i < order.size(); ++i) back[order[i]] = static_cast<std::int64_t>(i);
  return Permuted(Converted(result, convolution.shape.element_type()), back).WithShape(convolution.shape);
}

// Computes a convolution of an operand and a kernel that have been converted, with numbers of type T and Out.
// `multiply(rows, weights, stride, m, n, k, out, out_stride)` multiplies rows by columns of the kernel's matrix.
template <class T, class Out, class Multiply>
Literal Convolve(const HloInstruction& convolution, const Literal& operand, const Literal& kernel, PrimitiveType type,
                 Multiply multiply) {
  const ConvolutionDimensionNumbers& labels = DimLabels(convolution);
  const std::int64_t feature_groups = convolution.Int64("feature_group_count");
  const std::int64_t groups = feature_groups * convolution.Int64("batch_group_count");
  const Literal input = Permuted(
      operand, Between(labels.input_batch_dimension, labels.input_spatial_dimensions, labels.input_feature_dimension));
  const Literal weights =
      Permuted(kernel, Before(labels.kernel_spatial_dimensions, labels.kernel_input_feature_dimension,
                              labels.kernel_output_feature_dimension));
  const bool is_depthwise = std::is_same_v<T, Out> && IsDepthwise(convolution);
  const std::int64_t features =
      is_depthwise ? feature_groups : kernel.shape().dimensions(labels.kernel_input_feature_dimension);
  WindowRows<T> rows(convolution, input, features);
  const std::int64_t outputs = weights.shape().dimensions().back(), group_outputs = outputs / groups;
  const std::int64_t batch = convolution.shape.dimensions(labels.output_batch_dimension);

  const std::vector<std::int64_t> order =
      Between(labels.output_batch_dimension, labels.output_spatial_dimensions, labels.output_feature_dimension);
  Dimensions sizes;
  for (const std::int64_t d : order) sizes.push_back(convolution.shape.dimensions(d));
  Literal result = Literal::Uninitialized(ShapeUtil::MakeShape(type, sizes));
  if (result.element_count() > 0) {
    Out* const out = result.mutable_values<Out>().data();
    const std::int64_t columns = group_outputs * StorageBytes(weights.element_type());
    if constexpr (std::is_same_v<T, Out>) {
      rows.SetGroup(0, 0);
      if (is_depthwise) MultiplyFeatures(rows, weights.values<T>().data(), batch * rows.positions(), outputs, out);
    }
    for (std::int64_t group = 0; group < groups && !is_depthwise; ++group) {
      rows.SetGroup(group / feature_groups * batch, group % feature_groups * features);
      multiply(rows, weights.data() + group * columns, outputs, batch * rows.positions(), group_outputs, rows.depth(),
               out + group * group_outputs, outputs);
    }
  }
  return InOrderOfLabels(convolution, result, order);
}

// Computes a convolution in type T.
template <class T>
Literal ConvolveIn(PrimitiveType type, const HloInstruction& convolution, const Literal& operand,
                   const Literal& kernel) {
  const auto multiply = [](const Rows<T>& rows, const std::byte* weights, std::int64_t stride, std::int64_t m,
                           std::int64_t n, std::int64_t k, T* out, std::int64_t out_stride) {
    Multiply<T>(rows, reinterpret_cast<const T*>(weights), stride, m, n, k, T{0}, out, out_stride);
  };
  return Convolve<T, T>(convolution, Converted(operand, type), Converted(kernel, type), type, multiply);
}

Literal ConvolveIntegers(const HloInstruction& convolution, const Literal& operand, const Literal& kernel) {
  const PrimitiveType left = operand.element_type(), right = kernel.element_type();
  if (!IsNarrow(left) || !IsNarrow(right) || IsDepthwise(convolution)) {
    return ConvolveIn<std::int32_t>(S32, convolution, operand, kernel);
  }
  return WithStoredType(left, [&]<class L>(L) {
    return Convolve<L, std::int32_t>(convolution, operand, kernel, S32,
                                     [right](const Rows<L>& rows, const std::byte* weights, auto... sizes) {
                                       MultiplyNarrow(rows, right, weights, sizes...);
                                     });
  });
}

// True if all weights are finite. Cells in the padding are no terms, but their zeros times such a weight would be NaN.
template <class T>
bool IsFinite(const Literal& kernel) {
  return std::ranges::all_of(kernel.values<T>(), [](T weight) { return std::isfinite(weight); });
}

Literal EvaluateConvolution(const HloInstruction& convolution, std::span<Literal> operands, Evaluation& evaluation) {
  // Tiles of the product are many features wide. The evaluator is faster for groups with few outputs of more features.
  const std::int64_t groups = convolution.Int64("feature_group_count") * convolution.Int64("batch_group_count");
  const std::int64_t outputs = operands[1].shape().dimensions(DimLabels(convolution).kernel_output_feature_dimension);
  const bool is_dense =
      (groups == 1 || outputs / groups >= 8 || IsDepthwise(convolution)) && !convolution.Has("sparsity_config");
  const bool is_small = HasSmallTables(convolution);
  const bool has_terms = operands[1].element_count() > 0;
  if (is_dense && is_small && has_terms) {
    const auto type = ProductType(convolution);
    if (type == S32) return ConvolveIntegers(convolution, operands[0], operands[1]);
    if (type == F32) {
      const Literal kernel = Converted(operands[1], F32);
      if (IsFinite<float>(kernel)) return ConvolveIn<float>(F32, convolution, operands[0], kernel);
    }
    if (type == F64) {
      const Literal kernel = Converted(operands[1], F64);
      if (IsFinite<double>(kernel)) return ConvolveIn<double>(F64, convolution, operands[0], kernel);
    }
  }
  return WithKernel(*convolution.op).evaluation.evaluate(convolution, operands, evaluation);
}

constexpr std::string_view kNames[] = {"convolution"};

}  // namespace

const Family kConvolution = {.ops = kNames, .evaluate = EvaluateConvolution};

}  // namespace assay::simd
