// flush: subnormal operands and results may count as the zero of their sign. A result is subnormal if its exact value
// is below the least normal number, even if it rounds to that: IEEE 754 (7.5) lets a processor detect tininess before
// or after rounding, and x86 does it after rounding to an unbounded exponent.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <optional>

#include "interpreter/acceptance/evaluate_piece.h"
#include "interpreter/acceptance/freedom.h"
#include "interpreter/acceptance/ops/op_acceptance.h"
#include "interpreter/acceptance/rule.h"
#include "interpreter/acceptance/sets/lawful_facts.h"
#include "interpreter/acceptance/sets/open_folds.h"
#include "interpreter/acceptance/sets/reals.h"
#include "interpreter/acceptance/sets/widen.h"
#include "interpreter/types/float_format.h"

namespace assay {
namespace {

class Flush : public FreedomJudge {
 public:
  Flush(const JudgedInstruction& judged, AcceptanceRule& rule)
      : judged_(judged), rule_(rule), exact_(judged.instruction, judged.operands) {}

  ElementVerdict Judge(const Literal& want, const Literal& got, const Place& place) override {
    const bool is_real = IsInexactType(want.element_type());
    const auto accept = [&](AcceptanceRule& rule, const Literal& expected) {
      const Literal& unflushed = Unflushed(expected, got, place.offset);
      const bool has_either_sign = is_real && judged_.Allows(Freedom::kZeroSign);
      if (SameElement(expected, unflushed, place.offset) ||
          (has_either_sign && DifferBySignOfZero(expected, unflushed, place.offset))) {
        return ElementVerdict{Verdict::kLegal, "flush"};
      }
      const ElementVerdict verdict = rule.Judge(expected, unflushed, place);
      return verdict.verdict == Verdict::kFail ? verdict : ElementVerdict{Verdict::kLegal, "flush", verdict.share};
    };
    // Only comparisons let a flush change a result that is not real: predicates, and the parts of a tuple that are
    // sorted along with real numbers.
    // The rule has judged an element without zeros already.
    if (is_real && HasZero(got, place.offset)) {
      if (const ElementVerdict verdict = accept(rule_, want); verdict.verdict != Verdict::kFail) return verdict;
      if (const ElementVerdict tiny = JudgeTiny(want, got, place); tiny.verdict != Verdict::kFail) return tiny;
    } else if (!is_real && want.element_type() != PRED && place.tuple_index.empty()) {
      return {Verdict::kFail, ""};
    }
    const Flushed* flushed = WithFlushedOperands();
    if (flushed == nullptr) return {Verdict::kFail, ""};
    const Literal& expected = place.LeafOf(flushed->want);
    if (is_real && judged_.Allows(Freedom::kNotFinite) && !IsFiniteElement(expected, place.offset)) {
      return {Verdict::kSpecGap, "flushed operands give a number that is not finite"};
    }
    const ElementVerdict verdict = accept(*flushed->rule, expected);
    if (verdict.verdict == Verdict::kFail && is_real && IsFlushedInSteps(want, expected, got, place.offset)) {
      return {Verdict::kLegal, "flush"};
    }
    if (verdict.verdict != Verdict::kFail || flushed->either_zero == nullptr) return verdict;
    // Flushed operands are zeros, among which either_zero may choose.
    const ElementVerdict chosen = flushed->either_zero->Judge(expected, got, place);
    return chosen.verdict == Verdict::kFail ? verdict : ElementVerdict{Verdict::kLegal, "flush"};
  }

  // A rule that judges only the whole result may also accept the result on flushed operands.
  void JudgeWhole(const Literal&, const Literal& got, const Judgement& elements, Judgement& judgement) override {
    if (judged_.rule.acceptance != Acceptance::kProperties) return;
    const Flushed* flushed = WithFlushedOperands();
    if (flushed == nullptr) return;
    Judgement of_flushed = elements;
    flushed->rule->JudgeWhole(flushed->want, got, of_flushed);
    if (of_flushed.verdict == Verdict::kFail) return;
    judgement = of_flushed;
    if (judgement.verdict == Verdict::kLegal) judgement.reason = "flush";
  }

