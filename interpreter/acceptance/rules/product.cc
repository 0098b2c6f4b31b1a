// product: a fold by multiplication, within the bound of a product in any order
// (docs/bounds.md#the-bound-of-a-product).
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "interpreter/acceptance/rule.h"
#include "interpreter/acceptance/sets/widen.h"
#include "interpreter/numerics/round.h"
#include "interpreter/types/float_format.h"

namespace assay {
namespace {

// The facts about one element: the number of factors, and the largest and least product of some of them.
struct ProductFactors {
  double count = 0;
  double largest = 0, least = 0;
};

double AtLeastOne(double x) { return std::isfinite(x) ? std::max(std::fabs(x), 1.0) : 1; }
double AtMostOne(double x) { return std::isfinite(x) && x != 0 ? std::min(std::fabs(x), 1.0) : 1; }
// The logarithm of a factor that counts factors. It is small enough that products of very many factors stay finite, and
// a power of two.
constexpr double kLogOfUnit = 0x1p-24;
double Unit(double) { return std::exp2(kLogOfUnit); }

// True if products of some of the factors may overflow or underflow, in one order and not in another.
bool MayLeaveTheNormalNumbers(double largest, double least, PrimitiveType type) {
  return 2 * largest >= LargestFinite(type) || least < 2 * LeastNormal(type);
}

class ProductRule : public AcceptanceRule {
 public:
  explicit ProductRule(const JudgedInstruction& judged)
      : judged_(judged), exact_(judged.instruction, judged.operands) {}

  ElementVerdict Judge(const Literal& want, const Literal& got, const Place& place) override {
    if (!IsInexactType(want.element_type())) return {Verdict::kFail, "integer products are exact"};
    if (IsComplexType(want.element_type())) return {Verdict::kWeak, "complex products have no derived bound"};
    const std::optional<ProductFactors> factors = FactorsAt(place);
    if (!factors) return {Verdict::kWeak, "the bound of the product could not be computed"};
    const RealElement a = ComponentAt(want, place.offset), b = ComponentAt(got, place.offset);
    if (MayLeaveTheNormalNumbers(factors->largest, factors->least, a.type)) {
      return {Verdict::kSpecGap, "products of some of the factors may overflow or underflow"};
    }
    const double exact = ValueOf(want, place), value = RealValue(b);
    const std::string_view one = std::isfinite(value) ? ReasonOfOneValue(*factors, a.type, exact) : kSpecialFactors;
    if (!one.empty()) return {Verdict::kFail, one, INFINITY};
    const double gamma = Gamma(*factors, a.type);
    if (std::isinf(gamma)) return {Verdict::kWeak, "rounding errors may be all of the product"};
    const double share = std::fabs(value - exact) / (gamma * std::fabs(exact));
    if (share > 1) return {Verdict::kFail, "outside the bound of a product in any order", share};
    return {Verdict::kLegal, "reassociation", share};
  }

  std::vector<std::string> Explain(const Literal& want, const Place& place) override {
    if (!IsFloatingPointType(want.element_type())) return {"product: no bound is derived for this type"};
    const std::optional<ProductFactors> factors = FactorsAt(place);
    if (!factors) return {"product: the instruction could not be evaluated on bounds: other values are WEAK"};
    const PrimitiveType type = want.element_type();
    std::vector<std::string> steps = {
        fmt::format("product: n = {:g} factors; products of some of them lie between {:.9g} and {:.9g}", factors->count,
                    factors->least, factors->largest)};
    if (MayLeaveTheNormalNumbers(factors->largest, factors->least, type)) {
      steps.push_back("which are not all normal numbers: other values are SPEC-GAP");
      return steps;
    }
    const double gamma = Gamma(*factors, type), value = ValueOf(want, place);
    if (const std::string_view one = ReasonOfOneValue(*factors, type, value); !one.empty()) {
      steps.push_back(fmt::format("{}: only {:.17g} is accepted", one, value));
      return steps;
    }
    steps.push_back(fmt::format("allowance = k u / (1 - k u) of the product = {:.9g}, k = n + 1", gamma));
    steps.push_back(fmt::format("accepted: {:.17g} to {:.17g}", value * (1 - gamma), value * (1 + gamma)));
    return steps;
  }

