// Convolutions as products of matrices: rows are the positions of the window over images of the batch, columns the
// output features of a group, and terms the cells of the window with the input features of the group.
#include <fmt/format.h>

#include <algorithm>

#include "backends/cuda/kernels/entry.h"
#include "backends/cuda/kernels/kind.h"
#include "backends/cuda/kernels/product.h"
#include "backends/cuda/kernels/windows.h"
#include "interpreter/types/index_util.h"

namespace assay::cuda {
namespace {

const ConvolutionDimensionNumbers& LabelsOf(const HloInstruction& convolution) {
  return *convolution.Find<ConvolutionDimensionNumbers>("dim_labels");
}

std::vector<std::int64_t> SizesOf(const Shape& shape, std::span<const std::int64_t> dimensions) {
  std::vector<std::int64_t> sizes;
  for (const std::int64_t d : dimensions) sizes.push_back(shape.dimensions(d));
  return sizes;
}

// That of the forward convolution: dgrad has the kernel reversed.
Window WindowOf(const HloInstruction& convolution) {
  Window window = convolution.window();
  if (convolution.String("convolution_kind") != "dgrad") return window;
  for (WindowDimension& dimension : window.dimensions) dimension.window_reversal = !dimension.window_reversal;
  return window;
}

WindowText WindowTextOf(const Window& window, const HloInstruction& convolution) {
  const ConvolutionDimensionNumbers& labels = LabelsOf(convolution);
  return WindowText(window, SizesOf(convolution.operand(0).shape, labels.input_spatial_dimensions),
                    SizesOf(convolution.shape, labels.output_spatial_dimensions));
}

bool Takes(const HloInstruction& convolution) {
  const Window window = WindowOf(convolution);
  const WindowText text = WindowTextOf(window, convolution);
  return convolution.operands.size() == 2 && !convolution.Has("sparsity_config") &&
         !convolution.Has("block_scaling_config") && text.Fits();
}
bool ReadsElements(const HloInstruction&, std::size_t) { return true; }
bool ReadsAgain(const HloInstruction&, std::size_t) { return true; }

class Convolution {
 public:
  Convolution(const HloComputation& fused, bool is_exact)
      : fused_(fused),
        is_exact_(is_exact),
        root_(*fused.root),
        input_(root_.operand(0)),
        kernel_(root_.operand(1)),
        labels_(LabelsOf(root_)),
        window_(WindowOf(root_)),
        text_(WindowTextOf(window_, root_)),
        feature_groups_(root_.Int64("feature_group_count")),
        groups_(feature_groups_ * root_.Int64("batch_group_count")),
        features_(kernel_.shape.dimensions(labels_.kernel_input_feature_dimension)),
        outputs_(kernel_.shape.dimensions(labels_.kernel_output_feature_dimension) / groups_),
        images_(root_.shape.dimensions(labels_.output_batch_dimension)),
        positions_(SizesOf(root_.shape, labels_.output_spatial_dimensions)),
        // Features are innermost where they are so in the input.
        features_inside_(labels_.input_feature_dimension == input_.shape.rank() - 1) {}

  KernelProgram Program() {
    Product product{.fused = fused_,
                    .arithmetic = ProductArithmetic(input_.shape.element_type(), kernel_.shape.element_type(),
                                                    root_.shape.element_type(), is_exact_),
                    .batch = groups_,
                    .m = images_ * assay::Product(positions_),
                    .n = outputs_,
                    .k = features_ * assay::Product(text_.sizes()),
                    .lhs = {},
                    .rhs = {},
                    .is_wide = text_.IsWide(),
                    .has_zero = true};
    product.lhs.is_inner = features_inside_ && features_ > 1;
    product.rhs.is_inner = labels_.kernel_output_feature_dimension != kernel_.shape.rank() - 1;
    const auto number = [&](const HloInstruction& operand, const std::string& element) {
      return product.arithmetic.Number(operand.shape.element_type(), element);
    };
    product.lhs.number = [&](Body& body, ElementEmitter& emitter, const std::string& b, const std::string& i,
                             const std::string& k) {
      std::string condition;
      return number(input_, emitter.Element(input_, InputAt(body, b, i, k, condition)));
    };
    product.lhs.inside = [&](Body& body, ElementEmitter&, const std::string& b, const std::string& i,
                             const std::string& k) {
      std::string condition;
      InputAt(body, b, i, k, condition);
      return condition;
    };
    if (!text_.MayBeOutside()) product.lhs.inside = nullptr;
    product.rhs.number = [&](Body& body, ElementEmitter& emitter, const std::string& b, const std::string& j,
                             const std::string& k) {
      return number(kernel_, emitter.Element(kernel_, KernelAt(body, b, j, k)));
    };
    product.place = [&](Body& body, const std::string& b, const std::string& i, const std::string& j) {
      return OutputAt(body, b, i, j);
    };
    product.places_of = [&](Body& body, const std::string& place) { return PlacesAt(body, place); };
    return ProgramOf(product);
  }

 private:
  static std::string& At(IndexText& index, std::int64_t dimension) {
    return index.at[static_cast<std::size_t>(dimension)];
  }
  static IndexText Index(const Shape& shape) {
    IndexText index;
    index.at.resize(static_cast<std::size_t>(shape.rank()));
    return index;
  }

