#include "interpreter/acceptance/rule.h"

#include <algorithm>
#include <cstdlib>
#include <unordered_map>
#include <vector>

#include "interpreter/hlo/custom_call_target.h"

namespace assay {
namespace {

bool HasRealLeaf(const Shape& shape) {
  if (shape.IsTuple()) return std::ranges::any_of(shape.tuple_shapes(), HasRealLeaf);
  return IsFloatingPointType(shape.element_type()) || IsComplexType(shape.element_type());
}

bool IsOf(const HloInstruction& instruction, const HloInstruction* a, const HloInstruction* b) {
  if (instruction.operands.size() != 2) return false;
  return (instruction.operands[0] == a && instruction.operands[1] == b) ||
         (instruction.operands[0] == b && instruction.operands[1] == a);
}

// The one op of two parameters that a computation is: of several arrays, that of each of them; of a scan, that of its
// carry, which is its output as well. Null if it is anything else.
const Op* FoldedOpOf(const HloComputation& computation) {
  const HloInstruction& root = *computation.root;
  const auto parameters = computation.Parameters();
  const bool is_tuple = root.op->role == OpRole::kTuple;
  const std::size_t count = is_tuple ? root.operands.size() : 1;
  const bool is_step = is_tuple && count == 2 && parameters.size() == 2 && root.operands[0] == root.operands[1];
  if (!is_step && parameters.size() != 2 * count) return nullptr;
  if (computation.instructions.size() != parameters.size() + (is_step ? 1 : count) + (is_tuple ? 1 : 0)) return nullptr;
  const Op* op = nullptr;
  for (std::size_t i = 0; i < count; ++i) {
    const HloInstruction& result = is_tuple ? root.operand(i) : root;
    const std::size_t first = is_step ? 0 : i;
    if (!IsOf(result, parameters[first], parameters[parameters.size() / 2 + first])) return nullptr;
    if (op != nullptr && op != result.op) return nullptr;
    op = result.op;
  }
  return op;
}

// How folds by computations are judged, each computation looked at once.
class Folds {
 public:
  explicit Folds(const Profile& profile) : profile_(profile) {}

  Acceptance Of(const HloComputation& computation) {
    if (const auto known = known_.find(&computation); known != known_.end()) return known->second;
    return known_[&computation] = Find(computation);
  }

 private:
  // One op of the two parameters names its own rule; its bound comes from running the instruction on magnitudes, which
  // any other instruction in the computation would spoil.
  Acceptance Find(const HloComputation& computation) {
    const Op* folded = FoldedOpOf(computation);
    if (folded != nullptr && HasRealLeaf(computation.root->shape)) return folded->folded;
    const bool may_round = std::ranges::any_of(computation.instructions, [&](const auto& instruction) {
      return HasRealLeaf(instruction->shape) && MayRound(*instruction);
    });
    return may_round ? Acceptance::kCalled : Acceptance::kExact;
  }

  bool MayRound(const HloInstruction& instruction) {
    if (instruction.op->folded != Acceptance::kExact) return true;
    const std::vector<HloComputation*> called = instruction.CalledComputations();
    if (called.empty()) return RuleOf(instruction, profile_).acceptance == Acceptance::kUlp;
    return std::ranges::any_of(called, [&](const auto* c) { return Of(*c) != Acceptance::kExact; });
  }

