#include "interpreter/acceptance/statistics/sums/sum_samples.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <span>

#include "interpreter/acceptance/elements.h"
#include "interpreter/acceptance/ops/op_acceptance.h"
#include "interpreter/acceptance/sets/reals.h"
#include "interpreter/acceptance/statistics/rounding_errors.h"
#include "interpreter/acceptance/statistics/sums/lawful_samples.h"
#include "interpreter/numerics/round.h"
#include "interpreter/types/float_format.h"
#include "interpreter/types/parallel.h"
#include "interpreter/types/split_mix.h"

namespace assay {
namespace {

// The number of additions that one result may cost. If all elements would take more, only some are sampled.
constexpr std::int64_t kMostSampledAdditions = std::int64_t{1} << 28;
constexpr std::int64_t kMostSampledElements = 4096;
// The error of at least this many additions is nearly normal. The bound of fewer additions is not vacuous.
constexpr std::int64_t kManyTerms = 64;
// The number of terms of a sum that is sampled alone.
constexpr std::int64_t kMostTermsOfOneSum = std::int64_t{1} << 21;
// The number of additions of one control.
constexpr std::int64_t kMostControlAdditions = std::int64_t{1} << 23;

bool IsBelowBound(const Literal& operand) { return operand.has_dynamic_sizes(); }

// Returns a function of an offset: the number there, or 1 for Term::kNone.
auto NumberIn(const Literal& array) {
  return [&array](std::int64_t at) { return at == Term::kNone ? 1 : RealValue(ComponentAt(array, at)); };
}

auto NumberIn(std::span<const double> numbers) {
  return [numbers](std::int64_t at) { return at == Term::kNone ? 1 : numbers[at]; };
}

// Returns the place of the element at a row-major offset if the first dimension is the innermost one.
std::int64_t ColumnMajorPlace(std::span<const std::int64_t> sizes, std::int64_t offset) {
  if (offset == Term::kNone) return Term::kNone;
  std::int64_t place = 0, stride = std::accumulate(sizes.begin(), sizes.end(), std::int64_t{1}, std::multiplies<>());
  for (auto size = sizes.rbegin(); size != sizes.rend(); ++size) {
    stride /= *size;
    place += offset % *size * stride;
    offset /= *size;
  }
  return place;
}

// Reads the terms of sums for an algorithm that visits them in a sequence, one sum after the other. `shape`: that of
// the operand `lhs`. The arguments must outlive this object.
template <class NumberAt>
class FactorReader {
 public:
  FactorReader(const SumTerms& sums, const NumberAt& lhs, const NumberAt& rhs, const Shape& shape,
               SumOrder::Sequence sequence)
      : sums_(sums),
        lhs_(lhs),
        rhs_(rhs),
        sizes_(shape.dimensions()),
        has_places_(sequence == SumOrder::Sequence::kColumnMajor) {}

  // Returns the terms of the sum at an offset. The memory is that of the last sum's terms.
  std::vector<Factors>& At(std::int64_t offset) {
    sums_.At(offset, terms_);
    factors_.resize(terms_.size());
    std::size_t count = 0;
    for (const Term& term : terms_) {
      const Factors product = {lhs_(term.lhs), rhs_(term.rhs), has_places_ ? ColumnMajorPlace(sizes_, term.lhs) : 0};
      factors_[count] = product;
      // An initial value is in front of the elements and must not shift their positions. Zeros among them keep theirs:
      // lanes and blocks go by position.
      count += term.lhs != Term::kNone || product.b != 0 ? 1 : 0;
    }
    factors_.resize(count);
    return factors_;
  }

