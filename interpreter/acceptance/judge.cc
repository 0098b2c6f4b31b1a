#include "interpreter/acceptance/judge.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <optional>

#include "interpreter/acceptance/distribution.h"
#include "interpreter/acceptance/elements.h"
#include "interpreter/acceptance/rules.h"
#include "interpreter/evaluator/evaluator.h"
#include "interpreter/hlo/extract.h"
#include "interpreter/types/index_util.h"

namespace assay {

std::string_view VerdictName(Verdict verdict) {
  switch (verdict) {
    case Verdict::kExact:
      return "EXACT";
    case Verdict::kLegal:
      return "LEGAL";
    case Verdict::kSpecGap:
      return "SPEC-GAP";
    case Verdict::kUnsupported:
      return "UNSUPPORTED";
    case Verdict::kWeak:
      return "WEAK";
    case Verdict::kFail:
      return "FAIL";
    case Verdict::kTimeout:
      return "TIMEOUT";
    case Verdict::kCrash:
      return "CRASH";
  }
  return "";
}

namespace {

// Judges the leaves of one result against one way to derive what is allowed.
class LeafJudge {
 public:
  LeafJudge(const HloInstruction& instruction, std::span<const Literal> operands, const Profile& profile)
      : instruction_(instruction), operands_(operands), profile_(profile), rule_(RuleOf(instruction, profile)) {}

  void Judge(const Literal& want, const Literal& got, std::vector<std::int64_t> tuple_index, Judgement& total) {
    if (want.shape().IsTuple()) {
      for (std::size_t i = 0; i < want.elements().size(); ++i) {
        tuple_index.push_back(static_cast<std::int64_t>(i));
        Judge(want.elements()[i], got.elements()[i], tuple_index, total);
        tuple_index.pop_back();
      }
      return;
    }
    total.elements += want.element_count();
    if (want.BitwiseEqual(got)) return;
    for (std::int64_t i = 0; i < want.element_count(); ++i) {
      if (SameElement(want, got, i)) continue;
      ++total.not_exact;
      Record(want, got, i, tuple_index, JudgeElement(want, got, i, tuple_index), total);
    }
  }

 private:
  static void Record(const Literal& want, const Literal& got, std::int64_t offset,
                     const std::vector<std::int64_t>& tuple_index, const ElementVerdict& verdict, Judgement& total) {
    const double ulps = WorstUlps(want, got, offset);
    const bool worse = verdict.verdict > total.verdict || total.not_exact == 1;
    const bool larger =
        verdict.verdict == total.verdict &&
        (verdict.share > total.worst.share || (verdict.share == total.worst.share && ulps > total.worst.ulps));
    if (!worse && !larger) return;
    total.verdict = std::max(total.verdict, verdict.verdict);
    total.reason = verdict.reason;
    total.worst = {tuple_index, offset,       DescribeElement(got, offset), DescribeElement(want, offset),
                   ulps,        verdict.share};
  }

  ElementVerdict JudgeElement(const Literal& want, const Literal& got, std::int64_t offset,
                              const std::vector<std::int64_t>& tuple_index) {
    if (IsOrderOpen(want, offset, tuple_index)) return {Verdict::kSpecGap, "the order of the updates is open"};
    ElementVerdict direct = JudgeAgainst(want, got, offset, tuple_index);
    if (direct.verdict != Verdict::kFail || !IsReal(want.element_type())) return direct;
    if (const ElementVerdict open = JudgeOpenValues(want, got, offset); open.verdict != Verdict::kFail) return open;
    if (!profile_.Allows(Freedom::kFlush)) return direct;
    // Subnormal results, then subnormal operands, may count as the zero of their sign.
    if (FlushedResultMatches(want, got, offset)) return {Verdict::kLegal, "flush"};
    const Literal* flushed = WantOfFlushedOperands();
    if (flushed == nullptr) return direct;
    for (std::int64_t i : tuple_index) flushed = &flushed->elements()[i];
    if (SameElement(*flushed, got, offset) || FlushedResultMatches(*flushed, got, offset)) {
      return {Verdict::kLegal, "flush"};
    }
    const ElementVerdict after_flush = JudgeAgainst(*flushed, got, offset, tuple_index);
    return after_flush.verdict == Verdict::kFail ? direct : ElementVerdict{Verdict::kLegal, "flush", after_flush.share};
  }

