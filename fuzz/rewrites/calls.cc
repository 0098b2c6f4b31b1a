// Rewrites with computations, loops, conditionals, and other sources of a value.
#include <algorithm>

#include "fuzz/rewrites/rewrite.h"
#include "interpreter/hlo/op.h"

namespace assay {
namespace {

constexpr std::int64_t kLargestConstant = 4096;

// True if the instruction can be moved into a computation of its own.
bool IsPlain(Site& site) {
  return IsRepeatable(site.at()) && std::ranges::all_of(site.at().operands, [](const HloInstruction* operand) {
           return operand->shape.IsArray();
         });
}

HloInstruction* Outline(Site& site) {
  if (!IsPlain(site) || site.at().operands.empty()) return nullptr;
  return site.Add("call", site.at().operands, {{"to_apply", &site.Outlined()}}, site.shape());
}

HloInstruction* Fuse(Site& site) {
  if (!IsPlain(site) || site.at().op->evaluation.kernel == nullptr) return nullptr;
  return site.Add("fusion", site.at().operands, {{"kind", std::string("kLoop")}, {"calls", &site.Outlined()}},
                  site.shape());
}

HloInstruction* Inline(Site& site) {
  HloInstruction& at = site.at();
  if (at.op->role != OpRole::kCall || at.CalledComputations().size() != 1) return nullptr;
  return &site.Inline(*at.CalledComputations()[0], at.operands);
}

// Calls the same computation in both branches, with any condition.
HloInstruction* InBothBranches(Site& site) {
  if (!IsPlain(site) || site.at().operands.size() != 1) return nullptr;
  HloComputation &first = site.Outlined(), &second = site.Outlined();
  HloInstruction* condition = site.Scalar(PRED, site.random().Flip() ? 1 : 0);
  HloInstruction* operand = site.at().operands[0];
  return site.Add("conditional", {condition, operand, operand},
                  {{"true_computation", &first}, {"false_computation", &second}}, site.shape());
}

// Rewrites a loop to a conditional of its body, followed by the loop.
HloInstruction* Peel(Site& site) {
  HloInstruction& at = site.at();
  if (at.op->name != "while") return nullptr;
  HloInstruction* state = at.operands[0];
  HloComputation &body = at.Computation("body"), &condition = at.Computation("condition");
  HloInstruction* goes_on = site.Add("call", {state}, {{"to_apply", &condition}}, condition.root->shape);
  HloComputation& stay = site.NewComputation("stay", {state->shape});
  HloInstruction* next = site.Add("conditional", {goes_on, state, state},
                                  {{"true_computation", &body}, {"false_computation", &stay}}, at.shape);
  return site.Again({next}, at.shape);
}

HloInstruction* AsConstant(Site& site) {
  Candidate& candidate = site.candidate();
  HloInstruction& at = site.at();
  const bool is_argument = at.op->role == OpRole::kParameter && at.parent == candidate.module->entry;
  if (!is_argument || !at.shape.IsArray() || ShapeUtil::ElementsIn(at.shape) > kLargestConstant) return nullptr;
  const Literal& value = candidate.ArgumentOf(at, 0);
  for (std::size_t device = 1; device < candidate.arguments.size(); ++device) {
    if (!candidate.ArgumentOf(at, device).BitwiseEqual(value)) return nullptr;
  }
  return site.Constant(value);
}

HloInstruction* AsArgument(Site& site) {
  HloInstruction& at = site.at();
  Candidate& candidate = site.candidate();
  if (!at.literal || !at.shape.IsArray() || at.parent != candidate.module->entry) return nullptr;
  return &candidate.AddParameter(at.shape, PerDevice<Literal>(std::ssize(candidate.arguments), *at.literal));
}

// Passes the same argument twice.
HloInstruction* AsSecondArgument(Site& site) {
  Candidate& candidate = site.candidate();
  HloInstruction& at = site.at();
  if (at.op->role != OpRole::kParameter || !at.shape.IsArray() || at.parent != candidate.module->entry) return nullptr;
  PerDevice<Literal> of_devices;
  for (std::size_t device = 0; device < candidate.arguments.size(); ++device) {
    of_devices.push_back(candidate.ArgumentOf(at, device));
  }
  return &candidate.AddParameter(at.shape, of_devices);
}

constexpr Rewrite kCallRewrites[] = {
    {"outline", Outline},
    {"fuse", Fuse},
    {"inline", Inline},
    {"in-both-branches", InBothBranches},
    {"peel", Peel},
    {"as-constant", AsConstant},
    {"as-argument", AsArgument},
    {"as-second-argument", AsSecondArgument},
};

}  // namespace

std::span<const Rewrite> RewritesOfCalls() { return kCallRewrites; }

}  // namespace assay
