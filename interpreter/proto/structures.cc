#include "interpreter/proto/structures.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

namespace assay::proto {
namespace {

// True if dim_labels can express the dimension numbers of one operand or of the result: one letter or digit for each
// dimension.
bool AreLabels(std::int64_t first, std::int64_t second, const Int64List& spatial) {
  constexpr std::int64_t kMostPlaces = 100;
  Int64List all = spatial;
  all.insert(all.end(), {first, second});
  std::ranges::sort(all);
  return all.front() >= 0 && all.back() < kMostPlaces && std::ranges::adjacent_find(all) == all.end();
}

}  // namespace

Result<ConvolutionDimensionNumbers> ReadDimensionNumbers(const Message& message) {
  ConvolutionDimensionNumbers numbers = ReadMembers<ConvolutionDimensionNumbers>(message);
  constexpr std::size_t kMostSpatial = 10;  // digits
  const std::size_t spatial = numbers.input_spatial_dimensions.size();
  if (spatial > kMostSpatial || numbers.kernel_spatial_dimensions.size() != spatial ||
      numbers.output_spatial_dimensions.size() != spatial) {
    return Error{ErrorCode::kParse,
                 fmt::format("input, kernel and output must have the same number of spatial dimensions, at most {}; "
                             "found {}, {} and {}",
                             kMostSpatial, spatial, numbers.kernel_spatial_dimensions.size(),
                             numbers.output_spatial_dimensions.size())};
  }
  if (AreLabels(numbers.input_batch_dimension, numbers.input_feature_dimension, numbers.input_spatial_dimensions) &&
      AreLabels(numbers.kernel_input_feature_dimension, numbers.kernel_output_feature_dimension,
                numbers.kernel_spatial_dimensions) &&
      AreLabels(numbers.output_batch_dimension, numbers.output_feature_dimension, numbers.output_spatial_dimensions)) {
    return numbers;
  }
  return Error{ErrorCode::kParse, "the numbers of dimensions of a convolution must be different and not negative"};
}

std::string ReadSparsity(const Message& message) {
  const auto side = [&](const Field& field) -> std::optional<TensorSparsity> {
    if (!message.Has(field)) return std::nullopt;
    return ReadMembers<TensorSparsity>(message.Sub(field));
  };
  const SparsityConfig sparsity = {side(fields::SparsityConfig::lhs), side(fields::SparsityConfig::rhs)};
  return sparsity.lhs || sparsity.rhs ? ToText(sparsity) : std::string();
}

MessageWriter WriteSparsity(const std::string& text) {
  MessageWriter message;
  const SparsityConfig sparsity = SparsityOfText(text);
  if (sparsity.lhs) message.Sub(fields::SparsityConfig::lhs, WriteMembers(*sparsity.lhs));
  if (sparsity.rhs) message.Sub(fields::SparsityConfig::rhs, WriteMembers(*sparsity.rhs));
  return message;
}

}  // namespace assay::proto
