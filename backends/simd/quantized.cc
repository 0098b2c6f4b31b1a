#include "backends/simd/quantized.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <climits>
#include <cmath>
#include <memory>
#include <optional>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "backends/fusions.h"
#include "backends/simd/products.h"
#include "backends/simd/window_place.h"
#include "interpreter/hlo/convolution_attributes.h"
#include "interpreter/hlo/make_instruction.h"
#include "interpreter/hlo/op.h"
#include "interpreter/types/parallel.h"
#include "interpreter/types/vector_clones.h"

namespace assay::simd {
namespace {

constexpr int kNoBit = 1 << 20;  // the exponent of a last bit of zero

bool Is(const HloInstruction& instruction, std::string_view op, PrimitiveType type) {
  return instruction.op->name == op && instruction.shape.IsFixedArray() && instruction.shape.element_type() == type;
}

// Returns the constant that a broadcast repeats: one number, or one for each index of a dimension. Null for others.
const Literal* ConstantIn(const HloInstruction& array, PrimitiveType type) {
  if (!Is(array, "broadcast", type) || array.Int64s("dimensions").size() > 1) return nullptr;
  const HloInstruction& constant = array.operand(0);
  const bool has_numbers = constant.op->role == OpRole::kConstant && constant.literal;
  return has_numbers && constant.literal->element_count() > 0 ? &*constant.literal : nullptr;
}

// The integers from `least` to `greatest`.
struct Range {
  std::int64_t least, greatest;

  static Range Of(PrimitiveType type) {
    const std::int64_t count = std::int64_t{1} << BitWidth(type);
    return IsSignedIntegralType(type) ? Range{-count / 2, count / 2 - 1} : Range{0, count - 1};
  }
  bool Contains(Range other) const { return least <= other.least && other.greatest <= greatest; }
  std::int64_t LargestMagnitude() const { return std::max(-least, greatest); }
};

// An operand (integer - zero_point) * scale: bytes, one zero point, and one scale or one for each index of a dimension.
struct Dequantized {
  const HloInstruction* integers;
  std::int64_t zero_point = 0;
  const Literal* scales = nullptr;  // f32
  std::optional<std::int64_t> dimension = {};

  static std::optional<Dequantized> Of(const HloInstruction& operand);