  // The image, then the position in each dimension.
  std::vector<std::string> RowAt(Body& body, const std::string& i) const {
    std::vector<std::int64_t> sizes = positions_;
    sizes.insert(sizes.begin(), images_);
    return body.PlacesOf(IndexText::AtOffset(i), sizes);
  }
  // The feature, then the cell in each dimension.
  std::vector<std::string> TermAt(Body& body, const std::string& k) const {
    std::vector<std::int64_t> sizes = text_.sizes();
    sizes.insert(features_inside_ ? sizes.end() : sizes.begin(), features_);
    std::vector<std::string> at = body.PlacesOf(IndexText::AtOffset(k), sizes);
    if (features_inside_) std::rotate(at.begin(), at.end() - 1, at.end());
    return at;
  }

  IndexText InputAt(Body& body, const std::string& group, const std::string& i, const std::string& k,
                    std::string& condition) const {
    const std::vector<std::string> row = RowAt(body, i), term = TermAt(body, k);
    const std::string of_batch = body.Product(body.Quotient(group, feature_groups_), images_);
    const std::string of_feature = body.Product(body.Remainder(group, feature_groups_), features_);
    const std::vector<std::string> element =
        text_.Element(body, std::span(row).subspan(1), std::span(term).subspan(1), condition);
    IndexText index = Index(input_.shape);
    At(index, labels_.input_batch_dimension) = body.Sum(of_batch, row[0]);
    At(index, labels_.input_feature_dimension) = body.Sum(of_feature, term[0]);
    for (std::size_t d = 0; d < element.size(); ++d) At(index, labels_.input_spatial_dimensions[d]) = element[d];
    return index;
  }

  IndexText KernelAt(Body& body, const std::string& group, const std::string& j, const std::string& k) const {
    const std::vector<std::string> term = TermAt(body, k);
    IndexText index = Index(kernel_.shape);
    At(index, labels_.kernel_input_feature_dimension) = term[0];
    At(index, labels_.kernel_output_feature_dimension) = body.Sum(body.Product(group, outputs_), j);
    for (std::size_t d = 1; d < term.size(); ++d) At(index, labels_.kernel_spatial_dimensions[d - 1]) = term[d];
    return index;
  }

  std::string OutputAt(Body& body, const std::string& group, const std::string& i, const std::string& j) const {
    const std::vector<std::string> row = RowAt(body, i);
    IndexText index = Index(root_.shape);
    At(index, labels_.output_batch_dimension) = row[0];
    At(index, labels_.output_feature_dimension) = body.Sum(body.Product(group, outputs_), j);
    for (std::size_t d = 1; d < row.size(); ++d) At(index, labels_.output_spatial_dimensions[d - 1]) = row[d];
    return body.OffsetOf(index, root_.shape.dimensions());
  }

  // The group, the row and the column of an element of the result.
  std::vector<std::string> PlacesAt(Body& body, const std::string& place) const {
    const std::vector<std::string> at = body.PlacesOf(IndexText::AtOffset(place), root_.shape.dimensions());
    const auto of = [&](std::int64_t dimension) { return at[static_cast<std::size_t>(dimension)]; };
    const std::string feature = of(labels_.output_feature_dimension);
    std::string row = of(labels_.output_batch_dimension);
    for (std::size_t d = 0; d < positions_.size(); ++d) {
      row = body.Sum(body.Product(row, positions_[d]), of(labels_.output_spatial_dimensions[d]));
    }
    return {body.Quotient(feature, outputs_), row, body.Remainder(feature, outputs_)};
  }

  const HloComputation& fused_;
  const bool is_exact_;
  const HloInstruction &root_, &input_, &kernel_;
  const ConvolutionDimensionNumbers& labels_;
  const Window window_;
  const WindowText text_;
  const std::int64_t feature_groups_, groups_, features_, outputs_, images_;
  const std::vector<std::int64_t> positions_;
  const bool features_inside_;
};

bool TakesExact(const HloInstruction& convolution) { return Takes(convolution) && IsProductOfNumbers(convolution); }
KernelProgram Make(const HloComputation& fused) { return Convolution(fused, /*is_exact=*/false).Program(); }
KernelProgram MakeExact(const HloComputation& fused) { return Convolution(fused, /*is_exact=*/true).Program(); }

}  // namespace

extern const KernelKind kConvolutionKind;
const KernelKind kConvolutionKind = {.name = "convolution",
                                     .ops = [] { return std::vector<std::string_view>{"convolution"}; },
                                     .takes = Takes,
                                     .reads_elements = ReadsElements,
                                     .reads_again = ReadsAgain,
                                     .is_exact = IsProductOfIntegers,
                                     .make = Make};

extern const KernelKind kExactConvolutionKind;
const KernelKind kExactConvolutionKind = {.name = "exact convolution",
                                          .ops = [] { return std::vector<std::string_view>{"convolution"}; },
                                          .takes = TakesExact,
                                          .reads_elements = ReadsElements,
                                          .reads_again = ReadsAgain,
                                          .is_exact = IsAlwaysExact,
                                          .make = MakeExact};

}  // namespace assay::cuda
