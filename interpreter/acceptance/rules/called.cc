// called: derived from the ops of the called computation. A fold by one op that rounds is a sum or a product. A
// computation that never rounds is exact in every order. Other computations have no derived bound.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

#include "interpreter/acceptance/evaluate_piece.h"
#include "interpreter/acceptance/ops/common/step_sets.h"
#include "interpreter/acceptance/ops/op_acceptance.h"
#include "interpreter/acceptance/rule.h"
#include "interpreter/acceptance/sets/program_sets.h"

namespace assay {
namespace {

bool IsOf(const HloInstruction& instruction, const HloInstruction* a, const HloInstruction* b) {
  if (instruction.operands.size() != 2) return false;
  return (instruction.operands[0] == a && instruction.operands[1] == b) ||
         (instruction.operands[0] == b && instruction.operands[1] == a);
}

}  // namespace

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

namespace {

// The rules of folds by computations. Each computation is examined once.
class Folds {
 public:
  explicit Folds(const Profile& profile) : profile_(profile) {}

  Acceptance Of(const HloComputation& computation) {
    if (const auto known = known_.find(&computation); known != known_.end()) return known->second;
    return known_[&computation] = Find(computation);
  }

 private:
  // Returns the rule of a computation. If it applies one op to its two parameters, the op names the rule. The bound
  // comes from running the instruction on magnitudes, which any other instruction in the computation would invalidate.
  Acceptance Find(const HloComputation& computation) {
    const Op* folded = FoldedOpOf(computation);
    if (folded != nullptr && ShapeUtil::HasInexactLeaf(computation.root->shape)) {
      const OpAcceptance& acceptance = AcceptanceOf(*folded);
      const bool is_function = acceptance.folded == Acceptance::kExact && acceptance.rule != Acceptance::kExact;
      return is_function ? Acceptance::kCalled : acceptance.folded;
    }
    const bool may_round = std::ranges::any_of(computation.instructions, [&](const auto& instruction) {
      return ShapeUtil::HasInexactLeaf(instruction->shape) && MayRound(*instruction);
    });
    return may_round ? Acceptance::kCalled : Acceptance::kExact;
  }

  bool MayRound(const HloInstruction& instruction) {
    const OpAcceptance& acceptance = AcceptanceOf(instruction);
    if (acceptance.folded != Acceptance::kExact) return true;
    // An instruction may return zero for a subnormal result, which the following instructions read.
    const bool makes_subnormals = acceptance.rule == Acceptance::kUlp || acceptance.Has(Trait::kMakesSubnormals);
    if (makes_subnormals && profile_.ArithmeticOf(instruction.op->name).flushes_subnormals) return true;
    // The sign of a NaN is free, and a complex function may copy it to an infinity or a zero.
    const bool is_complex = instruction.shape.IsArray() && IsComplexType(instruction.shape.element_type());
    if (acceptance.rule == Acceptance::kUlp && is_complex && profile_.AllowsAnything()) return true;
    const std::vector<HloComputation*> called = instruction.CalledComputations();
    if (called.empty()) return RuleOf(instruction, profile_).acceptance != Acceptance::kExact;
    return std::ranges::any_of(called, [&](const auto* c) { return Of(*c) != Acceptance::kExact; });
  }

