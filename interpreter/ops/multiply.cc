#include <algorithm>
#include <cmath>

#include "interpreter/ops/common/elementwise.h"
#include "interpreter/ops/common/images.h"

namespace assay {

namespace {

// The products of the ends; an infinity times zero is NaN.
Reals Product(const HloInstruction& instruction, std::span<const Reals> x) {
  if (IsComplexType(instruction.shape.element_type()) || x[0].IsEmpty() || x[1].IsEmpty()) return {};
  const double ends[] = {x[0].low * x[1].low, x[0].low * x[1].high, x[0].high * x[1].low, x[0].high * x[1].high};
  if (std::ranges::any_of(ends, [](double end) { return std::isnan(end); })) return {};
  const auto [low, high] = std::ranges::minmax(ends);
  const Reals any = AnyOf(instruction.shape.element_type());
  if (low < any.low || high > any.high) return any;  // integers wrap
  const Reals image = {low, high, x[0].may_be_nan || x[1].may_be_nan};
  return IsFloatingPointType(instruction.shape.element_type()) ? Outward(image) : image;
}

}  // namespace

const Op op_multiply = {
    .name = "multiply",
    .meaning = "The product; logical and for pred; integers wrap.",
    .legality = {.arity = Exactly(2), .types = kArrays, .infer = InferBinary},
    .evaluation = {.kernel = NumberKernel<[](auto a, auto b) { return a * b; }, ComplexMultiply>},
    .acceptance = {.complex_rule = Acceptance::kUlp, .folded = Acceptance::kProduct, .image = ByElement<Product>},
};

}  // namespace assay
