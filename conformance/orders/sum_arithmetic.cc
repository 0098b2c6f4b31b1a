#include "conformance/orders/sum_arithmetic.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "interpreter/numerics/exact_sum.h"
#include "interpreter/numerics/round.h"
#include "interpreter/types/split_mix.h"

namespace assay {
namespace {

// Returns the format of a partial sum: the range of f64, so that only precision is lost.
FloatFormat FormatOfPrecision(int precision) {
  FloatFormat format = FloatFormatOf(PrimitiveType::F64);
  format.mantissa_bits = precision - 1;
  format.type = PrimitiveType::BF16;  // the functions of f64 and f32 do not read the other fields
  return format;
}

double RoundedTo(const FloatFormat& format, double number) { return ToDouble(format, RoundDouble(format, number)); }

double RoundedSum(const ExactSum& sum, const PartialSum& kind) {
  const FloatFormat format = FormatOfPrecision(kind.precision);
  const double nearest = ToDouble(format, sum.RoundTo(format));
  if (kind.rounding == SumRounding::kNearest || nearest == 0) return nearest;
  ExactSum rest = sum;
  rest.Add(-nearest);
  const double excess = ToDouble(format, rest.RoundTo(format));
  const bool is_away = excess != 0 && std::signbit(excess) != std::signbit(nearest);
  if (!is_away) return nearest;
  // The neighbor toward zero, whose distance is halved below a power of two.
  const double inside = nearest - std::ldexp(nearest, -kind.precision - 1);
  const double step = std::ldexp(1, std::ilogb(inside) - kind.precision + 1);
  return nearest - std::copysign(step, nearest);
}

// Cuts off what alignment to the largest addend loses.
void Align(int aligned_bits, std::vector<double>& addends) {
  double largest = 0;
  for (const double addend : addends) largest = std::max(largest, std::abs(addend));
  if (aligned_bits == 0 || largest == 0) return;
  const double place = std::ldexp(1, std::ilogb(largest) - aligned_bits);
  for (double& addend : addends) addend = std::trunc(addend / place) * place;
}

// Measures the sums of a tree one by one.
class ArithmeticMeter {
 public:
  ArithmeticMeter(SumProbe& probe, const SummationTree& tree)
      : probe_(probe), tree_(tree), first_(tree.FirstTerms()), parents_(first_.size(), -1) {
    for (int node = tree.terms; node <= tree.root(); ++node) {
      for (const int added : tree.Added(node)) parents_[static_cast<std::size_t>(added)] = node;
    }
  }

  Result<SumArithmetic> Measure() {
    SumArithmetic found;
    found.is_fused.assign(static_cast<std::size_t>(tree_.terms), false);
    ASSAY_TRY(found.operand_precision, OperandPrecision());
    PartialSum widest = {0, SumRounding::kNearest};
    for (int node = tree_.terms; node < tree_.root(); ++node) {
      ASSAY_TRY(const PartialSum kind, KindOf(node));
      if (kind.precision > widest.precision) widest = kind;
      found.sums.push_back(kind);
    }
    if (widest.precision == 0) widest.precision = probe_.result_format().precision();
    if (!tree_.sums.empty()) {
      ASSAY_TRY(widest.aligned_bits, AlignedBits(tree_.root()));
      found.sums.push_back(widest);
    }
    ASSAY_CHECK_OK(FindFused(widest.precision, found));
    return found;
  }

 private:
  int FirstOf(int node) const { return first_[static_cast<std::size_t>(node)]; }
  int ParentOf(int node) const { return parents_[static_cast<std::size_t>(node)]; }
  // A large power of two in types whose range is small, else 1.
  double Large() const {
    const FloatFormat& format = probe_.term_format();
    return format.exponent_bits < 8 ? std::ldexp(1, format.bias - 1) : 1;
  }
  // The number of smaller powers of two.
  int Smaller() const {
    const FloatFormat& format = probe_.term_format();
    return std::ilogb(Large()) - format.min_exponent() + format.mantissa_bits;
  }

  // A term of the sum that is not below `node`, which is one of the nodes that the sum adds.
  int FirstOutside(int sum, int node) const {
    for (const int added : tree_.Added(sum)) {
      if (added != node) return FirstOf(added);
    }
    std::abort();
  }

