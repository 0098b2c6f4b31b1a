#include <algorithm>
#include <string_view>

#include "backends/lawful/algorithms/rewriter.h"
#include "backends/lawful/algorithms/rewrites.h"
#include "interpreter/acceptance/find_before.h"
#include "interpreter/acceptance/rule.h"
#include "interpreter/hlo/op.h"

namespace assay {
namespace {

constexpr double kStarted = 0.5;
constexpr std::int64_t kMostProducts = 24;  // of a sum: each becomes instructions

// Adds the products of a dot one by one to the number that is added to the dot, and the updates of a scatter to the sum
// of its operand and that number.
class StartedSums : public Rewriter {
 public:
  using Rewriter::Rewriter;

 private:
  void Visit(HloInstruction& sum) override {
    const bool subtracts = sum.op->name == "subtract";
    if ((sum.op->name != "add" && !subtracts) || !IsPlainArray(sum.shape) || !IsOpenFor(sum.op->name)) return;
    const std::size_t first = noise().Chance(0.5) ? 1 : 0;
    for (const std::size_t k : {first, 1 - first}) {
      HloInstruction& dot = *sum.operands[k];
      // No compiler starts a sum from a number that follows from it.
      if (FollowsFrom(*sum.operands[1 - k], dot)) continue;
      if (IsScatterOfSums(dot) && !subtracts && IsOpenFor("scatter") && noise().Chance(kStarted)) {
        HloInstruction& start = Make("add", sum.shape, {dot.operands[0], sum.operands[1 - k]});
        return BecomeConversionOf(sum,
                                  MakeLike(dot, sum.shape.element_type(), {&start, dot.operands[1], dot.operands[2]}));
      }
      if (!IsSumOfSomeProducts(dot) || !IsOpenFor("dot") || !noise().Chance(kStarted)) continue;
      HloInstruction* accumulator = sum.operands[1 - k];
      if (subtracts && k == 0) accumulator = &Make("negate", sum.shape, {accumulator});
      const std::string_view adds = subtracts && k == 1 ? "subtract" : "add";
      for (std::int64_t l = 0; l < CountOf(dot); ++l) {
        accumulator = &Make(adds, sum.shape, {accumulator, &ProductOf(dot, l)});
      }
      return BecomeConversionOf(sum, *accumulator);
    }
  }

  static bool IsScatterOfSums(const HloInstruction& scatter) {
    if (scatter.op->name != "scatter" || !IsPlainArray(scatter.shape)) return false;
    const Op* const folded = FoldedOpOf(*scatter.CalledComputations()[0]);
    return IsFloatingPointType(scatter.shape.element_type()) && folded != nullptr && folded->name == "add";
  }

  // True for a dot of one type with one contracting dimension of a few elements.
  static bool IsSumOfSomeProducts(const HloInstruction& dot) {
    if (dot.op->name != "dot" || dot.Has("algorithm") || dot.Has("sparsity_config")) return false;
    if (dot.Int64s("lhs_contracting_dims").size() != 1 || !IsPlainArray(dot.shape)) return false;
    const PrimitiveType type = dot.shape.element_type();
    const auto has_type = [=](const HloInstruction* operand) {
      return IsPlainArray(operand->shape) && operand->shape.element_type() == type;
    };
    return (type == F32 || type == F64) && std::ranges::all_of(dot.operands, has_type) && CountOf(dot) > 1 &&
           CountOf(dot) <= kMostProducts;
  }

  static std::int64_t CountOf(const HloInstruction& dot) {
    return dot.operand(0).shape.dimensions(dot.Int64s("lhs_contracting_dims")[0]);
  }

  HloInstruction& ProductOf(const HloInstruction& dot, std::int64_t l) {
    return MakeLike(dot, dot.shape.element_type(),
                    {&SliceOf(*dot.operands[0], dot.Int64s("lhs_contracting_dims")[0], l),
                     &SliceOf(*dot.operands[1], dot.Int64s("rhs_contracting_dims")[0], l)});
  }

  // Returns the elements of an operand whose index in a dimension is `l`.
  HloInstruction& SliceOf(HloInstruction& operand, std::int64_t dimension, std::int64_t l) {
    SliceConfig config;
    std::vector<std::int64_t> sizes(operand.shape.dimensions().begin(), operand.shape.dimensions().end());
    for (const std::int64_t size : sizes) config.push_back({0, size, 1});
    config[dimension] = {l, l + 1, 1};
    sizes[dimension] = 1;
    HloInstruction& slice = Make("slice", ShapeUtil::MakeShape(operand.shape.element_type(), sizes), {&operand});
    slice.Set("slice", std::move(config));
    return slice;
  }
};

}  // namespace

const RewritePass pass_start_sums = Rewriter::ApplyTo<StartedSums>;

}  // namespace assay