 private:
  const SumTerms& sums_;
  const NumberAt &lhs_, &rhs_;
  const std::span<const std::int64_t> sizes_;
  const bool has_places_;
  std::vector<Term> terms_;
  std::vector<Factors> factors_;
};

// Returns the number below which numbers of a type may be flushed.
double LeastUnflushed(PrimitiveType type) {
  return IsFloatingPointType(type) && MayBeFlushed(type) ? LeastNormal(type) : 0;
}

const Literal& LeafOf(const Literal& result, std::size_t leaf) {
  return result.shape().IsTuple() ? result.elements()[leaf] : result;
}

// The samples of some sums of a leaf; of all if they are few.
class SampledSums {
 public:
  SampledSums(const NarrowSums& sums, const Literal& want) : SampledSums(sums, want, SomePlaces(sums)) {}
  SampledSums(const NarrowSums& sums, const Literal& want, std::vector<std::int64_t> places)
      : places_(std::move(places)), samples_(sums.type(), {}) {
    reach_.assign(places_.size(), 0);
    lost_.assign(places_.size(), 0);
    samples_ = LawfulSamples(sums.type(), ValuesOf(want));
    Sample(sums);
    samples_.MayLose(std::move(lost_));
  }

  std::vector<double> ValuesOf(const Literal& leaf) const {
    std::vector<double> values;
    for (const std::int64_t place : places_) values.push_back(RealValue(ComponentAt(leaf, place)));
    return values;
  }

  // Returns the fault of an element that no algorithm comes close to; empty if there is none.
  std::string FaultOfElement(const Literal& got) const {
    const std::vector<double> values = ValuesOf(got);
    for (std::size_t i = 0; i < values.size(); ++i) {
      const Reals hull = samples_.ElementHull(i, reach_[i]);
      if (!std::isfinite(values[i]) || hull.Contains(values[i])) continue;
      return fmt::format(
          "unlike lawful results: element {} of {} is {:.6g}, {} algorithms of summation give [{:.6g}, {:.6g}], "
          "widened "
          "by 6 of their ranges; if their errors are nearly normal, another lawful result is outside with a "
          "probability "
          "below 1.2e-9",
          places_[i], values.size(), values[i], AllSumOrders().size(), hull.low, hull.high);
    }
    return {};
  }

  // Returns the fault of a single sum that is many half-widths of its hull away from it.
  std::string FaultOfDistance(const Literal& got) const {
    const double value = ValuesOf(got)[0], distance = samples_.HalfWidthsOff(0, reach_[0], value);
    if (distance <= LawfulSamples::kMostHalfWidths) return {};
    const Reals hull = samples_.SampledHull(0);
    return fmt::format(
        "far from lawful results: element {} of {} is {:.9g}, {} algorithms of summation give [{:.9g}, {:.9g}]; the "
        "distance is {:.3g} of their half-widths, at most {:g} are expected of another algorithm; independent "
        "roundings "
        "err so much with a probability below 2.5e-14",
        places_[0], got.element_count(), value, AllSumOrders().size(), hull.low, hull.high, distance,
        LawfulSamples::kMostHalfWidths);
  }

  // True if each element is exact or is the result of an algorithm.
  bool Explains(const Literal& got) const {
    if (places_.size() != static_cast<std::size_t>(got.element_count())) return false;
    const std::vector<double> values = ValuesOf(got);
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (!samples_.HasValue(i, values[i])) return false;
    }
    return true;
  }

  std::string FaultOfArray(const Literal& got) const {
    return samples_.Fault(ValuesOf(got), LawfulSamples::Errors::kIndependent);
  }

 private:
  static std::vector<std::int64_t> SomePlaces(const NarrowSums& sums) {
    const auto orders = static_cast<std::int64_t>(AllSumOrders().size());
    const std::int64_t most = kMostSampledAdditions / (orders * std::max<std::int64_t>(sums.term_count(), 1));
    const std::int64_t count = std::min({sums.size(), kMostSampledElements, std::max<std::int64_t>(most, 1)});
    std::vector<std::int64_t> places;
    for (std::int64_t i = 0; i < count; ++i) places.push_back(i * sums.size() / count);
    return places;
  }

