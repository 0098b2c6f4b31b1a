#include "interpreter/acceptance/statistics/sums/promised_order.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

#include "interpreter/acceptance/elements.h"
#include "interpreter/acceptance/sets/reals.h"
#include "interpreter/numerics/exact_sum.h"
#include "interpreter/numerics/round.h"
#include "interpreter/types/float_format.h"

namespace assay {
namespace {

using Level = Profile::Promise::Level;

// Returns the levels with all counts; nullopt if they do not visit each of the terms once. Sorted by distance, each
// level begins where the ones before it end.
std::optional<std::vector<Level>> LevelsOf(const Profile::Promise& promise, std::int64_t terms) {
  std::vector<Level> levels = promise.levels;
  std::int64_t known = 1;
  for (const Level& level : levels) known *= std::clamp<std::int64_t>(level.count, 1, terms / known + 1);
  for (Level& level : levels) {
    if (level.count == 0) level.count = terms / known;
  }
  std::vector<Level> sorted = levels;
  std::ranges::sort(sorted, {}, [](const Level& level) { return std::abs(level.distance); });
  std::int64_t reach = 1;
  for (const Level& level : sorted) {
    if (std::abs(level.distance) != reach) return std::nullopt;
    reach *= level.count;
  }
  return reach == terms ? std::optional(levels) : std::nullopt;
}

// Folds terms level by level.
class PromisedFold {
 public:
  PromisedFold(std::span<const Factors> terms, const Profile::Promise& promise, std::vector<Level> levels)
      : terms_(terms), promise_(promise), levels_(std::move(levels)) {}

  double Sum() const { return Part(levels_.size(), 0); }

 private:
  // Returns the sum of a part below a level, whose least term is `first`.
  double Part(std::size_t level, std::int64_t first) const {
    const Level& fold = levels_[level - 1];
    double sum = 0;
    for (std::int64_t i = 0; i < fold.count; ++i) {
      const std::int64_t step = fold.distance > 0 ? i : fold.count - 1 - i;
      const std::int64_t at = first + step * std::abs(fold.distance);
      const Factors term = level == 1 ? terms_[static_cast<std::size_t>(at)] : Factors{Part(level - 1, at)};
      const bool is_rounded = i == 0 || !promise_.is_fused;
      const Factors addend = is_rounded ? Factors{MultiplyAdd(term, 0)} : term;
      sum = i == 0 ? addend.a : MultiplyAdd(addend, sum);
    }
    return sum;
  }

  // Returns the product plus a number, rounded once to the accumulator's type.
  double MultiplyAdd(const Factors& term, double number) const {
    ExactSum exact;
    exact.AddProduct(term.a, term.b);
    exact.Add(number);
    const FloatFormat& format = FloatFormatOf(promise_.accumulator);
    return ToDouble(format, exact.RoundTo(format));
  }

  std::span<const Factors> terms_;
  const Profile::Promise& promise_;
  std::vector<Level> levels_;
};

class PromisedOrderRule : public AcceptanceRule {
 public:
  PromisedOrderRule(const JudgedInstruction& judged, std::unique_ptr<AcceptanceRule> rule)
      : sums_(judged), rule_(std::move(rule)) {}

  ElementVerdict Judge(const Literal& want, const Literal& got, const Place& place) override {
    const std::optional<PromisedSums::Sum> promised = sums_.At(want, place);
    if (!promised) {
      has_others_ = true;
      return rule_->Judge(want, got, place);
    }
    const double value = RealValue(ComponentAt(got, place.offset));
    if (value == promised->value || (std::isnan(value) && std::isnan(promised->value))) {
      return {Verdict::kLegal, "reassociation"};
    }
    return {Verdict::kFail, "not the sum in the order that the profile promises", INFINITY};
  }

  std::vector<std::string> Explain(const Literal& want, const Place& place) override {
    const std::optional<PromisedSums::Sum> promised = sums_.At(want, place);
    if (!promised) return rule_->Explain(want, place);
    return {fmt::format("promised order ({}): {} terms in accumulators of {}{}", promised->promise->source,
                        promised->terms, PrimitiveTypeName(promised->promise->accumulator),
                        promised->promise->is_fused ? ", products fused" : ""),
            fmt::format("accepted: only {:.17g}, and the exact sum rounded once", promised->value)};
  }