  // Freedoms about single values, whatever the op: the sign of a zero, numbers that are not finite.
  ElementVerdict JudgeOpenValues(const Literal& want, const Literal& got, std::int64_t offset) const {
    const int components = ComponentsOf(want.element_type());
    bool differ_in_sign = profile_.Allows(Freedom::kZeroSign), is_finite = true;
    for (int i = 0; i < components; ++i) {
      const RealElement a = ComponentAt(want, offset * components + i), b = ComponentAt(got, offset * components + i);
      differ_in_sign &= a.bits == b.bits || (IsNan(a) && IsNan(b)) || (IsZero(a) && IsZero(b));
      is_finite &= std::isfinite(RealValue(a));
    }
    if (differ_in_sign) return {Verdict::kLegal, "sign of zero"};
    if (profile_.Allows(Freedom::kNotFinite) && (!is_finite || HasOperandsThatAreNotFinite())) {
      return {Verdict::kSpecGap, "the profile says nothing about numbers that are not finite"};
    }
    return {Verdict::kFail, ""};
  }

  bool HasOperandsThatAreNotFinite() const {
    return std::ranges::any_of(operands_, [](const Literal& operand) {
      if (!operand.shape().IsArray() || !IsReal(operand.element_type())) return false;
      const std::int64_t components = operand.element_count() * ComponentsOf(operand.element_type());
      for (std::int64_t i = 0; i < components; ++i) {
        if (!std::isfinite(RealValue(ComponentAt(operand, i)))) return true;
      }
      return false;
    });
  }

  // Whether the opposite order of a fold whose order is open gives another element.
  bool IsOrderOpen(const Literal& want, std::int64_t offset, std::span<const std::int64_t> tuple_index) {
    if (instruction_.op->evaluate_in_opposite_order == nullptr) return false;
    if (!opposite_) {
      const HloInstruction* piece[] = {&instruction_};
      const auto module = ExtractInstructions(piece);
      Op opposite_op = *instruction_.op;
      opposite_op.evaluate = opposite_op.evaluate_in_opposite_order;
      module->entry->root->op = &opposite_op;
      opposite_ = EvaluateTogether(*module, {operands_.begin(), operands_.end()});
    }
    if (!*opposite_) return false;
    const Literal* opposite = &**opposite_;
    for (std::int64_t i : tuple_index) opposite = &opposite->elements()[i];
    return !SameElement(*opposite, want, offset);
  }

  static bool FlushedResultMatches(const Literal& want, const Literal& got, std::int64_t offset) {
    const int components = ComponentsOf(want.element_type());
    for (int i = 0; i < components; ++i) {
      const RealElement a = ComponentAt(want, offset * components + i), b = ComponentAt(got, offset * components + i);
      const bool flushed = IsSubnormal(a) && IsZero(b) && HasSign(a) == HasSign(b);
      if (!flushed && a.bits != b.bits && !(IsNan(a) && IsNan(b))) return false;
    }
    return true;
  }

  const Literal* WantOfFlushedOperands() {
    if (!flushed_) {
      std::vector<Literal> operands;
      for (const Literal& operand : operands_) operands.push_back(WithSubnormalsFlushed(operand));
      const HloInstruction* piece[] = {&instruction_};
      flushed_ = EvaluateTogether(*ExtractInstructions(piece), std::move(operands));
    }
    return *flushed_ ? &**flushed_ : nullptr;
  }