  Range range() const {
    const Range stored = Range::Of(integers->shape.element_type());
    return {stored.least - zero_point, stored.greatest - zero_point};
  }
  // Returns the smallest type of a product of narrow integers that has the differences.
  PrimitiveType type() const {
    return Range::Of(S8).Contains(range()) ? S8 : Range::Of(U8).Contains(range()) ? U8 : S16;
  }
};

// True if the scales are far from overflow and underflow.
bool AreModerate(const Literal& scales) {
  return std::ranges::all_of(scales.values<float>(),
                             [](float scale) { return std::fabs(scale) >= 0x1p-40f && std::fabs(scale) <= 0x1p40f; });
}

std::optional<Dequantized> Dequantized::Of(const HloInstruction& operand) {
  if (!Is(operand, "multiply", F32) || !Is(operand.operand(0), "convert", F32)) return std::nullopt;
  Dequantized found = {&operand.operand(0).operand(0)};
  found.scales = ConstantIn(operand.operand(1), F32);
  if (found.scales == nullptr || !AreModerate(*found.scales)) return std::nullopt;
  if (const auto dimensions = operand.operand(1).Int64s("dimensions"); !dimensions.empty()) {
    found.dimension = dimensions[0];
  }
  if (Is(*found.integers, "subtract", S32)) {
    const Literal* const zero_points = ConstantIn(found.integers->operand(1), S32);
    if (zero_points == nullptr || !Is(found.integers->operand(0), "convert", S32)) return std::nullopt;
    found.zero_point = zero_points->IntegerAt(0);
    if (std::ranges::count(zero_points->values<std::int32_t>(), found.zero_point) != zero_points->element_count()) {
      return std::nullopt;
    }
    found.integers = &found.integers->operand(0).operand(0);
  }
  const PrimitiveType type = found.integers->shape.element_type();
  const bool are_bytes = found.integers->shape.IsFixedArray() && IsIntegralType(type) && BitWidth(type) <= 8;
  return are_bytes && Range::Of(S16).Contains(found.range()) ? std::optional(found) : std::nullopt;
}

// True if no number of the operand is rounded to f32.
bool IsExact(const Dequantized& operand) {
  const Range range = operand.range();
  return std::ranges::all_of(operand.scales->values<float>(), [&](float scale) {
    for (std::int64_t k = range.least; k <= range.greatest; ++k) {
      if (static_cast<float>(k) * scale != static_cast<double>(k) * scale) return false;
    }
    return true;
  });
}

// Returns the exponent of the last bit of a normal number.
int LastBit(float number) {
  return std::ilogb(number) - 23 + std::countr_zero(std::bit_cast<std::uint32_t>(number) | 1u << 23);
}

// Returns the least exponent of a last bit of the operand's numbers, of which it reads the first ones, up to one that
// is `enough`. A large number if these are zeros.
int LeastLastBit(const Dequantized& operand, const Literal& integers, int enough) {
  constexpr std::int64_t kMostRead = 1 << 12;
  const auto scales = operand.scales->values<float>();
  std::int64_t inner = 1;
  for (std::int64_t d = operand.dimension.value_or(-1) + 1; d < integers.shape().rank(); ++d) {
    inner *= integers.shape().dimensions(d);
  }
  int least = kNoBit;
  for (std::int64_t i = 0; i < std::min(kMostRead, integers.element_count()) && least > enough; ++i) {
    const float scale = scales[static_cast<std::size_t>(i / inner) % scales.size()];
    const std::int64_t difference = integers.IntegerAt(i) - operand.zero_point;
    if (difference != 0) least = std::min(least, LastBit(static_cast<float>(difference) * scale));
  }
  return least;
}

// The numbers of terms of the sums of a product.
struct TermCounts {
  std::int64_t least;  // of the sums that have one
  std::int64_t most;
};

// Returns the least number of cells of a window that meet an element, for one dimension and the positions where there
// is one.
std::int64_t LeastCells(const WindowDimension& window, std::int64_t positions, std::int64_t places) {
  std::int64_t least = window.size;
  for (std::int64_t position = 0; position < positions; ++position) {
    std::int64_t cells = 0;
    for (std::int64_t cell = 0; cell < window.size; ++cell) cells += PlaceUnder(window, position, cell, places) >= 0;
    if (cells > 0) least = std::min(least, cells);
  }
  return least;
}

TermCounts TermsOfConvolution(const HloInstruction& convolution) {
  const ConvolutionDimensionNumbers& labels = DimLabels(convolution);
  const std::int64_t features = convolution.operand(1).shape.dimensions(labels.kernel_input_feature_dimension);
  TermCounts terms = {features, features};
  const std::vector<WindowDimension>& window = convolution.window().dimensions;
  for (std::size_t i = 0; i < window.size(); ++i) {
    terms.most *= window[i].size;
    // More features than one are terms enough.
    if (features > 1) continue;
    terms.least *= LeastCells(window[i], convolution.shape.dimensions(labels.output_spatial_dimensions[i]),
                              convolution.operand(0).shape.dimensions(labels.input_spatial_dimensions[i]));
  }
  return terms;
}

TermCounts TermsOf(const HloInstruction& product) {
  if (product.op->name == "convolution") return TermsOfConvolution(product);
  std::int64_t terms = 1;
  for (const std::int64_t d : product.Int64s("lhs_contracting_dims")) terms *= product.operand(0).shape.dimensions(d);
  return {terms, terms};
}

// Returns the dimension of the result that a dimension of the right operand becomes; nullopt if there is none or it is
// one of the batch.
std::optional<std::int64_t> ResultDimension(const HloInstruction& product, std::int64_t dimension) {
  if (product.op->name == "convolution") {
    const ConvolutionDimensionNumbers& labels = DimLabels(product);
    if (dimension != labels.kernel_output_feature_dimension) return std::nullopt;
    return labels.output_feature_dimension;
  }
  const auto is_free = [&](std::int64_t d) {
    return std::ranges::count(product.Int64s("rhs_batch_dims"), d) == 0 &&
           std::ranges::count(product.Int64s("rhs_contracting_dims"), d) == 0;
  };
  if (!is_free(dimension)) return std::nullopt;
  // The free dimensions of the right operand are the last ones.
  std::int64_t of_result = product.shape.rank();
  for (std::int64_t d = dimension; d < product.operand(1).shape.rank(); ++d) of_result -= is_free(d);
  return of_result;
}

// A product of dequantized integers that is computed as the product of the integers, times that of the scales.
//
// Exact operands have this sum. Otherwise each product errs by 2u + u^2 of itself and the only rounding by u of the
// sum, which is below the (n + 2) u of n > 1 terms. That bound is 0 for terms that are multiples of a q and at most
// 2^24 q together, where q is the product of the least last bits of both operands. No term is below the product of the
// scales, so one that is above 2^24 q excludes this.
class IntegerProduct {
 public:
  // Returns null for another instruction, and if the results may be outside of the bound, whatever the operands are.
  static std::shared_ptr<const IntegerProduct> Of(const HloInstruction& product);