  Reals Widen(const Reals& exact, const Literal& want, const Place& place, int) override {
    if (!IsInexactType(want.element_type())) return exact;
    const std::optional<ProductFactors> factors = FactorsAt(place);
    const PrimitiveType type = ComponentAt(want, 0).type;
    if (IsComplexType(want.element_type()) || !factors ||
        MayLeaveTheNormalNumbers(factors->largest, factors->least, type))
      return {};
    const bool is_point = exact.low == exact.high;
    if (exact.IsEmpty() || (is_point && !ReasonOfOneValue(*factors, type, exact.low).empty())) return exact;
    const double gamma = Gamma(*factors, type), reach = std::max(std::fabs(exact.low), std::fabs(exact.high));
    return {exact.low - gamma * reach, exact.high + gamma * reach, exact.may_be_nan};
  }

 private:
  static constexpr std::string_view kSpecialFactors = "zeros, infinities and NaNs among the factors leave one value";

  // Returns the reason why one value is right; empty if there may be others.
  static std::string_view ReasonOfOneValue(const ProductFactors& factors, PrimitiveType type, double exact) {
    if (!std::isfinite(exact) || exact == 0) return kSpecialFactors;
    return IsOneMultiplication(factors, type) ? "two factors have one product, rounded once" : "";
  }

  std::optional<ProductFactors> FactorsAt(const Place& place) {
    if (!is_evaluated_) {
      is_evaluated_ = true;
      counts_ = EvaluateInF64(judged_.instruction, judged_.operands, Unit);
      largest_ = EvaluateInF64(judged_.instruction, judged_.operands, AtLeastOne);
      least_ = EvaluateInF64(judged_.instruction, judged_.operands, AtMostOne);
    }
    if (!counts_ || !largest_ || !least_) return std::nullopt;
    const auto at = [&](const Literal& result) { return place.LeafOf(result).values<double>()[place.offset]; };
    return ProductFactors{std::round(std::log2(at(*counts_)) / kLogOfUnit), at(*largest_), at(*least_)};
  }

  double ValueOf(const Literal& want, const Place& place) {
    const double rounded = RealValue(ComponentAt(want, place.offset));
    return exact_.At(place.tuple_index, want, place.offset).value_or(rounded);
  }

  // True for one exact multiplication. A wider accumulator holds the product exactly, except that of 8-bit formats in
  // bf16 if their precision is too large.
  static bool IsOneMultiplication(const ProductFactors& factors, PrimitiveType type) {
    const FloatFormat& format = FloatFormatOf(type);
    const bool is_held = format.bits() >= 16 || 2 * format.precision() <= FloatFormatOf(BF16).precision();
    return is_held && factors.count <= 2;
  }

  // Returns k u / (1 - k u). n factors take n - 1 roundings, the wanted value in f64 as many, and its storing one more.
  static double Gamma(const ProductFactors& factors, PrimitiveType type) {
    const double roundings = type == F64 ? 2 * factors.count : factors.count + 1;
    const double ku = roundings * UnitRoundoff(type);
    return ku < 0.5 ? ku / (1 - ku) : INFINITY;
  }

  const JudgedInstruction& judged_;
  ExactResult exact_;
  bool is_evaluated_ = false;
  std::optional<Literal> counts_, largest_, least_;
};

// A product that may overflow or underflow in another order becomes a NaN, of which samples say nothing.
void DisturbProduct(const JudgedInstruction& judged, Disturbance& disturbance, Literal& result) {
  disturbance.Add(result, Disturbance::kUlpsOfNorm);
  if (!result.shape().IsArray() || !IsFloatingPointType(result.element_type())) return;
  const PrimitiveType type = result.element_type();
  const auto largest = EvaluateInF64(judged.instruction, judged.operands, AtLeastOne);
  const auto least = EvaluateInF64(judged.instruction, judged.operands, AtMostOne);
  if (!largest || !least) return;
  std::vector<double> numbers(result.element_count());
  LoadReals(type, result.data(), numbers.data(), std::ssize(numbers));
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    if (!MayLeaveTheNormalNumbers(largest->values<double>()[i], least->values<double>()[i], type)) continue;
    if (FloatFormatOf(type).nan == NanEncoding::kNone) return disturbance.SeeChoice();
    numbers[i] = NAN;
  }
  StoreReals(type, numbers.data(), result.mutable_data(), std::ssize(numbers));
}

}  // namespace

const Rule rule_product = {
    .name = "product",
    .takes_an_order = true,
    .make = MakeJudge<ProductRule>,
    .disturb = DisturbProduct,
    .noise = "order of factors",
};

}  // namespace assay