  // Returns the result for two or three terms that are not zero.
  struct Term {
    int number;
    double value;
  };
  Result<double> RunTerms(std::initializer_list<Term> some, double factor = 1) {
    std::vector<double> terms(static_cast<std::size_t>(tree_.terms));
    for (const Term& term : some) terms[static_cast<std::size_t>(term.number)] = term.value;
    return probe_.Run(terms, factor);
  }

  // Returns the largest k of [0, most] for which `keeps` is true, which it is for all smaller ones.
  template <class Keeps>
  Result<int> Largest(int most, const Keeps& keeps) {
    int least = 0;
    while (least < most) {
      const int middle = (least + most + 1) / 2;
      ASSAY_TRY(const bool is_kept, keeps(middle));
      if (is_kept) least = middle;
      if (!is_kept) most = middle - 1;
    }
    return least;
  }

  Result<int> OperandPrecision() {
    const int most = std::min(probe_.term_format().precision(), probe_.result_format().precision()) - 1;
    ASSAY_TRY(const int kept, Largest(most, [&](int k) -> Result<bool> {
                const double term = 1 + std::ldexp(1, -k);
                ASSAY_TRY(const double sum, RunTerms({{0, term}}));
                return sum == term;
              }));
    return kept + 1;
  }

  // Adds a large and a small number in the sum, and subtracts the large one in the next sum.
  Result<PartialSum> KindOf(int node) {
    const int a = FirstOf(tree_.Added(node)[0]), b = FirstOf(tree_.Added(node)[1]);
    const int outside = FirstOutside(ParentOf(node), node);
    const double large = Large();
    const auto kept = [&](double small) { return RunTerms({{a, large}, {b, small}, {outside, -large}}); };
    ASSAY_TRY(const int bits, Largest(std::min(52, Smaller()), [&](int k) -> Result<bool> {
                const double small = std::ldexp(large, -k);
                ASSAY_TRY(const double sum, kept(small));
                return sum == small;
              }));
    PartialSum kind = {bits + 1, SumRounding::kNearest};
    ASSAY_TRY(kind.aligned_bits, AlignedBits(node));
    // Three quarters of the last place are rounded up to nearest.
    const double last = std::ldexp(large, -bits);
    if (bits + 2 > Smaller()) return kind;
    ASSAY_TRY(const double rounded, kept(0.75 * last));
    if (rounded == 0) kind.rounding = SumRounding::kTowardZero;
    return kind;
  }

  // Adds a large number, its negative and a small number at once.
  Result<int> AlignedBits(int node) {
    const std::vector<int>& added = tree_.Added(node);
    if (added.size() < 3) return 0;
    const int a = FirstOf(added[0]), b = FirstOf(added[1]), c = FirstOf(added[2]);
    return Largest(std::min(60, Smaller()), [&](int k) -> Result<bool> {
      const double small = std::ldexp(Large(), -k);
      ASSAY_TRY(const double sum, RunTerms({{a, Large()}, {b, -Large()}, {c, small}}));
      return sum == small;
    });
  }

  // x * x has twice the bits of x = 1 + 2^-h, of which an accumulator loses the last one. So x * x - x * x is not zero
  // if exactly one of the products is rounded.
  Status FindFused(int precision, SumArithmetic& found) {
    const int h = (precision + 1) / 2;
    found.fusion_is_visible = probe_.has_factor() && tree_.terms > 1 && h < found.operand_precision;
    if (!found.fusion_is_visible) return {};
    const double x = 1 + std::ldexp(1, -h);
    for (int term = 0; term < tree_.terms; ++term) {
      const int parent = ParentOf(term);
      for (const int other : tree_.Added(parent)) {
        if (other == term) continue;
        ASSAY_TRY(const double rest, RunTerms({{term, x}, {FirstOf(other), -x}}, x));
        found.is_fused[static_cast<std::size_t>(term)] = tree_.IsTerm(other) ? rest > 0 : rest != 0;
        break;
      }
    }
    return {};
  }

