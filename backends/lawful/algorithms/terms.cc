#include "backends/lawful/terms.h"

#include <algorithm>
#include <iterator>
#include <string_view>

#include "interpreter/hlo/op.h"
#include "interpreter/types/index_util.h"

namespace assay {
namespace {

using Terms = std::vector<std::vector<Term>>;
using Index = std::vector<std::int64_t>;

std::int64_t OffsetIn(const Shape& shape, const Index& index) {
  std::int64_t offset = 0;
  for (std::size_t d = 0; d < index.size(); ++d) offset = offset * shape.dimensions(d) + index[d];
  return offset;
}

// Calls visit(index) for every index below the sizes.
template <class Visit>
void ForEachIndex(const Index& sizes, const Visit& visit) {
  if (std::ranges::count(sizes, 0) > 0) return;
  Index index(sizes.size(), 0);
  do visit(index);
  while (IndexUtil::BumpIndices(sizes, index));
}

Index SizesOf(const Shape& shape, std::span<const std::int64_t> dimensions) {
  Index sizes;
  for (std::int64_t d : dimensions) sizes.push_back(shape.dimensions(d));
  return sizes;
}

Index OtherDimensions(const Shape& shape, std::span<const std::int64_t> batch,
                      std::span<const std::int64_t> contracted) {
  Index others;
  for (std::int64_t d = 0; d < shape.rank(); ++d) {
    if (std::ranges::count(batch, d) + std::ranges::count(contracted, d) == 0) others.push_back(d);
  }
  return others;
}

void Place(std::span<const std::int64_t> dimensions, const Index& from, std::size_t first, Index& into) {
  for (std::size_t i = 0; i < dimensions.size(); ++i) into[dimensions[i]] = from[first + i];
}

// The result's dimensions are the batch dimensions, then what is left of the left operand, then of the right one.
Terms TermsOfProduct(const HloInstruction& dot) {
  const Shape& left = dot.operand(0).shape;
  const Shape& right = dot.operand(1).shape;
  const auto left_batch = dot.Int64s("lhs_batch_dims"), right_batch = dot.Int64s("rhs_batch_dims");
  const auto left_summed = dot.Int64s("lhs_contracting_dims"), right_summed = dot.Int64s("rhs_contracting_dims");
  const Index left_others = OtherDimensions(left, left_batch, left_summed);
  const Index right_others = OtherDimensions(right, right_batch, right_summed);
  Terms terms;
  Index at_left(left.rank()), at_right(right.rank());
  ForEachIndex(dot.shape.dimensions(), [&](const Index& result) {
    std::vector<Term>& sum = terms.emplace_back();
    Place(left_batch, result, 0, at_left);
    Place(right_batch, result, 0, at_right);
    Place(left_others, result, left_batch.size(), at_left);
    Place(right_others, result, left_batch.size() + left_others.size(), at_right);
    ForEachIndex(SizesOf(left, left_summed), [&](const Index& summed) {
      Place(left_summed, summed, 0, at_left);
      Place(right_summed, summed, 0, at_right);
      sum.push_back({OffsetIn(left, at_left), OffsetIn(right, at_right)});
    });
  });
  return terms;
}

// Where in the base a window that stands at `position` has its element `k`; nothing in padding and in dilation's holes.
std::optional<std::int64_t> PlaceInBase(const WindowDimension& window, std::int64_t position, std::int64_t k,
                                        std::int64_t base) {
  const std::int64_t place = position * window.stride + k * window.window_dilation - window.padding_low;
  if (place < 0 || place % window.base_dilation != 0 || place / window.base_dilation >= base) return std::nullopt;
  return place / window.base_dilation;
}

Terms TermsOfConvolution(const HloInstruction& convolution) {
  const auto& d = *convolution.Find<ConvolutionDimensionNumbers>("dim_labels");
  const Shape& input = convolution.operand(0).shape;
  const Shape& kernel = convolution.operand(1).shape;
  const auto& window = convolution.window().dimensions;
  const std::int64_t out_features = kernel.dimensions(d.kernel_output_feature_dimension);
  const std::int64_t in_features = kernel.dimensions(d.kernel_input_feature_dimension);
  const std::int64_t features_a_group = out_features / convolution.Int64("feature_group_count");
  const std::int64_t batch_groups = convolution.Int64("batch_group_count");
  const std::int64_t batch_a_group = input.dimensions(d.input_batch_dimension) / batch_groups;
  Index kernel_sizes = SizesOf(kernel, d.kernel_spatial_dimensions);
  kernel_sizes.push_back(in_features);
  Terms terms;
  Index at_input(input.rank()), at_kernel(kernel.rank());
  ForEachIndex(convolution.shape.dimensions(), [&](const Index& result) {
    std::vector<Term>& sum = terms.emplace_back();
    const std::int64_t feature = result[d.output_feature_dimension];
    at_kernel[d.kernel_output_feature_dimension] = feature;
    at_input[d.input_batch_dimension] =
        result[d.output_batch_dimension] + feature / (out_features / batch_groups) * batch_a_group;
    ForEachIndex(kernel_sizes, [&](const Index& k) {
      for (std::size_t s = 0; s < window.size(); ++s) {
        const std::int64_t dimension = d.input_spatial_dimensions[s];
        const auto place =
            PlaceInBase(window[s], result[d.output_spatial_dimensions[s]], k[s], input.dimensions(dimension));
        if (!place) return;
        at_input[dimension] = *place;
        at_kernel[d.kernel_spatial_dimensions[s]] = window[s].window_reversal ? window[s].size - 1 - k[s] : k[s];
      }
      at_input[d.input_feature_dimension] = feature / features_a_group * in_features + k.back();
      at_kernel[d.kernel_input_feature_dimension] = k.back();
      sum.push_back({OffsetIn(input, at_input), OffsetIn(kernel, at_kernel)});
    });
  });
  return terms;
}

Terms TermsOfReduction(const HloInstruction& reduce) {
  const Shape& operand = reduce.operand(0).shape;
  const auto reduced = reduce.Int64s("dimensions");
  const Index kept = OtherDimensions(operand, {}, reduced);
  Terms terms;
  Index at(operand.rank());
  ForEachIndex(reduce.shape.dimensions(), [&](const Index& result) {
    std::vector<Term>& sum = terms.emplace_back();
    sum.push_back({Term::kNone, 0});
    Place(kept, result, 0, at);
    ForEachIndex(SizesOf(operand, reduced), [&](const Index& index) {
      Place(reduced, index, 0, at);
      sum.push_back({OffsetIn(operand, at), Term::kNone});
    });
  });
  return terms;
}

struct OpTerms {
  std::string_view op;
  Terms (*terms)(const HloInstruction&);
};

constexpr OpTerms kTerms[] = {
    {"convolution", TermsOfConvolution},
    {"dot", TermsOfProduct},
    {"reduce", TermsOfReduction},
};

}  // namespace

std::optional<Terms> TermsOf(const HloInstruction& instruction) {
  const auto* found = std::ranges::find(kTerms, instruction.op->name, &OpTerms::op);
  // Sparse operands lack elements; a reduction of several arrays has several results.
  if (found == std::end(kTerms) || instruction.Has("sparsity_config") || !instruction.shape.IsArray()) {
    return std::nullopt;
  }
  return found->terms(instruction);
}

}  // namespace assay
