#include "interpreter/acceptance/freedoms.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "interpreter/evaluator/evaluator.h"
#include "interpreter/hlo/extract.h"
#include "interpreter/types/float_format.h"

namespace assay {
namespace {

// Whether some pair of components passes neither `same` nor is equal.
template <class Same>
bool DifferOnlyBy(const Literal& want, const Literal& got, std::int64_t offset, const Same& same) {
  const int components = ComponentsOf(want.element_type());
  for (int i = 0; i < components; ++i) {
    const RealElement a = ComponentAt(want, offset * components + i), b = ComponentAt(got, offset * components + i);
    if (a.bits != b.bits && !(IsNan(a) && IsNan(b)) && !same(a, b)) return false;
  }
  return true;
}

bool DifferBySignOfZero(const Literal& want, const Literal& got, std::int64_t offset) {
  return DifferOnlyBy(want, got, offset, [](RealElement a, RealElement b) { return IsZero(a) && IsZero(b); });
}

bool IsFinite(const Literal& value, std::int64_t offset) {
  const int components = ComponentsOf(value.element_type());
  for (int i = 0; i < components; ++i) {
    if (!std::isfinite(RealValue(ComponentAt(value, offset * components + i)))) return false;
  }
  return true;
}

// The result of the instruction if its op were another one.
Result<Literal> EvaluateAs(const Op& op, const JudgedInstruction& judged) {
  const HloInstruction* piece[] = {&judged.instruction};
  const auto module = ExtractInstructions(piece);
  module->entry->root->op = &op;
  return EvaluateTogether(*module, {judged.operands.begin(), judged.operands.end()});
}

}  // namespace

ElementVerdict Freedoms::Judge(const Literal& want, const Literal& got, const Place& place) {
  if (IsOrderOpen(want, place)) return {Verdict::kSpecGap, "the order of the updates is open"};
  const ElementVerdict direct = rule_.Judge(want, got, place);
  if (direct.verdict != Verdict::kFail) return direct;
  const ElementVerdict otherwise = JudgeOtherwise(got, place);
  if (otherwise.verdict != Verdict::kFail) return otherwise;
  const bool is_real = IsReal(want.element_type());
  if (is_real && judged_.profile.Allows(Freedom::kZeroSign) && DifferBySignOfZero(want, got, place.offset)) {
    return {Verdict::kLegal, "sign of zero"};
  }
  if (is_real && IsOtherZero(want, got, place)) return {Verdict::kLegal, "tie"};
  if (is_real && judged_.profile.Allows(Freedom::kNotFinite) &&
      (!IsFinite(want, place.offset) || HasOperandsThatAreNotFinite())) {
    return {Verdict::kSpecGap, "the profile says nothing about numbers that are not finite"};
  }
  if (!judged_.profile.Allows(Freedom::kFlush)) return direct;
  const ElementVerdict flushed = JudgeFlushed(want, got, place);
  return flushed.verdict == Verdict::kFail ? direct : flushed;
}

std::string_view Freedoms::SourceOfEitherZero() const {
  const HloInstruction& instruction = judged_.instruction;
  for (const HloComputation* called : instruction.CalledComputations()) {
    const HloInstruction& root = *called->root;
    const bool is_single = called->instructions.size() == 3 && root.operands.size() == 2;
    const std::string_view source = judged_.profile.SourceOfEitherZero(root.op->name);
    if (is_single && !source.empty()) return source;
  }
  return judged_.profile.SourceOfEitherZero(instruction.op->name);
}

bool Freedoms::IsOtherZero(const Literal& want, const Literal& got, const Place& place) {
  if (!DifferBySignOfZero(want, got, place.offset) || SourceOfEitherZero().empty()) return false;
  // Element by element it is one of the two; of a fold it is one of all numbers.
  const bool is_elementwise = IsElementwise(judged_, want.element_count());
  const std::uint64_t bits = ComponentAt(got, place.offset).bits;
  return std::ranges::any_of(judged_.operands, [&](const Literal& operand) {
    if (!operand.shape().IsArray() || operand.element_type() != want.element_type()) return false;
    if (is_elementwise) return ComponentAt(operand, operand.element_count() == 1 ? 0 : place.offset).bits == bits;
    for (std::int64_t i = 0; i < operand.element_count(); ++i) {
      if (ComponentAt(operand, i).bits == bits) return true;
    }
    return false;
  });
}

ElementVerdict Freedoms::JudgeFlushed(const Literal& want, const Literal& got, const Place& place) {
  const bool is_real = IsReal(want.element_type());
  const auto accept = [&](AcceptanceRule& rule, const Literal& expected) {
    const Literal& unflushed = Unflushed(expected, got, place.offset);
    const bool has_either_sign = is_real && judged_.profile.Allows(Freedom::kZeroSign);
    if (SameElement(expected, unflushed, place.offset) ||
        (has_either_sign && DifferBySignOfZero(expected, unflushed, place.offset))) {
      return ElementVerdict{Verdict::kLegal, "flush"};
    }
    const ElementVerdict verdict = rule.Judge(expected, unflushed, place);
    return verdict.verdict == Verdict::kFail ? verdict : ElementVerdict{Verdict::kLegal, "flush", verdict.share};
  };
  // Of results that are no real numbers, only what compares numbers sees a flush: predicates, and the parts of a tuple
  // that are sorted along with them.
  if (is_real) {
    if (const ElementVerdict verdict = accept(rule_, want); verdict.verdict != Verdict::kFail) return verdict;
  } else if (want.element_type() != PRED && place.tuple_index.empty()) {
    return {Verdict::kFail, ""};
  }
  const Flushed* flushed = WithFlushedOperands();
  if (flushed == nullptr) return {Verdict::kFail, ""};
  const Literal& expected = place.LeafOf(flushed->want);
  if (is_real && judged_.profile.Allows(Freedom::kNotFinite) && !IsFinite(expected, place.offset)) {
    return {Verdict::kSpecGap, "flushed operands give a number that is not finite"};
  }
  return accept(*flushed->rule, expected);
}

void Freedoms::JudgeWhole(const Literal& want, const Literal& got, Judgement& judgement) {
  if (is_otherwise_) return otherwise_->rule->JudgeWhole(*otherwise_->want, got, judgement);
  Judgement elements = judgement;
  rule_.JudgeWhole(want, got, judgement);
  // What only the result as a whole is judged by may be that of other operands as well.
  const bool is_judged_whole = judged_.rule.acceptance == Acceptance::kProperties;
  if (judgement.verdict != Verdict::kFail || !is_judged_whole || !judged_.profile.Allows(Freedom::kFlush)) return;
  const Flushed* flushed = WithFlushedOperands();
  if (flushed == nullptr) return;
  flushed->rule->JudgeWhole(flushed->want, got, elements);
  if (elements.verdict == Verdict::kFail) return;
  judgement = elements;
  if (judgement.verdict == Verdict::kLegal) judgement.reason = "flush";
}

const Literal& Freedoms::Unflushed(const Literal& want, const Literal& got, std::int64_t offset) {
  const PrimitiveType type = ComplexComponentType(got.element_type());
  if (!IsReal(got.element_type()) || !MayBeFlushed(type)) return got;
  const FloatFormat& format = FloatFormatOf(type);
  const int components = ComponentsOf(got.element_type()), bytes = StorageBytes(type);
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
    const bool has_sign = judged_.profile.Allows(Freedom::kZeroSign) ? HasSign(a) : HasSign(b);
    if (!IsZero(b) || IsNan(a) || HasSign(a) != has_sign) continue;
    const std::uint64_t magnitude = std::min(a.bits & format.magnitude_mask(), format.mantissa_mask());
    const std::uint64_t bits = magnitude | (has_sign ? format.sign_mask() : 0);
    std::memcpy(parts + offset * element_bytes + i * bytes, &bits, bytes);
  }
  return unflushed_;
}