  ElementVerdict JudgeAgainst(const Literal& want, const Literal& got, std::int64_t offset,
                              const std::vector<std::int64_t>& tuple_index) {
    switch (rule_.acceptance) {
      case Acceptance::kUlp:
        return JudgeUlps(rule_, want, got, offset);
      case Acceptance::kSum:
        return WithinSumBound(want, got, offset, tuple_index);
      case Acceptance::kTransform:
        return WithinTransformBound(want, got, offset);
      case Acceptance::kUnordered:
        return {Verdict::kFail, "the result is no legal order of its operands"};
      case Acceptance::kStatistical:
        return {Verdict::kSpecGap, "random numbers are not judged one by one"};
      case Acceptance::kUnspecified:
        return {Verdict::kSpecGap, "the specification leaves the value open"};
      case Acceptance::kCalled:
        return {Verdict::kWeak, "a composed reduction has no derived bound"};
      case Acceptance::kProperties:
        return {Verdict::kLegal, "approximation"};  // what the result as a whole is like decides
      case Acceptance::kDerived:
        return WithinDerivedBound(want, got, offset, tuple_index);
      case Acceptance::kTarget:
      case Acceptance::kExact:
        break;
    }
    return {Verdict::kFail, "the operation is exact"};
  }

  ElementVerdict WithinSumBound(const Literal& want, const Literal& got, std::int64_t offset,
                                const std::vector<std::int64_t>& tuple_index) {
    if (!IsReal(want.element_type())) return {Verdict::kFail, "integer sums are exact"};
    if (!bounds_) bounds_ = SumBoundsOf(instruction_, operands_);
    if (!*bounds_) return {Verdict::kWeak, "the bound of the sum could not be computed"};
    return JudgeSum(**bounds_, want, got, offset, tuple_index);
  }

  ElementVerdict WithinDerivedBound(const Literal& want, const Literal& got, std::int64_t offset,
                                    std::span<const std::int64_t> tuple_index) {
    if (!derived_) derived_ = instruction_.op->error_bound(instruction_, operands_);
    const Literal* bound = &*derived_;
    for (std::int64_t i : tuple_index) bound = &bound->elements()[i];
    return JudgeDerived(bound->values<double>()[offset], want, got, offset);
  }

  // docs/verdicts.md#the-bound-of-a-fourier-transform
  ElementVerdict WithinTransformBound(const Literal& want, const Literal& got, std::int64_t offset) const {
    const std::size_t axes = instruction_.Int64s("fft_length").size();
    const std::int64_t size = Product(std::span(want.shape().dimensions()).last(axes));
    const std::int64_t length = Product(instruction_.Int64s("fft_length"));
    const int components = ComponentsOf(want.element_type());
    const std::int64_t first = offset / size * size * components;
    double squares = 0;
    for (std::int64_t i = first; i < first + size * components; ++i) {
      squares += std::pow(RealValue(ComponentAt(want, i)), 2);
    }
    if (!std::isfinite(squares)) return {Verdict::kSpecGap, "a transform with numbers that are not finite"};
    // An RFFT returns half of the transform, and its mirror image has the same norm.
    const double norm = std::sqrt(2 * squares);
    double share = 0;
    for (int i = 0; i < components; ++i) {
      const RealElement a = ComponentAt(want, offset * components + i), b = ComponentAt(got, offset * components + i);
      if (IsNan(b)) return {Verdict::kFail, "NaN without an invalid operation"};
      const double allowance = 24 * (1 + std::log2(length)) * UnitRoundoff(a.type) * norm + SmallestSubnormal(a.type);
      share = std::max(share, std::fabs(RealValue(a) - RealValue(b)) / allowance);
    }
    if (share > 1) return {Verdict::kFail, "outside the bound of a fast Fourier transform", share};
    return {Verdict::kLegal, "reassociation", share};
  }