  void Sample(const NarrowSums& sums) {
    const std::size_t orders = AllSumOrders().size();
    std::vector<std::vector<double>> samples(orders, std::vector<double>(places_.size()));
    ParallelFor(static_cast<std::int64_t>(places_.size()), 1, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t i = begin; i < end; ++i) {
        const std::vector<Factors> terms = sums.TermsAt(places_[i]);
        lost_[i] = sums.LostByFlushing(terms);
        for (std::size_t order = 0; order < orders; ++order) {
          const OrderedSum sum = sums.Add(terms, order, SplitMix(i * orders + order));
          samples[order][i] = sum.sum;
          reach_[i] = std::max(reach_[i], sum.reach);
        }
      }
    });
    for (std::size_t order = 0; order < orders; ++order) {
      samples_.Add(std::move(samples[order]), AllSumOrders()[order].IsSequential());
    }
  }

  std::vector<std::int64_t> places_;
  std::vector<double> reach_, lost_;
  LawfulSamples samples_;
};

// True if sums share errors, because the fold reads a number more than once.
bool ShareTerms(const JudgedInstruction& judged, const NarrowSums& sums) {
  const bool is_fold = AcceptanceOf(judged.instruction).rule == Acceptance::kCalled;
  const double terms = static_cast<double>(sums.term_count() - 1) * static_cast<double>(sums.size());
  return is_fold && terms > NumbersOf(judged.operands);
}

}  // namespace

bool MayBeNarrow(const JudgedInstruction& judged, PrimitiveType type) {
  return IsFloatingPointType(type) && BitWidth(type) <= 16 && judged.arithmetic.keeps_narrow_sums;
}

PrimitiveType WideAccumulator(PrimitiveType type) {
  if (BitWidth(type) > 16) return type;
  if (BitWidth(type) == 16) return F32;
  return LargestFinite(type) <= LargestFinite(F16) && SmallestSubnormal(type) >= SmallestSubnormal(F16) ? F16 : F32;
}

NarrowSums::NarrowSums(SumTerms terms, const Shape& shape, const JudgedInstruction& judged)
    : terms_(std::move(terms)),
      shape_(shape),
      type_(shape.element_type()),
      accumulator_(type_),
      size_(ShapeUtil::ElementsIn(shape)),
      term_count_(terms_.LargestCount()),
      may_flush_(judged.arithmetic.flushes_subnormals && MayBeFlushed(type_)),
      lhs_(judged.operands[terms_.lhs_operand()]),
      rhs_(judged.operands[terms_.rhs_operand()]),
      least_(LeastNormal(type_)),
      least_lhs_(LeastUnflushed(lhs_.element_type())),
      least_rhs_(LeastUnflushed(rhs_.element_type())) {}

std::optional<NarrowSums> NarrowSums::Of(const JudgedInstruction& judged, std::size_t leaf) {
  return OfTypes(judged, leaf, MayBeNarrow);
}

std::optional<NarrowSums> NarrowSums::OfOwnType(const JudgedInstruction& judged, std::size_t leaf) {
  return OfTypes(judged, leaf, [](const JudgedInstruction&, PrimitiveType type) {
    return IsFloatingPointType(type) && WideAccumulator(type) == type;
  });
}

std::optional<NarrowSums> NarrowSums::OfWideAccumulator(const JudgedInstruction& judged, std::size_t leaf) {
  std::optional<NarrowSums> sums =
      OfTypes(judged, leaf, [](const JudgedInstruction&, PrimitiveType type) { return IsFloatingPointType(type); });
  if (sums) sums->accumulator_ = WideAccumulator(sums->type_);
  return sums;
}