  const Profile& profile_;
  std::unordered_map<const HloComputation*, Acceptance> known_;
};

// The type whose allowance counts: abs takes a complex operand to a real result.
PrimitiveType TypeOf(const HloInstruction& instruction) {
  if (!instruction.operands.empty() && IsComplexType(instruction.operand(0).shape.element_type())) {
    return instruction.operand(0).shape.element_type();
  }
  const Shape& shape = instruction.shape;
  return shape.IsTuple() && !shape.tuple_shapes().empty() ? shape.tuple_shapes()[0].element_type()
                                                          : shape.element_type();
}

void TakeResultAccuracy(const HloInstruction& instruction, const Profile& profile, RuleChoice& rule) {
  const auto& accuracy = instruction.result_accuracy;
  if (!accuracy) return;
  if (accuracy->is_highest) {
    rule.highest = profile.highest();
  } else {
    rule.tolerance = {accuracy->atol, accuracy->rtol, static_cast<double>(accuracy->ulps)};
  }
}

Acceptance AcceptanceOfTarget(const HloInstruction& custom_call) {
  const Result<const CustomCallTarget*> target = FindCustomCallTarget(custom_call);
  return target ? (*target)->acceptance : Acceptance::kUnspecified;
}

}  // namespace

const Literal& Place::LeafOf(const Literal& result) const {
  const Literal* leaf = &result;
  for (const std::int64_t i : tuple_index) leaf = &leaf->elements()[i];
  return *leaf;
}

bool IsElementwise(const JudgedInstruction& judged, std::int64_t elements) {
  // Some ops have a kernel for some shapes only.
  const HloInstruction& instruction = judged.instruction;
  if (instruction.op->kernel == nullptr || !instruction.op->kernel(instruction)) return false;
  return std::ranges::all_of(judged.operands, [&](const Literal& operand) {
    return operand.shape().IsArray() && (operand.element_count() == 1 || operand.element_count() == elements);
  });
}

void AcceptanceRule::JudgeWhole(const Literal&, const Literal&, Judgement&) {}

RuleChoice RuleOf(const HloInstruction& instruction, const Profile& profile) {
  const Op& op = *instruction.op;
  const PrimitiveType type = TypeOf(instruction);
  RuleChoice rule;
  rule.acceptance = IsComplexType(type) ? op.RuleForComplex() : op.acceptance;
  if (rule.acceptance == Acceptance::kCalled) {
    rule.acceptance = Acceptance::kExact;
    Folds folds(profile);
    for (const HloComputation* called : instruction.CalledComputations()) {
      if (const Acceptance fold = folds.Of(*called); fold != Acceptance::kExact) rule.acceptance = fold;
    }
    if (!HasRealLeaf(instruction.shape)) rule.acceptance = Acceptance::kExact;
    // Every step of a scan rounds, unless it may be taken in any order.
    const bool has_order = op.FindAttribute("is_associative") != nullptr && !instruction.Bool("is_associative");
    if (rule.acceptance == Acceptance::kSum && has_order) rule.acceptance = Acceptance::kCalled;
  }
  if (rule.acceptance == Acceptance::kTarget) rule.acceptance = AcceptanceOfTarget(instruction);
  if (rule.acceptance == Acceptance::kUlp) {
    rule.allowance = profile.AllowanceOf(op.name, type);
    TakeResultAccuracy(instruction, profile, rule);
    if (rule.allowance.ulp == 0 && !rule.tolerance) rule.acceptance = Acceptance::kExact;
  }
  const bool takes_an_order = rule.acceptance == Acceptance::kSum || rule.acceptance == Acceptance::kProduct ||
                              rule.acceptance == Acceptance::kTransform || rule.acceptance == Acceptance::kProperties ||
                              rule.acceptance == Acceptance::kDerived || rule.acceptance == Acceptance::kCalled;
  if (takes_an_order && !profile.Allows(Freedom::kReassociation)) rule.acceptance = Acceptance::kExact;
  return rule;
}

std::unique_ptr<AcceptanceRule> MakeRule(const JudgedInstruction& judged) {
  switch (judged.rule.acceptance) {
    case Acceptance::kUlp:
      return MakeUlpRule(judged);
    case Acceptance::kSum:
      return MakeSumRule(judged);
    case Acceptance::kProduct:
      return MakeProductRule(judged);
    case Acceptance::kTransform:
      return MakeTransformRule(judged);
    case Acceptance::kUnordered:
      return MakeUnorderedRule(judged);
    case Acceptance::kStatistical:
      return MakeStatisticalRule(judged);
    case Acceptance::kUnspecified:
      return MakeUnspecifiedRule(judged);
    case Acceptance::kCalled:
      return MakeComposedRule(judged);
    case Acceptance::kProperties:
      return MakePropertiesRule(judged);
    case Acceptance::kDerived:
      return MakeDerivedRule(judged);
    case Acceptance::kTarget:
    case Acceptance::kExact:
      break;
  }
  return MakeExactRule(judged);
}

}  // namespace assay