  // True if the results for these integers are in the bound.
  bool IsInBound(std::span<const Literal> operands) const;
  Literal Compute(std::span<Literal> operands, Evaluation& evaluation) const;

  const Dequantized& lhs() const { return lhs_; }
  const Dequantized& rhs() const { return rhs_; }

 private:
  IntegerProduct(const HloInstruction& product, const Dequantized& lhs, const Dequantized& rhs)
      : product_(product), lhs_(lhs), rhs_(rhs), are_exact_(IsExact(lhs) && IsExact(rhs)) {}

  bool FindScales(const TermCounts& terms);
  Literal Scaled(const Literal& sums) const;

  const HloInstruction& product_;
  const Dequantized lhs_, rhs_;
  const bool are_exact_;
  int enough_of_rhs_ = 0;       // the last bit of the right operand's numbers of which no earlier one is looked for
  int most_of_q_ = INT_MAX;     // the exponent above which 2^24 q may not be below the least term
  std::vector<double> scales_;  // of the results, exact
  std::int64_t inner_ = 1;      // the number of results that follow each other with one of them
};

std::shared_ptr<const IntegerProduct> IntegerProduct::Of(const HloInstruction& product) {
  const bool is_product = Is(product, "dot", F32) || Is(product, "convolution", F32);
  if (!is_product || product.operands.size() != 2 || product.Has("algorithm") || product.Has("sparsity_config")) {
    return nullptr;
  }
  const auto lhs = Dequantized::Of(product.operand(0)), rhs = Dequantized::Of(product.operand(1));
  if (!lhs || !rhs || lhs->dimension) return nullptr;
  const TermCounts terms = TermsOf(product);
  const std::int64_t largest = lhs->range().LargestMagnitude() * rhs->range().LargestMagnitude();
  if (terms.most < 1 || terms.most > INT32_MAX / largest) return nullptr;
  const std::shared_ptr<IntegerProduct> found(new IntegerProduct(product, *lhs, *rhs));
  return found->FindScales(terms) ? found : nullptr;
}

bool IntegerProduct::FindScales(const TermCounts& terms) {
  if (rhs_.dimension) {
    const auto dimension = ResultDimension(product_, *rhs_.dimension);
    if (!dimension) return false;
    for (std::int64_t d = *dimension + 1; d < product_.shape.rank(); ++d) inner_ *= product_.shape.dimensions(d);
  }
  if (rhs_.scales->element_count() == 1) inner_ = ShapeUtil::ElementsIn(product_.shape);
  const float left = lhs_.scales->values<float>()[0];
  int last_bit = kNoBit;
  for (const float scale : rhs_.scales->values<float>()) {
    scales_.push_back(double{left} * scale);
    most_of_q_ = std::min(most_of_q_, std::ilogb(left) + std::ilogb(scale) - 24);
    last_bit = std::min(last_bit, LastBit(scale));
  }
  // No multiple of a scale has an earlier last bit. Each operand may have half of the bits that are left.
  const int bits = most_of_q_ - 1 - LastBit(left) - last_bit;
  enough_of_rhs_ = last_bit + bits / 2;
  return are_exact_ || (terms.least > 1 && bits >= 0);
}

bool IntegerProduct::IsInBound(std::span<const Literal> operands) const {
  if (are_exact_) return true;
  const int of_rhs = LeastLastBit(rhs_, operands[rhs_.integers->parameter_number], enough_of_rhs_);
  const int enough = most_of_q_ - of_rhs - 1;
  return LeastLastBit(lhs_, operands[lhs_.integers->parameter_number], enough) <= enough;
}

ASSAY_VECTOR_CLONES void SubtractBytes(const std::uint8_t* in, std::int64_t n, std::uint8_t zero, std::uint8_t* out) {
  for (std::int64_t i = 0; i < n; ++i) out[i] = static_cast<std::uint8_t>(in[i] - zero);
}

// A signed byte is the unsigned one with another highest bit, less 128.
ASSAY_VECTOR_CLONES void SubtractWide(const std::uint8_t* in, std::int64_t n, std::uint8_t highest_bit, int zero,
                                      std::int16_t* out) {
  for (std::int64_t i = 0; i < n; ++i) out[i] = static_cast<std::int16_t>((in[i] ^ highest_bit) - highest_bit - zero);
}

Literal Differences(const Literal& integers, const Dequantized& operand) {
  if (operand.zero_point == 0) return integers;
  const PrimitiveType type = operand.type();
  Literal result = Literal::Uninitialized(ShapeUtil::ChangeElementType(integers.shape(), type));
  std::byte* const out = result.mutable_data();
  const auto* const in = reinterpret_cast<const std::uint8_t*>(integers.data());
  const std::uint8_t highest_bit = IsSignedIntegralType(integers.element_type()) ? 0x80 : 0;
  const auto zero = static_cast<int>(operand.zero_point);
  ParallelFor(integers.element_count(), kMovedPerPiece, [&](std::int64_t begin, std::int64_t end) {
    if (type == S16) {
      SubtractWide(in + begin, end - begin, highest_bit, zero, reinterpret_cast<std::int16_t*>(out) + begin);
    } else {
      SubtractBytes(in + begin, end - begin, static_cast<std::uint8_t>(zero),
                    reinterpret_cast<std::uint8_t*>(out) + begin);
    }
  });
  return result;
}

ASSAY_VECTOR_CLONES void ScaleAll(const std::int32_t* sums, std::int64_t n, double scale, float* out) {
  for (std::int64_t i = 0; i < n; ++i) out[i] = static_cast<float>(sums[i] * scale);
}
ASSAY_VECTOR_CLONES void ScaleEach(const std::int32_t* sums, std::int64_t n, const double* scales, float* out) {
  for (std::int64_t i = 0; i < n; ++i) out[i] = static_cast<float>(sums[i] * scales[i]);
}

Literal IntegerProduct::Scaled(const Literal& sums) const {
  Literal result = Literal::Uninitialized(product_.shape);
  const std::int32_t* const in = sums.values<std::int32_t>().data();
  float* const out = result.mutable_values<float>().data();
  const std::int64_t count = std::ssize(scales_), row = inner_ == 1 ? count : inner_;
  ParallelFor(result.element_count() / std::max<std::int64_t>(1, row), GrainOfRows(row, kComputedPerPiece),
              [&](std::int64_t begin, std::int64_t end) {
                for (std::int64_t i = begin; i < end; ++i) {
                  if (inner_ == 1)
                    ScaleEach(in + i * row, row, scales_.data(), out + i * row);
                  else
                    ScaleAll(in + i * row, row, scales_[i % count], out + i * row);
                }
              });
  return result;
}

Literal IntegerProduct::Compute(std::span<Literal> operands, Evaluation& evaluation) const {
  std::array<Literal, 2> differences = {Differences(operands[lhs_.integers->parameter_number], lhs_),
                                        Differences(operands[rhs_.integers->parameter_number], rhs_)};
  HloInstruction integers = product_, parameters[2];
  integers.shape = ShapeUtil::ChangeElementType(product_.shape, S32);
  for (int i = 0; i < 2; ++i) {
    parameters[i].shape = differences[i].shape();
    integers.operands[i] = &parameters[i];
  }
  return Scaled((product_.op->name == "dot" ? kDot : kConvolution).evaluate(integers, differences, evaluation));
}

// Returns a copy of what computes a value from `integers`, which is not copied. Adds the copies to `made`.
HloInstruction* CopyFrom(HloInstruction& value, const HloInstruction& integers, const HloInstruction& user,
                         std::vector<std::unique_ptr<HloInstruction>>& made) {
  if (&value == &integers) return &value;
  auto copy = std::make_unique<HloInstruction>(value);
  for (HloInstruction*& operand : copy->operands) operand = CopyFrom(*operand, integers, user, made);
  copy->name = fmt::format("{}.of.{}.{}", value.name, user.name, made.size());
  return made.emplace_back(std::move(copy)).get();
}

void FuseProducts(HloComputation& computation) {
  std::vector<std::unique_ptr<HloInstruction>> before = std::move(computation.instructions);
  computation.instructions.clear();
  std::vector<std::vector<HloInstruction*>> products;
  std::set<const HloInstruction*> ordered;
  for (const auto& instruction : before) {
    ordered.insert(instruction->control_predecessors.begin(), instruction->control_predecessors.end());
    if (!instruction->control_predecessors.empty()) ordered.insert(instruction.get());
  }
  for (auto& owned : before) {
    if (const auto product = ordered.contains(owned.get()) ? nullptr : IntegerProduct::Of(*owned)) {
      std::vector<std::unique_ptr<HloInstruction>> made;
      owned->operands = {CopyFrom(*owned->operands[0], *product->lhs().integers, *owned, made),
                         CopyFrom(*owned->operands[1], *product->rhs().integers, *owned, made)};
      std::vector<HloInstruction*>& members = products.emplace_back();
      for (auto& instruction : made) members.push_back(&computation.Add(std::move(instruction)));
      members.push_back(owned.get());
    }
    computation.instructions.push_back(std::move(owned));
  }
  for (const auto& members : products) MoveIntoFusion(*members.back(), members, "dequantized");
}

}  // namespace

bool IsDequantizedProduct(const HloComputation& computation) {
  const auto product = IntegerProduct::Of(*computation.root);
  return product != nullptr && product->lhs().integers->op->role == OpRole::kParameter &&
         product->rhs().integers->op->role == OpRole::kParameter;
}

void FuseDequantizedProducts(HloModule& module) {
  std::vector<HloComputation*> computations;
  for (const auto& computation : module.computations) computations.push_back(computation.get());
  for (HloComputation* computation : computations) FuseProducts(*computation);
}

PreparedFunction PrepareDequantizedProduct(const HloInstruction& fusion) {
  const HloComputation& fused = fusion.Computation("calls");
  if (!IsDequantizedProduct(fused)) return {};
  return [product = IntegerProduct::Of(*fused.root), &fused](std::span<Literal> operands, Evaluation& evaluation) {
    if (product->IsInBound(operands)) return product->Compute(operands, evaluation);
    return evaluation.Call(fused, {operands.begin(), operands.end()});
  };
}

}  // namespace assay::simd
