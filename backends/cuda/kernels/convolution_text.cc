#include <algorithm>

#include "backends/cuda/kernels/convolution.h"
#include "interpreter/hlo/convolution_attributes.h"
#include "interpreter/types/index_util.h"

namespace assay::cuda {
namespace {

std::vector<std::int64_t> SizesOf(const Shape& shape, std::span<const std::int64_t> dimensions) {
  std::vector<std::int64_t> sizes;
  for (const std::int64_t d : dimensions) sizes.push_back(shape.dimensions(d));
  return sizes;
}

std::string& At(IndexText& index, std::int64_t dimension) { return index.at[static_cast<std::size_t>(dimension)]; }
IndexText Index(const Shape& shape) {
  IndexText index;
  index.at.resize(static_cast<std::size_t>(shape.rank()));
  return index;
}

// True if an array has the batch first, the features last, and its spatial dimensions in order.
bool IsInOrder(std::int64_t batch, std::int64_t feature, std::span<const std::int64_t> spatial) {
  return batch == 0 && feature == static_cast<std::int64_t>(spatial.size()) + 1 && std::ranges::is_sorted(spatial);
}

}  // namespace

WindowText WindowTextOf(const Window& window, const HloInstruction& convolution) {
  const ConvolutionDimensionNumbers& labels = DimLabels(convolution);
  return WindowText(window, SizesOf(convolution.operand(0).shape, labels.input_spatial_dimensions),
                    SizesOf(convolution.shape, labels.output_spatial_dimensions));
}

ConvolutionText::ConvolutionText(const HloComputation& fused)
    : fused_(fused),
      root_(*fused.root),
      input_(root_.operand(0)),
      kernel_(root_.operand(1)),
      labels_(DimLabels(root_)),
      window_(WindowOfKind(root_)),
      text_(WindowTextOf(window_, root_)),
      feature_groups_(root_.Int64("feature_group_count")),
      groups_(feature_groups_ * root_.Int64("batch_group_count")),
      features_(kernel_.shape.dimensions(labels_.kernel_input_feature_dimension)),
      outputs_(kernel_.shape.dimensions(labels_.kernel_output_feature_dimension) / groups_),
      images_(root_.shape.dimensions(labels_.output_batch_dimension)),
      positions_(SizesOf(root_.shape, labels_.output_spatial_dimensions)),
      rows_(images_ * assay::Product(positions_)),
      terms_(features_ * assay::Product(text_.sizes())),
      // The features are the innermost part of a term if they are innermost in the input.
      features_inside_(labels_.input_feature_dimension == input_.shape.rank() - 1) {}

bool ConvolutionText::IsInputMatrix() const {
  const auto is_point = [](const WindowDimension& w) {
    return w.size == 1 && w.stride == 1 && w.padding_low == 0 && w.padding_high == 0 && w.base_dilation == 1;
  };
  return groups_ == 1 && std::ranges::all_of(window_.dimensions, is_point) &&
         IsInOrder(labels_.input_batch_dimension, labels_.input_feature_dimension, labels_.input_spatial_dimensions);
}

bool ConvolutionText::IsOutputMatrix() const {
  return groups_ == 1 &&
         IsInOrder(labels_.output_batch_dimension, labels_.output_feature_dimension, labels_.output_spatial_dimensions);
}

// Returns the image, then the position in each dimension.
std::vector<std::string> ConvolutionText::RowAt(Body& body, const std::string& i) const {
  std::vector<std::int64_t> sizes = positions_;
  sizes.insert(sizes.begin(), images_);
  return body.PlacesOf(IndexText::AtOffset(i), sizes);
}

// Returns the feature, then the cell in each dimension.
std::vector<std::string> ConvolutionText::TermAt(Body& body, const std::string& k) const {
  std::vector<std::int64_t> sizes = text_.sizes();
  sizes.insert(features_inside_ ? sizes.end() : sizes.begin(), features_);
  std::vector<std::string> at = body.PlacesOf(IndexText::AtOffset(k), sizes);
  if (features_inside_) std::rotate(at.begin(), at.end() - 1, at.end());
  return at;
}

IndexText ConvolutionText::InputAt(Body& body, const std::string& group, const std::string& i, const std::string& k,
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

IndexText ConvolutionText::KernelAt(Body& body, const std::string& group, const std::string& j,
                                    const std::string& k) const {
  const std::vector<std::string> term = TermAt(body, k);
  IndexText index = Index(kernel_.shape);
  At(index, labels_.kernel_input_feature_dimension) = term[0];
  At(index, labels_.kernel_output_feature_dimension) = body.Sum(body.Product(group, outputs_), j);
  for (std::size_t d = 1; d < term.size(); ++d) At(index, labels_.kernel_spatial_dimensions[d - 1]) = term[d];
  return index;
}

std::string ConvolutionText::OutputAt(Body& body, const std::string& group, const std::string& i,
                                      const std::string& j) const {
  const std::vector<std::string> row = RowAt(body, i);
  IndexText index = Index(root_.shape);
  At(index, labels_.output_batch_dimension) = row[0];
  At(index, labels_.output_feature_dimension) = body.Sum(body.Product(group, outputs_), j);
  for (std::size_t d = 1; d < row.size(); ++d) At(index, labels_.output_spatial_dimensions[d - 1]) = row[d];
  return body.OffsetOf(index, root_.shape.dimensions());
}

std::vector<std::string> ConvolutionText::PlacesAt(Body& body, const std::string& place) const {
  const std::vector<std::string> at = body.PlacesOf(IndexText::AtOffset(place), root_.shape.dimensions());
  const auto of = [&](std::int64_t dimension) { return at[static_cast<std::size_t>(dimension)]; };
  const std::string feature = of(labels_.output_feature_dimension);
  std::string row = of(labels_.output_batch_dimension);
  for (std::size_t d = 0; d < positions_.size(); ++d) {
    row = body.Sum(body.Product(row, positions_[d]), of(labels_.output_spatial_dimensions[d]));
  }
  return {body.Quotient(feature, outputs_), row, body.Remainder(feature, outputs_)};
}

}  // namespace assay::cuda