  std::vector<std::string> Explain(const Literal& want, const Place& place) override {
    if (!IsInexactType(want.element_type()) || !MayBeFlushed(ComplexComponentType(want.element_type()))) return {};
    std::vector<std::string> steps;
    const int components = ComponentCount(want.element_type());
    for (int i = 0; i < components && steps.empty(); ++i) {
      const bool is_subnormal = IsSubnormal(ComponentAt(want, place.offset * components + i));
      if (is_subnormal) steps.push_back("a zero for the subnormal result too");
    }
    const Flushed* flushed = WithFlushedOperands();
    if (flushed != nullptr && !SameElement(place.LeafOf(flushed->want), want, place.offset)) {
      steps.push_back(fmt::format("with zeros for subnormal operands the result is {}, judged by the same rule",
                                  DescribeElement(place.LeafOf(flushed->want), place.offset)));
    }
    return steps;
  }

 private:
  // The instruction with its operands' subnormal numbers replaced by zeros.
  struct Flushed {
    std::vector<Literal> operands;
    Literal want;
    JudgedInstruction judged;
    std::unique_ptr<AcceptanceRule> rule;
    std::unique_ptr<FreedomJudge> either_zero;  // null if it is closed
  };

  static bool HasZero(const Literal& got, std::int64_t offset) {
    const int components = ComponentCount(got.element_type());
    for (int i = 0; i < components; ++i) {
      if (IsZero(ComponentAt(got, offset * components + i))) return true;
    }
    return false;
  }

  // Returns the instruction on flushed operands; null if none is subnormal, or if it cannot be evaluated.
  const Flushed* WithFlushedOperands() {
    if (has_flushed_) return flushed_.get();
    has_flushed_ = true;
    std::vector<Literal> operands;
    for (const Literal& operand : judged_.operands) operands.push_back(WithSubnormalsFlushed(operand));
    if (std::ranges::equal(operands, judged_.operands, &Literal::BitwiseEqual)) return nullptr;
    std::optional<Literal> want = EvaluateAlone(judged_.instruction, operands);
    if (!want) return nullptr;
    flushed_.reset(new Flushed{std::move(operands), *std::move(want), judged_, nullptr, nullptr});
    flushed_->judged.operands = flushed_->operands;
    flushed_->rule = MakeRule(flushed_->judged);
    if (judged_.Allows(Freedom::kEitherZero)) {
      flushed_->either_zero = freedom_either_zero.make(flushed_->judged, *flushed_->rule);
    }
    return flushed_.get();
  }

  // True if an exact fold, such as one by maximum, flushes a number in one step but not in another. Its result is then
  // subnormal, and between the results without flushed operands and with all of them flushed.
  bool IsFlushedInSteps(const Literal& want, const Literal& flushed, const Literal& got, std::int64_t offset) const {
    const bool is_exact_fold =
        AcceptanceOf(judged_.instruction).rule == Acceptance::kCalled && judged_.rule.acceptance == Acceptance::kExact;
    if (!is_exact_fold || OrderMatters(judged_.instruction) || !MayBeFlushed(ComplexComponentType(got.element_type())))
      return false;
    const int components = ComponentCount(got.element_type());
    for (std::int64_t i = offset * components; i < (offset + 1) * components; ++i) {
      const RealElement element = ComponentAt(got, i);
      const RealElement unflushed = ComponentAt(want, i), zero = ComponentAt(flushed, i);
      if (element.bits == unflushed.bits || element.bits == zero.bits) continue;
      const auto [low, high] = std::minmax({RealValue(unflushed), RealValue(zero)});
      if (!IsSubnormal(element) || !(low <= RealValue(element) && RealValue(element) <= high)) return false;
    }
    return true;
  }