std::optional<NarrowSums> NarrowSums::OfTypes(const JudgedInstruction& judged, std::size_t leaf, TypeTest is_judged) {
  // The results of several devices are a tuple, whatever the instruction's shape is.
  if (judged.rule.acceptance != Acceptance::kSum || judged.instruction.op->evaluation.depends_on_device) return {};
  const Shape& shape = judged.instruction.shape;
  const Shape& array = shape.IsTuple() ? shape.tuple_shapes()[leaf] : shape;
  if (!array.IsArray() || !is_judged(judged, array.element_type())) return std::nullopt;
  if (std::ranges::any_of(judged.operands, IsBelowBound)) return std::nullopt;
  std::optional<SumTerms> terms = SumTerms::Of(judged.instruction, judged.operands, leaf);
  if (!terms) return std::nullopt;
  return NarrowSums(*std::move(terms), array, judged);
}

std::vector<Factors> NarrowSums::TermsAt(std::int64_t offset) const {
  const auto lhs = NumberIn(lhs_), rhs = NumberIn(rhs_);
  return std::move(FactorReader(terms_, lhs, rhs, lhs_.shape(), SumOrder::Sequence::kColumnMajor).At(offset));
}

bool NarrowSums::MayVanish(const Factors& term) const {
  if (!may_flush_) return false;
  return std::fabs(term.a) < least_lhs_ || std::fabs(term.b) < least_rhs_ || std::fabs(term.a * term.b) <= least_;
}

double NarrowSums::LostByFlushing(std::span<const Factors> terms) const {
  if (!may_flush_) return 0;
  double lost = 0, sum = 0, magnitude = 0, count = 0;
  for (const Factors& term : terms) {
    const double product = term.a * term.b;
    if (product == 0) continue;
    ++count;
    if (MayVanish(term)) lost += std::fabs(product);
    sum += product;
    magnitude += std::fabs(product);
  }
  // Partial sums of normal terms of one sign are normal.
  const bool may_cancel = std::fabs(sum) < magnitude;
  return lost > 0 || may_cancel ? lost + count * least_ : 0;
}

OrderedSum NarrowSums::Add(std::span<const Factors> terms, std::size_t order, std::uint64_t seed) const {
  return AddInOrder(terms, AllSumOrders()[order], accumulator_, /*is_fused=*/order % 2 != 0, seed);
}

Literal NarrowSums::AddAll(std::size_t order, std::uint64_t seed, bool flushes) const {
  std::vector<double> sums(size_);
  const Literal lhs = NumbersOf(lhs_), rhs = NumbersOf(rhs_);
  const auto lhs_at = NumberIn(lhs.values<double>()), rhs_at = NumberIn(rhs.values<double>());
  const SumOrder::Sequence sequence = AllSumOrders()[order].sequence;
  ParallelFor(size_, 1, [&](std::int64_t begin, std::int64_t end) {
    FactorReader reader(terms_, lhs_at, rhs_at, lhs_.shape(), sequence);
    for (std::int64_t i = begin; i < end; ++i) {
      std::vector<Factors>& terms = reader.At(i);
      if (flushes) std::erase_if(terms, [this](const Factors& term) { return MayVanish(term); });
      sums[i] = Add(terms, order, SplitMix(seed + i * kSplitMixStep)).sum;
    }
  });
  Literal result(shape_);
  StoreReals(type_, sums.data(), result.mutable_data(), size_);
  return result;
}

namespace {

// Returns the finding for one leaf; nullopt if it is not sampled.
std::optional<SumFinding> JudgeLeaf(const JudgedInstruction& judged, const NarrowSums& sums, const Literal& want,
                                    const Literal& got) {
  const bool has_many_terms = sums.term_count() >= kManyTerms;
  const bool is_array = sums.size() >= static_cast<std::int64_t>(LawfulSamples::kLeastElements) &&
                        !ShareTerms(judged, sums) && LookUnrelated(judged.operands);
  if (sums.size() == 0 || (!has_many_terms && !is_array)) return std::nullopt;
  const SampledSums sampled(sums, want);
  SumFinding finding = {.fault = is_array ? sampled.FaultOfArray(got) : "", .is_explained = sampled.Explains(got)};
  if (has_many_terms && finding.fault.empty()) finding.fault = sampled.FaultOfElement(got);
  return finding;
}

}  // namespace