  static ElementVerdict JudgeSum(const SumBounds& bounds, const Literal& want, const Literal& got, std::int64_t offset,
                                 std::span<const std::int64_t> tuple_index) {
    const int components = ComponentsOf(want.element_type());
    double share = 0;
    bool weak = false;
    for (int i = 0; i < components; ++i) {
      const RealElement a = ComponentAt(want, offset * components + i), b = ComponentAt(got, offset * components + i);
      if (a.bits == b.bits || (IsNan(a) && IsNan(b)) || (IsZero(a) && IsZero(b))) continue;
      const SumBound bound = bounds.At(tuple_index, offset, a.type);
      if (!std::isfinite(bound.magnitude)) return {Verdict::kFail, "a sum with infinities or NaN has one value"};
      const double largest = LargestFinite(a.type);
      const auto clipped = [&](RealElement e) { return std::max(-2 * largest, std::min(2 * largest, RealValue(e))); };
      if (IsNan(b)) {
        // Partial sums may overflow to both infinities on the way.
        if (bound.magnitude < largest) return {Verdict::kFail, "NaN without an invalid operation"};
      } else {
        // An infinity is reached by any partial sum beyond the largest finite number.
        const bool may_overflow = bound.magnitude + bound.allowance >= largest;
        if (!may_overflow || (!std::isinf(RealValue(a)) && !std::isinf(RealValue(b)))) {
          share = std::max(share, std::fabs(clipped(a) - clipped(b)) / bound.allowance);
        }
      }
      weak |= bound.allowance >= bound.magnitude;
    }
    if (share > 1) return {Verdict::kFail, "outside the bound of a sum in any order", share};
    if (weak) return {Verdict::kWeak, "the bound of the sum is as large as its terms", share};
    return {Verdict::kLegal, "reassociation", share};
  }

  const HloInstruction& instruction_;
  std::span<const Literal> operands_;
  const Profile& profile_;
  const Rule rule_;
  std::optional<Result<Literal>> flushed_;
  std::optional<Result<Literal>> opposite_;
  std::optional<std::optional<SumBounds>> bounds_;
  std::optional<Literal> derived_;
};

// The numbers of one device, or of several one after the other.
Judgement JudgeRandom(const HloInstruction& rng, std::span<const Literal> operands, const Literal& got) {
  const std::vector<Literal> arrays = got.shape().IsTuple() ? got.elements() : std::vector<Literal>{got};
  Judgement judgement;
  judgement.verdict = Verdict::kLegal;
  judgement.reason = "random numbers";
  for (std::size_t i = 0; i < arrays.size(); ++i) {
    const DistributionReport report = JudgeDistribution(rng, operands.subspan(i * 2, 2), arrays[i]);
    judgement.worst.share = std::max(judgement.worst.share, report.share);
    if (report.fault.empty() || judgement.verdict == Verdict::kFail) continue;
    judgement.verdict = Verdict::kFail;
    judgement.reason = report.fault;
  }
  return judgement;
}

}  // namespace

Judgement JudgeInstruction(const HloInstruction& instruction, std::span<const Literal> operands, const Literal& want,
                           const Literal& got, const Profile& profile) {
  Judgement judgement;
  LeafJudge judge(instruction, operands, profile);
  judge.Judge(want, got, {}, judgement);
  const Acceptance acceptance = RuleOf(instruction, profile).acceptance;
  const auto take = [&](const Judgement& whole) {
    judgement.verdict = whole.verdict;
    judgement.reason = whole.reason;
    judgement.worst.share = whole.worst.share;
  };
  if (judgement.verdict == Verdict::kFail && acceptance == Acceptance::kUnordered) {
    take(JudgeOrder(instruction, operands, got));
  }
  if (judgement.verdict != Verdict::kExact && acceptance == Acceptance::kProperties) {
    take(JudgeProperties(instruction, operands, want, got));
  }
  if (judgement.verdict != Verdict::kExact && acceptance == Acceptance::kStatistical) {
    take(JudgeRandom(instruction, operands, got));
  }
  return judgement;
}

Judgement CompareExactly(const Literal& want, const Literal& got) {
  Judgement judgement;
  HloInstruction nothing;
  static const Op kExactOp{.name = "compare-exactly", .meaning = ""};
  nothing.op = &kExactOp;
  nothing.shape = want.shape();
  LeafJudge judge(nothing, {}, ExactProfile());
  judge.Judge(want, got, {}, judgement);
  return judgement;
}

}  // namespace assay
