#include "interpreter/acceptance/rule.h"

#include <algorithm>
#include <cmath>

#include "interpreter/acceptance/ops/common/sum_algorithms.h"
#include "interpreter/acceptance/ops/common/sum_terms.h"
#include "interpreter/acceptance/ops/op_acceptance.h"
#include "interpreter/acceptance/sets/reals.h"
#include "interpreter/acceptance/statistics/sums/promised_order.h"

namespace assay {
namespace {

#define ASSAY_RULE(name, enumerator) &rule_##name,
const Rule* const kRules[] = {
#include "interpreter/acceptance/ops/rule_list.inc"
};
#undef ASSAY_RULE

}  // namespace

const Literal& Place::LeafOf(const Literal& result) const {
  const Literal* leaf = &result;
  for (const std::int64_t i : tuple_index) leaf = &leaf->elements()[i];
  return *leaf;
}

bool IsElementwise(const JudgedInstruction& judged, std::int64_t elements) {
  // Some ops have a kernel for some shapes only.
  const HloInstruction& instruction = judged.instruction;
  if (instruction.op->evaluation.kernel == nullptr || !instruction.op->evaluation.kernel(instruction)) return false;
  return std::ranges::all_of(judged.operands, [&](const Literal& operand) {
    return operand.shape().IsArray() && (operand.element_count() == 1 || operand.element_count() == elements);
  });
}

FreedomSources SourcesOf(const HloInstruction& instruction, const Profile& profile) {
  FreedomSources sources;
  const auto add = [&](std::string_view op) {
    for (const Freedom freedom : AllFreedoms()) {
      std::string_view& source = sources[static_cast<std::size_t>(freedom)];
      if (source.empty()) source = profile.SourceOf(freedom, op);
    }
  };
  for (const HloComputation* called : instruction.CalledComputations()) {
    for (const auto& inner : called->instructions) add(inner->op->name);
  }
  add(instruction.op->name);
  return sources;
}

LawfulArithmetic ArithmeticOf(std::span<const std::string_view> sources) {
  LawfulArithmetic arithmetic;
  for (const Freedom freedom : AllFreedoms()) {
    const Permission permits = RecordOf(freedom).permits;
    if (permits != nullptr && !sources[static_cast<std::size_t>(freedom)].empty()) arithmetic.*permits = true;
  }
  return arithmetic;
}

Reals AcceptanceRule::Widen(const Reals&, const Literal& want, const Place&, int) { return AnyOf(want.element_type()); }

void AcceptanceRule::JudgeWhole(const Literal&, const Literal&, Judgement&) {}

// abs maps a complex operand to a real result, so the operand's type counts first.
PrimitiveType JudgedType(const HloInstruction& instruction) {
  if (!instruction.operands.empty() && IsComplexType(instruction.operand(0).shape.element_type())) {
    return instruction.operand(0).shape.element_type();
  }
  const Shape& shape = instruction.shape;
  return shape.IsTuple() && !shape.tuple_shapes().empty() ? shape.tuple_shapes()[0].element_type()
                                                          : shape.element_type();
}

bool TakesAnOrder(const HloInstruction& instruction, const RuleChoice& rule) {
  return RecordOf(rule.acceptance).takes_an_order && !AcceptanceOf(instruction).RunsComputations();
}

RuleChoice RuleOf(const HloInstruction& instruction, const Profile& profile) {
  const Op& op = *instruction.op;
  RuleChoice choice;
  choice.acceptance =
      IsComplexType(JudgedType(instruction)) ? AcceptanceOf(op).RuleForComplex() : AcceptanceOf(op).rule;
  for (bool changes = true; changes;) {
    const Acceptance before = choice.acceptance;
    if (const auto choose = RecordOf(before).choose) choose(instruction, profile, choice);
    changes = choice.acceptance != before;
  }
  if (TakesAnOrder(instruction, choice) && !profile.ArithmeticOf(op.name).takes_any_order) {
    choice.acceptance = Acceptance::kExact;
  }
  return choice;
}

std::span<const Rule* const> AllRules() { return kRules; }

const Rule& RecordOf(Acceptance acceptance) { return *kRules[static_cast<int>(acceptance)]; }

std::unique_ptr<AcceptanceRule> MakeRule(const JudgedInstruction& judged) {
  return WithPromisedOrder(judged, RecordOf(judged.rule.acceptance).make(judged));
}

void LeaveAlone(const JudgedInstruction&, Disturbance&, Literal&) {}

const Profile::Precision* PrecisionOf(const HloInstruction& product, const Profile& profile) {
  const OpAcceptance& acceptance = AcceptanceOf(product);
  const std::string_view level = PrecisionLevelOf(product);
  if (level.empty()) return nullptr;
  if (acceptance.Fact<AlgorithmFunction>() != nullptr && acceptance.Fact<AlgorithmFunction>()(product)) return nullptr;
  const PrimitiveType widest = WidestOperand(product);
  return widest == PRIMITIVE_TYPE_INVALID ? nullptr : profile.PrecisionOf(widest, level);
}

SumAlgorithm PrecisionErrorsOf(const HloInstruction& product, const Profile& profile) {
  const auto algorithm_of = AcceptanceOf(product).Fact<AlgorithmFunction>();
  if (const auto algorithm = algorithm_of == nullptr ? std::nullopt : algorithm_of(product)) return *algorithm;
  const Profile::Precision* const precision = PrecisionOf(product, profile);
  return precision == nullptr ? SumAlgorithm{} : precision->algorithm;
}

void DisturbByTerms(const JudgedInstruction& judged, Disturbance& disturbance, Literal& result) {
  // The terms of a fold are elements of its operands, but for the one that is compared; those of other sums products of
  // two.
  const bool is_fold = AcceptanceOf(judged.instruction).Has(Trait::kFolds);
  const int compared = AcceptanceOf(judged.instruction).Fact<FoldFacts>().compared_operand;
  double terms = is_fold ? 0 : 1;
  for (std::size_t i = 0; i < judged.operands.size(); ++i) {
    const Literal& operand = judged.operands[i];
    const bool is_start = is_fold && operand.shape().rank() == 0;
    const bool is_term = !is_start && static_cast<int>(i) != compared && IsRealArray(operand);
    if (is_term) terms = is_fold ? std::max(terms, LargestMagnitude(operand)) : terms * LargestMagnitude(operand);
  }
  // Operands and sums of less precision than their type move the result farther than its roundings.
  const SumAlgorithm precision = PrecisionErrorsOf(judged.instruction, judged.profile);
  // A transform errs by many weights at once, in both directions.
  const bool is_transformed = AcceptanceOf(judged.instruction).terms == SumTerms::OfConvolution;
  const double weights = is_transformed ? static_cast<double>(judged.operands[1].element_count()) : 0;
  const double error =
      precision.operand_error + precision.accumulator_roundoff + precision.transform_error * std::sqrt(weights);
  const bool is_off = error > 0 && IsInexactType(result.element_type());
  const double off = is_off ? error / UnitRoundoff(ComplexComponentType(result.element_type())) : 0;
  disturbance.Add(result, 0, (Disturbance::kUlpsOfNorm + off) * terms);
}

}  // namespace assay
