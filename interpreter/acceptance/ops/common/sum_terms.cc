#include "interpreter/acceptance/ops/common/sum_terms.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>

#include "interpreter/hlo/convolution_attributes.h"
#include "interpreter/types/index_util.h"

namespace assay {
namespace {

using Index = std::vector<std::int64_t>;
using Visit = std::function<void(const Index& result, std::vector<Term>& terms)>;

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

void PutAt(std::span<const std::int64_t> dimensions, const Index& from, std::size_t first, Index& into) {
  for (std::size_t i = 0; i < dimensions.size(); ++i) into[dimensions[i]] = from[first + i];
}

// Returns the offsets of the elements along some dimensions from the first of them.
Index OffsetsAlong(const Shape& shape, std::span<const std::int64_t> dimensions) {
  Index offsets, at(shape.rank());
  ForEachIndex(SizesOf(shape, dimensions), [&](const Index& index) {
    PutAt(dimensions, index, 0, at);
    offsets.push_back(OffsetIn(shape, at));
  });
  return offsets;
}

// Returns the place in the base of element `k` of a window that starts at `position`; nullopt in padding and in the
// holes of dilation.
std::optional<std::int64_t> PlaceInBase(const WindowDimension& window, std::int64_t position, std::int64_t k,
                                        std::int64_t base) {
  const std::int64_t place = position * window.stride + k * window.window_dilation - window.padding_low;
  if (place < 0 || place % window.base_dilation != 0 || place / window.base_dilation >= base) return std::nullopt;
  return place / window.base_dilation;
}

// True for sparse operands, which lack elements.
bool IsSparse(const HloInstruction& product) { return product.Has("sparsity_config"); }

const Shape& LeafOf(const Shape& result, std::size_t leaf) {
  return result.IsTuple() ? result.tuple_shapes()[leaf] : result;
}

// Returns the steps in an operand along the dimensions of a result: those from `first` on are these of the operand.
Index StepsAlong(const Shape& operand, std::span<const std::int64_t> dimensions, std::size_t first, Index steps) {
  const Index all = RowMajorStrides(operand.dimensions());
  for (std::size_t i = 0; i < dimensions.size(); ++i) steps[first + i] = all[dimensions[i]];
  return steps;
}

std::int64_t OffsetBy(const Index& steps, const Index& index) {
  return std::inner_product(steps.begin(), steps.end(), index.begin(), std::int64_t{0});
}

// The result's dimensions are the batch dimensions, then the remaining ones of each operand.
Visit TermsOfProduct(const HloInstruction& dot) {
  const Shape &left = dot.operand(0).shape, &right = dot.operand(1).shape;
  const auto left_batch = dot.Int64s("lhs_batch_dims"), right_batch = dot.Int64s("rhs_batch_dims");
  const auto left_summed = dot.Int64s("lhs_contracting_dims"), right_summed = dot.Int64s("rhs_contracting_dims");
  const Index left_others = OtherDimensions(left, left_batch, left_summed);
  const Index right_others = OtherDimensions(right, right_batch, right_summed);
  const Index none(dot.shape.rank());
  const std::size_t batch = left_batch.size();
  return [left_steps = StepsAlong(left, left_others, batch, StepsAlong(left, left_batch, 0, none)),
          right_steps =
              StepsAlong(right, right_others, batch + left_others.size(), StepsAlong(right, right_batch, 0, none)),
          along_left = OffsetsAlong(left, left_summed),
          along_right = OffsetsAlong(right, right_summed)](const Index& result, std::vector<Term>& terms) {
    const std::int64_t first_left = OffsetBy(left_steps, result), first_right = OffsetBy(right_steps, result);
    terms.reserve(along_left.size());
    for (std::size_t k = 0; k < along_left.size(); ++k) {
      terms.push_back({first_left + along_left[k], first_right + along_right[k]});
    }
  };
}

Visit TermsOfConvolution(const HloInstruction& convolution) {
  const auto& d = *convolution.Find<ConvolutionDimensionNumbers>("dim_labels");
  const Shape &input = convolution.operand(0).shape, &kernel = convolution.operand(1).shape;
  const std::vector<WindowDimension> window = WindowOfKind(convolution).dimensions;
  const std::int64_t out_features = kernel.dimensions(d.kernel_output_feature_dimension);
  const std::int64_t in_features = kernel.dimensions(d.kernel_input_feature_dimension);
  const std::int64_t features_a_group = out_features / convolution.Int64("feature_group_count");
  const std::int64_t batch_groups = convolution.Int64("batch_group_count");
  const std::int64_t batch_a_group = input.dimensions(d.input_batch_dimension) / batch_groups;
  const Index kernel_sizes = SizesOf(kernel, d.kernel_spatial_dimensions);
  const std::int64_t input_step = RowMajorStrides(input.dimensions())[d.input_feature_dimension];
  const std::int64_t kernel_step = RowMajorStrides(kernel.dimensions())[d.kernel_input_feature_dimension];
  return [=, &d, &input, &kernel](const Index& result, std::vector<Term>& terms) {
    Index at_input(input.rank()), at_kernel(kernel.rank());
    const std::int64_t feature = result[d.output_feature_dimension];
    at_kernel[d.kernel_output_feature_dimension] = feature;
    at_input[d.input_batch_dimension] =
        result[d.output_batch_dimension] + feature / (out_features / batch_groups) * batch_a_group;
    at_input[d.input_feature_dimension] = feature / features_a_group * in_features;
    ForEachIndex(kernel_sizes, [&](const Index& k) {
      for (std::size_t s = 0; s < window.size(); ++s) {
        const std::int64_t dimension = d.input_spatial_dimensions[s];
        const auto place =
            PlaceInBase(window[s], result[d.output_spatial_dimensions[s]], k[s], input.dimensions(dimension));
        if (!place) return;
        at_input[dimension] = *place;
        at_kernel[d.kernel_spatial_dimensions[s]] = window[s].window_reversal ? window[s].size - 1 - k[s] : k[s];
      }
      // The features of one place in the window have the same steps everywhere.
      const std::int64_t first_input = OffsetIn(input, at_input), first_kernel = OffsetIn(kernel, at_kernel);
      for (std::int64_t i = 0; i < in_features; ++i) {
        terms.push_back({first_input + i * input_step, first_kernel + i * kernel_step});
      }
    });
  };
}

Visit TermsOfReduction(const HloInstruction& reduce) {
  const Shape& operand = reduce.operand(0).shape;
  const auto reduced = reduce.Int64s("dimensions");
  const Index kept = OtherDimensions(operand, {}, reduced);
  return [steps = StepsAlong(operand, kept, 0, Index(kept.size())), along = OffsetsAlong(operand, reduced)](
             const Index& result, std::vector<Term>& terms) {
    terms.reserve(along.size() + 1);
    terms.push_back({Term::kNone, 0});
    const std::int64_t first = OffsetBy(steps, result);
    for (const std::int64_t offset : along) terms.push_back({first + offset, Term::kNone});
  };
}

Visit TermsOfWindows(const HloInstruction& reduce_window) {
  const Shape& base = reduce_window.operand(0).shape;
  const auto& window = reduce_window.window().dimensions;
  Index sizes;
  for (const WindowDimension& dimension : window) sizes.push_back(dimension.size);
  return [=, &base, &window](const Index& result, std::vector<Term>& terms) {
    Index at(base.rank());
    terms.push_back({Term::kNone, 0});
    ForEachIndex(sizes, [&](const Index& k) {
      for (std::size_t d = 0; d < window.size(); ++d) {
        const auto place = PlaceInBase(window[d], result[d], k[d], base.dimensions(d));
        if (!place) return;
        at[d] = *place;
      }
      terms.push_back({OffsetIn(base, at), Term::kNone});
    });
  };
}

// An output adds the elements up to its place. The carry, which follows the outputs, adds all elements.
Visit TermsOfScan(const HloInstruction& scan, std::size_t leaf) {
  const Shape &input = scan.operand(0).shape, &carry = scan.operand(1).shape;
  const std::int64_t dimension = scan.Int64s("dimensions")[0], size = input.dimensions(dimension);
  const bool is_reverse = scan.Bool("is_reverse"), is_carry = leaf == 1;
  return [=, &input, &carry](const Index& result, std::vector<Term>& terms) {
    Index at = result, at_carry = result;
    std::int64_t last = is_reverse ? 0 : size - 1;
    if (is_carry) {
      at.insert(at.begin() + dimension, 0);
    } else {
      last = result[dimension];
      at_carry.erase(at_carry.begin() + dimension);
    }
    terms.push_back({Term::kNone, OffsetIn(carry, at_carry)});
    const std::int64_t step = is_reverse ? -1 : 1;
    for (std::int64_t k = is_reverse ? size - 1 : 0; size > 0 && k != last + step; k += step) {
      at[dimension] = k;
      terms.push_back({OffsetIn(input, at), Term::kNone});
    }
  };
}

std::int64_t OffsetOfMiddle(const Shape& shape) {
  std::int64_t offset = 0;
  for (const std::int64_t size : shape.dimensions()) offset = offset * size + size / 2;
  return offset;
}

}  // namespace

std::optional<SumTerms> SumTerms::Of(const HloInstruction& instruction, std::span<const Literal> operands,
                                     std::size_t leaf) {
  const auto terms = AcceptanceOf(instruction).terms;
  return terms == nullptr ? std::nullopt : terms(instruction, operands, leaf);
}

std::optional<SumTerms> SumTerms::OfProduct(const HloInstruction& dot, std::span<const Literal>, std::size_t) {
  if (IsSparse(dot)) return std::nullopt;
  return SumTerms(dot.shape, 0, 1, TermsOfProduct(dot));
}

std::optional<SumTerms> SumTerms::OfConvolution(const HloInstruction& convolution, std::span<const Literal>,
                                                std::size_t) {
  if (IsSparse(convolution)) return std::nullopt;
  return SumTerms(convolution.shape, 0, 1, TermsOfConvolution(convolution));
}

std::optional<SumTerms> SumTerms::OfReduction(const HloInstruction& reduce, std::span<const Literal>,
                                              std::size_t leaf) {
  return SumTerms(LeafOf(reduce.shape, leaf), leaf, reduce.operands.size() / 2 + leaf, TermsOfReduction(reduce));
}

std::optional<SumTerms> SumTerms::OfWindows(const HloInstruction& reduce_window, std::span<const Literal>,
                                            std::size_t leaf) {
  return SumTerms(LeafOf(reduce_window.shape, leaf), leaf, reduce_window.operands.size() / 2 + leaf,
                  TermsOfWindows(reduce_window));
}

std::optional<SumTerms> SumTerms::OfScan(const HloInstruction& scan, std::span<const Literal>, std::size_t leaf) {
  if (!scan.shape.IsTuple() || scan.operands.size() != 2) return std::nullopt;
  return SumTerms(LeafOf(scan.shape, leaf), 0, 1, TermsOfScan(scan, leaf));
}

SumTerms SumTerms::OfLists(const Shape& result, std::size_t lhs, std::size_t rhs,
                           std::vector<std::vector<std::int64_t>> lists) {
  const auto fullest =
      std::ranges::max_element(lists, {}, &std::vector<std::int64_t>::size) - lists.begin();  // 0 of none
  const auto shared = std::make_shared<const std::vector<std::vector<std::int64_t>>>(std::move(lists));
  const auto visit = [&result, shared](const Index& index, std::vector<Term>& terms) {
    const std::int64_t offset = OffsetIn(result, index);
    terms.push_back({Term::kNone, offset});
    for (const std::int64_t term : (*shared)[offset]) terms.push_back({term, Term::kNone});
  };
  return SumTerms(result, lhs, rhs, visit, fullest);
}

SumTerms::SumTerms(const Shape& result, std::size_t lhs, std::size_t rhs, Visit visit,
                   std::optional<std::int64_t> fullest)
    : sizes_(result.dimensions().begin(), result.dimensions().end()),
      fullest_(fullest ? *fullest : OffsetOfMiddle(result)),
      lhs_(lhs),
      rhs_(rhs),
      visit_(std::move(visit)) {}

std::int64_t SumTerms::LargestCount() const {
  std::vector<Term> terms;
  if (std::ranges::count(sizes_, 0) == 0) At(fullest_, terms);
  return std::ssize(terms);
}

void SumTerms::At(std::int64_t offset, std::vector<Term>& terms) const {
  Index index(sizes_.size());
  for (std::size_t d = sizes_.size(); d-- > 0;) {
    index[d] = offset % sizes_[d];
    offset /= sizes_[d];
  }
  terms.clear();
  visit_(index, terms);
}

bool IsOneProduct(const HloInstruction& instruction) {
  const auto terms = AcceptanceOf(instruction).terms;
  if (terms == SumTerms::OfProduct) {
    const Shape& left = instruction.operand(0).shape;
    return std::ranges::all_of(instruction.Int64s("lhs_contracting_dims"),
                               [&](std::int64_t d) { return left.dimensions(d) == 1; });
  }
  if (terms != SumTerms::OfConvolution) return false;
  const Shape& kernel = instruction.operand(1).shape;
  const auto& d = *instruction.Find<ConvolutionDimensionNumbers>("dim_labels");
  return ShapeUtil::ElementsIn(kernel) == kernel.dimensions(d.kernel_output_feature_dimension);
}

ElementTest SumsOfOtherKinds(const HloInstruction& instruction, std::span<const Literal> operands, std::size_t leaf) {
  const PrimitiveType type = instruction.shape.element_type();
  const auto is_complex = [](const Literal& operand) { return IsComplexType(operand.element_type()); };
  const auto is_real = [](const Literal& operand) { return IsFloatingPointType(operand.element_type()); };
  if (!IsComplexType(type) && std::ranges::any_of(operands, is_complex)) return [](std::int64_t) { return true; };
  if (IsInexactType(type) || std::ranges::none_of(operands, is_real)) return nullptr;
  const std::optional<SumTerms> products = SumTerms::Of(instruction, operands, leaf);
  if (!products) return nullptr;
  return [=, products = *products](std::int64_t element) {
    std::vector<Term> terms;
    products.At(element, terms);
    double magnitude = 0;
    bool are_whole = true;
    for (const Term& term : terms) {
      const double lhs = NumberAt(operands[products.lhs_operand()], term.lhs);
      const double rhs = NumberAt(operands[products.rhs_operand()], term.rhs);
      are_whole = are_whole && lhs == std::trunc(lhs) && rhs == std::trunc(rhs);
      magnitude += std::fabs(lhs * rhs);
    }
    return !are_whole || !(magnitude <= AnyOf(type).high);
  };
}

std::optional<double> CountOfTerms(const HloInstruction& instruction, std::span<const Literal> operands) {
  const auto kind = AcceptanceOf(instruction).terms;
  const auto is_static_and_real = [](const Literal& operand) {
    return IsFloatingPointType(operand.element_type()) && !operand.has_dynamic_sizes();
  };
  if (!instruction.shape.IsArray() || ShapeUtil::ElementsIn(instruction.shape) == 0) return std::nullopt;
  if (!std::ranges::all_of(operands, is_static_and_real)) return std::nullopt;
  if (kind == SumTerms::OfReduction) {
    return 1 + ShapeUtil::ElementsIn(instruction.operand(0).shape) / ShapeUtil::ElementsIn(instruction.shape);
  }
  if (kind != SumTerms::OfProduct) return std::nullopt;
  if (IsSparse(instruction)) return std::nullopt;
  double count = 1;
  for (const std::int64_t d : instruction.Int64s("lhs_contracting_dims")) {
    count *= static_cast<double>(instruction.operand(0).shape.dimensions(d));
  }
  return count;
}

}  // namespace assay