  // True if the instruction may round tiny results. Subnormal results of sums and moves are exact.
  bool MakesTinyNumbers() const {
    return judged_.rule.acceptance != Acceptance::kExact ||
           AcceptanceOf(judged_.instruction).folded == Acceptance::kProduct;
  }

  // Accepts zeros in place of the least normal number if the exact value is below it. Returns kWeak if the exact value
  // is unknown.
  ElementVerdict JudgeTiny(const Literal& want, const Literal& got, const Place& place) {
    const PrimitiveType type = ComplexComponentType(want.element_type());
    constexpr ElementVerdict kFail = {Verdict::kFail, ""};
    if (!MayBeFlushed(type)) return kFail;
    const FloatFormat& format = FloatFormatOf(type);
    const int components = ComponentCount(want.element_type());
    ElementVerdict verdict = {Verdict::kLegal, "flush"};
    for (int i = 0; i < components; ++i) {
      const std::int64_t at = place.offset * components + i;
      const RealElement a = ComponentAt(want, at), b = ComponentAt(got, at);
      if (a.bits == b.bits) continue;
      const bool has_sign = HasSign(a) == HasSign(b) || judged_.Allows(Freedom::kZeroSign);
      if ((a.bits & format.magnitude_mask()) != format.mantissa_mask() + 1 || !IsZero(b) || !has_sign) {
        return kFail;
      }
      const std::optional<double> exact = exact_.At(place.tuple_index, want, at);
      if (exact && std::fabs(*exact) >= std::fabs(RealValue(a))) return kFail;
      if (!exact && !MakesTinyNumbers()) return kFail;
      if (!exact) verdict = {Verdict::kWeak, "whether the exact value is below the least normal number is not known"};
    }
    return verdict;
  }

  // Returns `got` with the zeros of an element replaced by the subnormal numbers of their sign nearest to the wanted
  // parts.
  const Literal& Unflushed(const Literal& want, const Literal& got, std::int64_t offset) {
    const PrimitiveType type = ComplexComponentType(got.element_type());
    if (!IsInexactType(got.element_type()) || !MayBeFlushed(type)) return got;
    const FloatFormat& format = FloatFormatOf(type);
    const int components = ComponentCount(got.element_type()), bytes = StorageBytes(type);
    if (unflushed_of_ != got.data()) {
      unflushed_ = got;
      unflushed_of_ = got.data();
      unflushed_at_ = 0;
    }
    std::byte* parts = unflushed_.mutable_data();
    const std::int64_t element_bytes = std::int64_t{components} * bytes;
    std::memcpy(parts + unflushed_at_ * element_bytes, got.data() + unflushed_at_ * element_bytes, element_bytes);
    unflushed_at_ = offset;
    for (int i = 0; i < components; ++i) {
      const RealElement a = ComponentAt(want, offset * components + i), b = ComponentAt(got, offset * components + i);
      // A part of a complex number may take several steps: a flushed -tiny and a 0 add up to 0.
      const bool has_steps = components > 1 && judged_.rule.acceptance != Acceptance::kExact && !IsZero(a);
      const bool is_any_sign = has_steps || judged_.Allows(Freedom::kZeroSign);
      const bool has_sign = is_any_sign ? HasSign(a) : HasSign(b);
      if (!IsZero(b) || IsNan(a) || HasSign(a) != has_sign) continue;
      const std::uint64_t magnitude = std::min(a.bits & format.magnitude_mask(), format.mantissa_mask());
      const std::uint64_t bits = magnitude | (has_sign ? format.sign_mask() : 0);
      std::memcpy(parts + offset * element_bytes + i * bytes, &bits, bytes);
    }
    return unflushed_;
  }