  SumProbe& probe_;
  const SummationTree& tree_;
  const std::vector<int> first_;
  std::vector<int> parents_;
};

}  // namespace

double SumArithmetic::Evaluate(const SummationTree& tree, const std::vector<double>& terms, double factor,
                               const FloatFormat& result) const {
  const FloatFormat operand = FormatOfPrecision(operand_precision);
  const double used_factor = RoundedTo(operand, factor);
  std::vector<double> values;
  for (const double term : terms) values.push_back(RoundedTo(operand, term));
  // Returns the addend of a node, whose exact value is the sum of both: a product may need twice the bits.
  const auto addend_of = [&](int node, const PartialSum& kind) -> std::pair<double, double> {
    const double value = values[static_cast<std::size_t>(node)];
    if (!tree.IsTerm(node)) return {value, 0};
    const double product = value * used_factor;
    if (is_fused[static_cast<std::size_t>(node)]) return {product, std::fma(value, used_factor, -product)};
    ExactSum exact;
    exact.AddProduct(value, used_factor);
    return {RoundedSum(exact, kind), 0};
  };
  for (std::size_t i = 0; i < tree.sums.size(); ++i) {
    ExactSum sum;
    std::vector<double> addends;
    for (const int node : tree.sums[i]) {
      const auto [high, low] = addend_of(node, sums[i]);
      addends.push_back(high);
      sum.Add(low);
    }
    Align(sums[i].aligned_bits, addends);
    for (const double addend : addends) sum.Add(addend);
    values.push_back(RoundedSum(sum, sums[i]));
  }
  if (tree.sums.empty()) values[0] *= used_factor;
  return RoundedTo(result, values.back());
}

std::string SumArithmetic::ToString(const FloatFormat& terms) const {
  if (sums.empty()) return "no addition";
  const auto [least, most] = std::ranges::minmax(sums, {}, &PartialSum::precision);
  std::string text = least.precision == most.precision
                         ? fmt::format("accumulators of {} bits", most.precision)
                         : fmt::format("accumulators of {} to {} bits", least.precision, most.precision);
  const auto truncated = std::ranges::count(sums, SumRounding::kTowardZero, &PartialSum::rounding);
  text += truncated == 0 ? ", rounded to nearest" : fmt::format(", {} of {} truncated", truncated, sums.size());
  const int aligned = std::ranges::max(sums, {}, &PartialSum::aligned_bits).aligned_bits;
  if (aligned > 0) text += fmt::format("; sums at once keep {} bits below the largest addend", aligned);
  if (operand_precision < terms.precision()) text += fmt::format("; terms rounded to {} bits", operand_precision);
  const auto fused = std::ranges::count(is_fused, true);
  if (fusion_is_visible) text += fmt::format("; {} of {} products fused into their addition", fused, is_fused.size());
  return text;
}

nlohmann::json SumArithmetic::ToJson() const {
  nlohmann::json precisions = nlohmann::json::array(), truncated = nlohmann::json::array();
  nlohmann::json aligned = nlohmann::json::array();
  for (const PartialSum& sum : sums) {
    precisions.push_back(sum.precision);
    truncated.push_back(sum.rounding == SumRounding::kTowardZero);
    aligned.push_back(sum.aligned_bits);
  }
  nlohmann::json json = {{"operand_precision", operand_precision},
                         {"precisions", precisions},
                         {"truncated", truncated},
                         {"aligned_bits", aligned}};
  if (fusion_is_visible) json["fused"] = is_fused;
  return json;
}

Result<SumArithmetic> MeasureArithmetic(SumProbe& probe, const SummationTree& tree) {
  return ArithmeticMeter(probe, tree).Measure();
}

Result<OrderTrials> TryOrder(SumProbe& probe, const SummationTree& tree, const SumArithmetic& arithmetic,
                             std::int64_t trials, std::uint64_t seed) {
  // A number of either sign, 2^-2 to 2^2 in size, as the type of the terms rounds it.
  const auto draw = [&] {
    const std::uint64_t bits = SplitMix(seed += kSplitMixStep);
    const double size = std::ldexp(1 + static_cast<double>(bits >> 12) * 0x1p-52, static_cast<int>(bits & 3) - 2);
    return RoundedTo(probe.term_format(), (bits & 4) == 0 ? size : -size);
  };
  OrderTrials found;
  for (; found.trials < trials; ++found.trials) {
    std::vector<double> terms;
    for (int i = 0; i < tree.terms; ++i) terms.push_back(draw());
    const double factor = probe.has_factor() ? draw() : 1;
    ASSAY_TRY(const double got, probe.Run(terms, factor));
    const double want = arithmetic.Evaluate(tree, terms, factor, probe.result_format());
    if (got == want) ++found.equal;
  }
  return found;
}

}  // namespace assay