  const Profile& profile_;
  std::unordered_map<const HloComputation*, Acceptance> known_;
};

// True if the set of an instruction that is no call, branch or loop is found step by step.
bool HasStepSets(const HloInstruction& instruction) {
  const OpAcceptance& acceptance = AcceptanceOf(instruction);
  if (acceptance.steps == nullptr) return false;
  if (acceptance.Has(Trait::kFolds) && !acceptance.Fact<FoldFacts>().IsInOneOrder(instruction)) return false;
  return !instruction.shape.IsArray() || ShapeUtil::ElementsIn(instruction.shape) <= kMostSteps;
}

// True if a freedom leaves the sign of a zero open in a computation: the following instructions read it.
bool FreesZeros(const HloComputation& computation, const Profile& profile) {
  return std::ranges::any_of(computation.instructions, [&](const auto& instruction) {
    return ShapeUtil::HasInexactLeaf(instruction->shape) && std::ranges::any_of(AllFreedoms(), [&](Freedom freedom) {
             return RecordOf(freedom).widening.frees_sign_of_zero != nullptr &&
                    profile.Allows(freedom, instruction->op->name);
           });
  });
}

// Returns the rule that follows from the ops of the called computations.
Acceptance RuleOfComputations(const HloInstruction& instruction, const Profile& profile) {
  Acceptance rule = Acceptance::kExact;
  const bool has_step_sets = HasStepSets(instruction);
  if (!ShapeUtil::HasInexactLeaf(instruction.shape) && !has_step_sets) return rule;
  Folds folds(profile);
  for (const HloComputation* called : instruction.CalledComputations()) {
    const Acceptance fold = folds.Of(*called);
    if (fold != Acceptance::kExact) {
      rule = fold;
    } else if (has_step_sets && FreesZeros(*called, profile)) {
      rule = Acceptance::kCalled;
    }
  }
  if (rule == Acceptance::kSum && AcceptanceOf(instruction).Fact<FoldFacts>().IsInOneOrder(instruction)) {
    rule = Acceptance::kCalled;
  }
  return rule;
}

void ChooseCalled(const HloInstruction& instruction, const Profile& profile, RuleChoice& choice) {
  if (!AcceptanceOf(instruction).RunsComputations()) choice.acceptance = RuleOfComputations(instruction, profile);
}

// The rule of calls, branches, loops and computations of several ops: it judges by the set of the computation, or by
// the sets of the steps. Without a set, as on several devices, only computations that are exact have one value.
class ComposedRule : public AcceptanceRule {
 public:
  explicit ComposedRule(const JudgedInstruction& judged)
      : has_sets_(RunsComputations(judged) || HasStepSets(judged.instruction)),
        is_exact_(RunsComputations(judged) &&
                  RuleOfComputations(judged.instruction, judged.profile) == Acceptance::kExact),
        set_(judged.instruction, judged.operands, judged.profile) {}

  ElementVerdict Judge(const Literal&, const Literal& got, const Place& place) override {
    const ValueSet* leaf = SetAt(place);
    if (leaf != nullptr) return judges_.try_emplace(place.tuple_index, *leaf).first->second.Judge(got, place.offset);
    return is_exact_ ? ElementVerdict{Verdict::kFail, kExact} : ElementVerdict{Verdict::kWeak, kNoBound};
  }

  bool HasSet(const Place& place) override { return SetAt(place) != nullptr; }

  std::vector<std::string> Explain(const Literal&, const Place& place) override {
    const ValueSet* leaf = SetAt(place);
    if (leaf == nullptr && is_exact_) return {"called: no instruction of the computation rounds; one value is right"};
    if (leaf == nullptr) return {"called: the computation rounds and is more than one op; other values are WEAK"};
    std::vector<std::string> steps = {"called: the set of the called computation, step by step"};
    const ElementReader reader(*leaf);
    const int parts = ComponentCount(leaf->value.element_type());
    if (!reader.IsOpen(place.offset)) steps.emplace_back("no step may round or choose: one value is right");
    for (int part = 0; part < parts && reader.IsOpen(place.offset); ++part) {
      const Reals lawful = reader.At(place.offset * parts + part);
      steps.push_back(
          fmt::format("accepted: {:.17g} to {:.17g}{}", lawful.low, lawful.high, lawful.may_be_nan ? ", or NaN" : ""));
    }
    return steps;
  }

 private:
  static constexpr std::string_view kNoBound = "a composed reduction has no derived bound";
  static constexpr std::string_view kExact = "no instruction of the called computation rounds";

  static bool RunsComputations(const JudgedInstruction& judged) {
    return AcceptanceOf(judged.instruction).RunsComputations();
  }

  // Returns the set of a leaf; null if it has none.
  const ValueSet* SetAt(const Place& place) { return has_sets_ ? set_.At(place) : nullptr; }

  const bool has_sets_, is_exact_;
  SetAlone set_;
  std::map<std::vector<std::int64_t>, ElementJudge> judges_;  // by leaf
};

}  // namespace

const Rule rule_called = {
    .name = "called",
    .choose = ChooseCalled,
    .takes_an_order = true,
    .make = MakeJudge<ComposedRule>,
    .disturb = LeaveAlone,
    .noise = "none",
};

}  // namespace assay