SumFinding JudgeNarrowSums(const JudgedInstruction& judged, const Literal& want, const Literal& got) {
  SumFinding all = {.fault = "", .is_explained = true};
  const std::size_t leaves = want.shape().IsTuple() ? want.elements().size() : 1;
  for (std::size_t leaf = 0; leaf < leaves && all.fault.empty(); ++leaf) {
    const std::optional<NarrowSums> sums = NarrowSums::Of(judged, leaf);
    const auto finding = sums ? JudgeLeaf(judged, *sums, LeafOf(want, leaf), LeafOf(got, leaf)) : std::nullopt;
    all.is_explained &= finding && finding->is_explained;
    if (finding) all.fault = finding->fault;
  }
  return all;
}

std::string FaultOfSum(const JudgedInstruction& judged, const Place& place, const Literal& want, const Literal& got) {
  const std::optional<NarrowSums> sums =
      NarrowSums::OfOwnType(judged, place.tuple_index.empty() ? 0 : static_cast<std::size_t>(place.tuple_index.back()));
  if (!sums || sums->term_count() < kManyTerms || sums->term_count() > kMostTermsOfOneSum) return {};
  return SampledSums(*sums, place.LeafOf(want), {place.offset}).FaultOfDistance(place.LeafOf(got));
}

namespace {

// Adds the terms of each sum in one order. Leaves NaN in place of the sums for which there are too many additions.
Literal ControlLeaf(const SumTerms& terms, const JudgedInstruction& judged, const Literal& want,
                    const SumOrder& order) {
  const Literal &lhs = judged.operands[terms.lhs_operand()], &rhs = judged.operands[terms.rhs_operand()];
  const auto lhs_at = NumberIn(lhs), rhs_at = NumberIn(rhs);
  const PrimitiveType type = want.element_type();
  const std::int64_t size = want.element_count();
  const std::int64_t most = kMostControlAdditions / std::max<std::int64_t>(terms.LargestCount(), 1);
  const std::int64_t step = std::max<std::int64_t>(size / std::max<std::int64_t>(most, 1), 1) | 1;
  std::vector<double> sums(size, NAN);
  ParallelFor(size, step, [&](std::int64_t begin, std::int64_t end) {
    FactorReader reader(terms, lhs_at, rhs_at, lhs.shape(), order.sequence);
    for (std::int64_t i = begin; i < end; ++i) {
      if (i % step != 0) continue;
      sums[i] = AddInOrder(reader.At(i), order, WideAccumulator(type), /*is_fused=*/true, 0).sum;
    }
  });
  Literal result(want.shape());
  StoreReals(type, sums.data(), result.mutable_data(), size);
  return result;
}

}  // namespace

std::vector<Literal> ControlSums(const JudgedInstruction& judged, const Literal& want,
                                 std::span<const SumOrder> orders) {
  if (judged.instruction.op->evaluation.depends_on_device || std::ranges::any_of(judged.operands, IsBelowBound))
    return {};
  std::vector<Literal> controls;
  for (const SumOrder& order : orders) {
    Literal& control = controls.emplace_back(want);
    const std::size_t leaves = want.shape().IsTuple() ? want.elements().size() : 1;
    for (std::size_t leaf = 0; leaf < leaves; ++leaf) {
      const std::optional<SumTerms> terms = SumTerms::Of(judged.instruction, judged.operands, leaf);
      if (!terms || !IsFloatingPointType(LeafOf(want, leaf).element_type())) return {};
      Literal sums = ControlLeaf(*terms, judged, LeafOf(want, leaf), order);
      (want.shape().IsTuple() ? control.mutable_elements()[leaf] : control) = std::move(sums);
    }
  }
  return controls;
}

}  // namespace assay