  const JudgedInstruction& judged_;
  AcceptanceRule& rule_;
  ExactResult exact_;
  // A copy of a leaf in which the element at unflushed_at_ is replaced.
  Literal unflushed_;
  const std::byte* unflushed_of_ = nullptr;
  std::int64_t unflushed_at_ = 0;
  bool has_flushed_ = false;
  std::unique_ptr<Flushed> flushed_;
};

// Adds NaN to a sum of products in which a flushed factor may meet an infinite one.
Widening NanBesideInfinity(const ElementFacts& element, const Reals& number) {
  Reals wide = number;
  if (!number.IsEmpty() && element.leaf.instruction.mixes_subnormals_and_infinities) wide.may_be_nan = true;
  return {wide};
}

// True if the instruction computes: instructions that only move numbers do not flush them.
bool FlushesResults(const LeafFacts& leaf) {
  const InstructionFacts& instruction = leaf.instruction;
  return IsInexactType(leaf.type) && MayBeFlushed(leaf.part_type) &&
         (instruction.is_elementwise || !instruction.is_exact);
}

bool MeetsNoInfinity(const LeafFacts& leaf) { return !leaf.instruction.mixes_subnormals_and_infinities; }

bool MayFlush(const LeafFacts& leaf) { return FlushesResults(leaf) && HasSubnormals(leaf.value, leaf.image); }

// Adds zero to results that may be flushed. A result that rounds up to the least normal number was subnormal before.
Widening WithZero(const ElementFacts& element, const Reals& lawful) {
  constexpr double kNormal = 0x1p-13;  // in every format that is flushed
  if (lawful.low > kNormal || lawful.high < -kNormal) return {lawful};
  if (lawful.IsEmpty() || lawful.ContainsZero() || !FlushesResults(element.leaf)) return {lawful};
  if (std::min(std::fabs(lawful.low), std::fabs(lawful.high)) > LeastNormal(element.leaf.part_type)) return {lawful};
  return {OrZero(lawful), true};
}

// Widens a number by the zero that it may count as when it is an operand.
Reals AsOperand(const Reals& number, double least_normal) {
  return std::min(std::fabs(number.low), std::fabs(number.high)) < least_normal ? OrZero(number) : number;
}

void FlushOperand(const HloInstruction&, ValueSet& operand) {
  if (operand.is_tuple || !operand.value.shape().IsArray() || !IsInexactType(operand.value.element_type())) return;
  const PrimitiveType type = ComplexComponentType(operand.value.element_type());
  if (!MayBeFlushed(type)) return;
  const double least = LeastNormal(type);
  const ElementReader reader(operand);
  const Literal lows = reader.Lows(), highs = reader.Highs();
  const auto is_left_alone = [=](double low, double high) {
    return !(low > 0 && low < least) && !(high < 0 && high > -least);
  };
  if (std::ranges::equal(ComponentsIn(lows), ComponentsIn(highs), is_left_alone)) return;
  const int parts = ComponentCount(operand.value.element_type());
  const std::int64_t count = operand.value.element_count() * parts;
  std::vector<bool> is_flushed(operand.value.element_count());
  for (std::int64_t i = 0; i < count; ++i) {
    const Reals number = reader.At(i);
    if (!Same(AsOperand(number, least), number)) is_flushed[i / parts] = true;
  }
  ElementWriter writer(operand.value);
  for (std::int64_t i = 0; i < count; ++i) {
    if (is_flushed[i / parts] || reader.IsOpen(i / parts)) writer.Set(i, AsOperand(reader.At(i), least));
  }
  operand.open = writer.Take();
  operand.freedoms |= BitOf(Freedom::kFlush);
}

}  // namespace

const FreedomRecord freedom_flush = {
    .name = "flush",
    .meaning = "subnormal operands and results may count as the zero of their sign",
    .permits = &LawfulArithmetic::flushes_subnormals,
    .make = MakeFreedomJudge<Flush>,
    .noise = "zero for subnormal",
    .widening = {.before_rounding = NanBesideInfinity,
                 .after_rounding = WithZero,
                 .keeps_normal = MeetsNoInfinity,
                 .may_open = MayFlush,
                 .widen_operand = FlushOperand,
                 .differs_between_uses = true},
};

}  // namespace assay