  std::optional<double> OnlyOther(const Literal& want, const Place& place) override {
    const std::optional<PromisedSums::Sum> promised = sums_.At(want, place);
    return promised ? std::optional(promised->value) : std::nullopt;
  }
  // Accepts the sums of all orders: the operands may be open.
  Reals Widen(const Reals& exact, const Literal& want, const Place& place, int part) override {
    sums_.Prepare(place);
    return rule_->Widen(exact, want, place, part);
  }
  bool WidensByExactAlone() const override { return rule_->WidensByExactAlone(); }
  bool NeverRounds(const Literal& want, const Place& place) override { return rule_->NeverRounds(want, place); }
  bool RoundsOnce(const Literal& want, const Place& place) override { return rule_->RoundsOnce(want, place); }
  bool AddsOneTermEach() override { return rule_->AddsOneTermEach(); }
  std::shared_ptr<const ProductSizes> Products(const Literal& want) override { return rule_->Products(want); }
  // The errors of a promised order may have a direction.
  void JudgeWhole(const Literal& want, const Literal& got, Judgement& judgement) override {
    if (has_others_) rule_->JudgeWhole(want, got, judgement);
  }

 private:
  PromisedSums sums_;
  const std::unique_ptr<AcceptanceRule> rule_;
  bool has_others_ = false;  // an element was judged without a promise
};

}  // namespace

std::optional<double> AddInPromisedOrder(std::span<const Factors> terms, const Profile::Promise& promise) {
  const std::optional<std::vector<Level>> levels = LevelsOf(promise, std::ssize(terms));
  if (!levels) return std::nullopt;
  return PromisedFold(terms, promise, *levels).Sum();
}

bool PromisedSums::Apply(const JudgedInstruction& judged) {
  // The results of several devices are a tuple, whatever the instruction's shape is.
  const bool is_sum =
      judged.rule.acceptance == Acceptance::kSum && !judged.instruction.op->evaluation.depends_on_device;
  const auto has_run_time_sizes = [](const Literal& operand) { return operand.has_dynamic_sizes(); };
  return judged.profile.HasPromises() && is_sum && std::ranges::none_of(judged.operands, has_run_time_sizes);
}

std::optional<PromisedSums::Sum> PromisedSums::At(const Literal& want, const Place& place) {
  const PrimitiveType type = want.element_type();
  if (!IsFloatingPointType(type)) return std::nullopt;
  const std::optional<std::vector<Factors>> terms = TermsAt(place);
  if (!terms || terms->empty()) return std::nullopt;
  const auto count = std::ssize(*terms);
  const Profile::Promise* const promise = judged_.profile.PromiseOf(judged_.instruction, type, count);
  const std::optional<double> sum = promise ? AddInPromisedOrder(*terms, *promise) : std::nullopt;
  if (!sum) return std::nullopt;
  const double least = judged_.arithmetic.flushes_subnormals ? LeastNormal(promise->accumulator) : 0;
  const auto may_vanish = [=](double number) { return number != 0 && std::fabs(number) < least; };
  const auto is_small = [&](const Factors& term) {
    return may_vanish(term.a) || may_vanish(term.b) || may_vanish(term.a * term.b);
  };
  if (may_vanish(*sum) || std::ranges::any_of(*terms, is_small)) return std::nullopt;
  const FloatFormat& format = FloatFormatOf(type);
  return Sum{ToDouble(format, RoundDouble(format, *sum)), terms->size(), promise};
}

const std::optional<SumTerms>& PromisedSums::Prepare(const Place& place) {
  const std::size_t leaf = place.tuple_index.empty() ? 0 : static_cast<std::size_t>(place.tuple_index.back());
  const auto [sums, is_new] = sums_.try_emplace(leaf);
  if (is_new) sums->second = SumTerms::Of(judged_.instruction, judged_.operands, leaf);
  return sums->second;
}

std::optional<std::vector<Factors>> PromisedSums::TermsAt(const Place& place) {
  const std::optional<SumTerms>& sums = Prepare(place);
  if (!sums) return std::nullopt;
  std::vector<Term> places;
  sums->At(place.offset, places);
  const auto number = [&](std::size_t operand, std::int64_t offset) {
    return offset == Term::kNone ? 1 : RealValue(ComponentAt(judged_.operands[operand], offset));
  };
  std::vector<Factors> terms;
  for (const Term& term : places) {
    const Factors factors = {number(sums->lhs_operand(), term.lhs), number(sums->rhs_operand(), term.rhs)};
    if (!std::isfinite(factors.a) || !std::isfinite(factors.b)) return std::nullopt;
    const bool is_initial = term.lhs == Term::kNone;
    if (is_initial && factors.b != 0) return std::nullopt;
    if (!is_initial) terms.push_back(factors);
  }
  return terms;
}

std::unique_ptr<AcceptanceRule> WithPromisedOrder(const JudgedInstruction& judged,
                                                  std::unique_ptr<AcceptanceRule> rule) {
  if (!PromisedSums::Apply(judged)) return rule;
  return std::make_unique<PromisedOrderRule>(judged, std::move(rule));
}

}  // namespace assay
