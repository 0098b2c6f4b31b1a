// initial_accumulator: the sum of a dot, convolution or scatter may start from the number that the next instruction
// adds to it, a bias. The additions of its products then round at the magnitude of that number too. XLA's simplifier
// adds the number to the array that a scatter changes, and makes one scatter of two. The freedom takes two
// instructions, so only sets through programs use it: the set of a dot holds the sizes of its products
// (ValueSet::products), and instructions that move or scale numbers, or change their signs, carry them on.
#include <algorithm>
#include <cmath>

#include "interpreter/acceptance/elements.h"
#include "interpreter/acceptance/freedom.h"
#include "interpreter/acceptance/ops/op_acceptance.h"
#include "interpreter/acceptance/sets/lawful_facts.h"
#include "interpreter/acceptance/sets/reals.h"
#include "interpreter/acceptance/sets/widen.h"
#include "interpreter/hlo/op.h"

namespace assay {
namespace {

// Returns the products of all operands, scaled, each as large as the largest one: it may have been moved anywhere.
std::shared_ptr<const ProductSizes> MovedProducts(std::span<const ValueSet> operands, const Scales& scales) {
  ProductSizes moved = {0, 0, INFINITY, Literal(ShapeUtil::MakeScalarShape(F64))};
  double& magnitude = moved.magnitudes.mutable_values<double>()[0];
  for (const ValueSet& operand : operands) {
    if (operand.products == nullptr) continue;
    moved.may_merge |= operand.products->may_merge;
    moved.count = std::max(moved.count, operand.products->count);
    moved.roundoff = std::max(moved.roundoff, operand.products->roundoff);
    moved.quantum = std::min(moved.quantum, operand.products->quantum * scales.least);
    for (const double sum : operand.products->magnitudes.values<double>()) {
      magnitude = std::max(magnitude, sum * scales.largest);
    }
  }
  return std::make_shared<const ProductSizes>(std::move(moved));
}

void CarrySizes(const InstructionFacts& instruction, SetEvaluation&, ValueSet& result) {
  if (!result.value.shape().IsArray() || !IsFloatingPointType(result.value.element_type())) return;
  const bool is_scatter = instruction.is_sum && instruction.acceptance.Has(Trait::kStartsFromArray);
  if (is_scatter || AddsProducts(instruction.hlo) || MultipliesIntegers(instruction.hlo)) {
    if (!instruction.judged.Allows(Freedom::kInitialAccumulator)) return;
    auto products = instruction.rule->Products(result.value);
    // One product is rounded, or fused with the addition: contraction allows the latter.
    if (products != nullptr && !instruction.rule->AddsOneTermEach()) result.products = std::move(products);
    return;
  }
  const auto has_products = [](const ValueSet& operand) { return operand.products != nullptr; };
  if (std::ranges::none_of(instruction.operands, has_products)) return;
  const auto scales = KeepsTerms(instruction.hlo) ? std::optional(Scales{1, 1}) : ScalesOf(instruction);
  if (scales) result.products = MovedProducts(instruction.operands, *scales);
}

// The bound of the roundings of n products whose sum starts from another number, or from the terms of another sum.
class StartBound {
 public:
  StartBound(const ValueSet& sum, const ValueSet& start, PrimitiveType type, bool flushes)
      : products_(*sum.products),
        sum_(sum),
        start_(NumbersOf(ReachOf(start))),
        merged_(products_.may_merge && start.products && start.products->may_merge ? start.products.get() : nullptr),
        quantum_(QuantumBesides(start)),
        type_(type),
        underflow_(flushes ? LeastNormal(type) : SmallestSubnormal(type)) {}

  // Returns the error beyond that of the sum's own set; infinity if a partial sum may overflow.
  double At(std::int64_t i) const {
    const auto at = [&](const Literal& numbers) {
      return std::fabs(numbers.values<double>()[numbers.element_count() == 1 ? 0 : i]);
    };
    const double start = std::max(at(start_), merged_ == nullptr ? 0 : at(merged_->magnitudes));
    const double sum = at(products_.magnitudes);
    if (start == 0 || sum == 0 || !std::isfinite(start)) return 0;
    // Multiples of one power of two, few enough of it, are added without rounding.
    if (start + sum <= quantum_ / products_.roundoff && quantum_ >= LeastNormal(type_)) return 0;
    // (1 + u)^n - 1 of the start and (1 + u)^(n + 1) - 1 of the products are below (n + 2) u. The set of a sum that may
    // round has the error of the products already, but for two roundings.
    const double of_sum = IsOpen(i) ? 2 : products_.count + 2;
    const double error =
        products_.roundoff * ((products_.count + 2) * start + of_sum * sum) + (products_.count + 1) * underflow_;
    return start + sum + error >= LargestFinite(type_) ? INFINITY : error;
  }

 private:
  double QuantumBesides(const ValueSet& start) const {
    if (merged_ != nullptr) return std::min(products_.quantum, merged_->quantum);
    return start.open ? 0 : std::min(products_.quantum, QuantumOf(start.value));
  }

  bool IsOpen(std::int64_t i) const {
    if (sum_.open == nullptr) return false;
    const auto state = sum_.open->state.values<std::uint8_t>();
    return state[state.size() == 1 ? 0 : i] != 0;
  }

  const ProductSizes& products_;
  const ValueSet& sum_;
  const Literal start_;
  const ProductSizes* const merged_;  // the other sum, if both may be one
  const double quantum_;
  const PrimitiveType type_;
  const double underflow_;
};

void BoundStarts(const InstructionFacts& instruction, ValueSet& leaf) {
  const PrimitiveType type = leaf.value.element_type();
  if (!instruction.acceptance.Has(Trait::kAddsTerms) || !IsFloatingPointType(type) || instruction.operands.size() != 2)
    return;
  for (std::size_t k = 0; k < 2; ++k) {
    const ValueSet &sum = instruction.operands[k], &start = instruction.operands[1 - k];
    if (sum.products == nullptr) continue;
    const StartBound bound(sum, start, type, instruction.judged.arithmetic.flushes_subnormals);
    Literal errors =
        leaf.start_errors ? *leaf.start_errors : Literal(ShapeUtil::ChangeElementType(leaf.value.shape(), F64));
    auto all = errors.mutable_values<double>();
    for (std::size_t i = 0; i < all.size(); ++i) all[i] += bound.At(static_cast<std::int64_t>(i));
    leaf.start_errors = std::make_shared<const Literal>(std::move(errors));
  }
}

bool StartsFromZero(const LeafFacts& leaf) { return leaf.start_errors == nullptr; }
bool MayStart(const LeafFacts& leaf) { return leaf.start_errors != nullptr; }

Widening Started(const ElementFacts& element, const Reals& number) {
  const Literal* const errors = element.leaf.start_errors;
  const double error = errors == nullptr ? 0 : errors->values<double>()[element.component];
  if (error == 0 || number.IsEmpty()) return {number};
  if (std::isinf(error)) return {Reals(), true};
  return {{number.low - error, number.high + error, number.may_be_nan}, true};
}

}  // namespace

const FreedomRecord freedom_initial_accumulator = {
    .name = "initial_accumulator",
    .meaning = "the sum of a dot, convolution or scatter may start from the number that is added to it",
    .permits = &LawfulArithmetic::sums_into_addend,
    .noise = "started sums",
    .widening = {.before_rounding = Started,
                 .keeps_normal = StartsFromZero,
                 .may_open = MayStart,
                 .count = BoundStarts,
                 .carry = CarrySizes,
                 .takes_several_instructions = true},
};

}  // namespace assay