bool Freedoms::IsOrderOpen(const Literal& want, const Place& place) {
  const HloInstruction& instruction = judged_.instruction;
  if (instruction.op->evaluate_in_opposite_order == nullptr) return false;
  if (!opposite_) {
    Op opposite_op = *instruction.op;
    opposite_op.evaluate = opposite_op.evaluate_in_opposite_order;
    opposite_ = EvaluateAs(opposite_op, judged_);
  }
  return *opposite_ && !SameElement(place.LeafOf(**opposite_), want, place.offset);
}

Freedoms::Otherwise::Otherwise(const JudgedInstruction& of)
    : op(*of.instruction.op),
      instruction(of.instruction),
      judged{instruction, of.operands, of.profile, of.rule},
      want(Error()) {
  op.evaluate = op.evaluate_otherwise;
  instruction.op = &op;
  want = EvaluateAs(op, of);
  rule = MakeRule(judged);
}

const Freedoms::Otherwise* Freedoms::OtherReading() {
  if (judged_.instruction.op->evaluate_otherwise == nullptr) return nullptr;
  if (!otherwise_) otherwise_ = std::make_unique<Otherwise>(judged_);
  return otherwise_->want ? otherwise_.get() : nullptr;
}

ElementVerdict Freedoms::JudgeOtherwise(const Literal& got, const Place& place) {
  const Otherwise* other = OtherReading();
  if (other == nullptr) return {Verdict::kFail, ""};
  const Literal& want = place.LeafOf(*other->want);
  ElementVerdict verdict = {Verdict::kLegal, ""};
  if (!SameElement(want, got, place.offset)) verdict = other->rule->Judge(want, got, place);
  if (verdict.verdict == Verdict::kFail) return verdict;
  is_otherwise_ = true;
  return {verdict.verdict, other->op.otherwise, verdict.share};
}

bool Freedoms::HasOperandsThatAreNotFinite() {
  if (!has_operands_that_are_not_finite_) {
    has_operands_that_are_not_finite_ = std::ranges::any_of(judged_.operands, [](const Literal& operand) {
      if (!operand.shape().IsArray() || !IsReal(operand.element_type())) return false;
      for (std::int64_t i = 0; i < operand.element_count(); ++i) {
        if (!IsFinite(operand, i)) return true;
      }
      return false;
    });
  }
  return *has_operands_that_are_not_finite_;
}

const Freedoms::Flushed* Freedoms::WithFlushedOperands() {
  if (has_flushed_) return flushed_.get();
  has_flushed_ = true;
  std::vector<Literal> operands;
  for (const Literal& operand : judged_.operands) operands.push_back(WithSubnormalsFlushed(operand));
  const HloInstruction* piece[] = {&judged_.instruction};
  Result<Literal> want = EvaluateTogether(*ExtractInstructions(piece), operands);
  if (!want) return nullptr;
  flushed_.reset(new Flushed{std::move(operands), *std::move(want), judged_, nullptr});
  flushed_->judged.operands = flushed_->operands;
  flushed_->rule = MakeRule(flushed_->judged);
  return flushed_.get();
}

std::vector<std::string> Freedoms::Explain(const Literal& want, const Place& place) {
  std::vector<std::string> steps;
  if (IsOrderOpen(want, place)) {
    steps.push_back(fmt::format("the order of the updates is open, and the opposite one gives {}: SPEC-GAP",
                                DescribeElement(place.LeafOf(**opposite_), place.offset)));
  }
  const Otherwise* other = OtherReading();
  if (other != nullptr && !SameElement(place.LeafOf(*other->want), want, place.offset)) {
    steps.push_back(fmt::format("{}: the result may also be {}, judged by the same rule", other->op.otherwise,
                                DescribeElement(place.LeafOf(*other->want), place.offset)));
  }
  if (!IsReal(want.element_type())) return steps;
  if (judged_.profile.Allows(Freedom::kZeroSign)) {
    steps.push_back(fmt::format("zero_sign is open: a zero may have either sign ({})",
                                judged_.profile.SourceOf(Freedom::kZeroSign)));
  }
  if (!SourceOfEitherZero().empty()) {
    steps.push_back(fmt::format("either_zero is open: of two zeros either ({})", SourceOfEitherZero()));
  }
  if (judged_.profile.Allows(Freedom::kNotFinite) && (!IsFinite(want, place.offset) || HasOperandsThatAreNotFinite())) {
    steps.push_back(fmt::format("not_finite is open, and operands or the result are not finite: SPEC-GAP ({})",
                                judged_.profile.SourceOf(Freedom::kNotFinite)));
  }
  if (!judged_.profile.Allows(Freedom::kFlush) || !MayBeFlushed(ComplexComponentType(want.element_type())))
    return steps;
  const int components = ComponentsOf(want.element_type());
  for (int i = 0; i < components; ++i) {
    if (!IsSubnormal(ComponentAt(want, place.offset * components + i))) continue;
    steps.push_back(fmt::format("flush is open: a zero for the subnormal result too ({})",
                                judged_.profile.SourceOf(Freedom::kFlush)));
    break;
  }
  const Flushed* flushed = WithFlushedOperands();
  if (flushed != nullptr && !SameElement(place.LeafOf(flushed->want), want, place.offset)) {
    steps.push_back(
        fmt::format("flush is open: with zeros for subnormal operands the result is {}, judged by the same "
                    "rule",
                    DescribeElement(place.LeafOf(flushed->want), place.offset)));
  }
  return steps;
}

}  // namespace assay
