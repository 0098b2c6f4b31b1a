#include <algorithm>
#include <cmath>

#include "interpreter/ops/common/call_rules.h"
#include "interpreter/ops/record.h"

namespace assay {
namespace {

Result<Shape> Infer(const HloInstruction& instruction) {
  const HloComputation& condition = instruction.Computation("condition");
  const HloComputation& body = instruction.Computation("body");
  const std::vector<Shape> state = OperandShapes(instruction);
  ASSAY_CHECK_OK(CheckArguments(instruction, "the condition", condition, state));
  ASSAY_CHECK_OK(CheckArguments(instruction, "the body", body, state));
  ASSAY_CHECK_OK(CheckSameShape(instruction, "the result of the body", body.root->shape, "the state", state[0]));
  ASSAY_CHECK_OK(CheckSameShape(instruction, "the result of the condition", condition.root->shape, "a single pred",
                                ShapeUtil::MakeScalarShape(PRED)));
  const HloInstruction* const shared[] = {&instruction, body.root, body.Parameters()[0], condition.Parameters()[0]};
  ASSAY_CHECK_OK(CheckSameSharding(instruction, shared));
  return state[0];
}

Literal Evaluate(const HloInstruction& instruction, std::span<Literal> operands, Evaluation& evaluation) {
  Literal state = std::move(operands[0]);
  while (evaluation.Call(instruction.Computation("condition"), {state}).BoolAt(0)) {
    std::vector<Literal> arguments;
    arguments.push_back(std::move(state));
    state = evaluation.Call(instruction.Computation("body"), std::move(arguments));
  }
  return state;
}

// Iterations before a set is given up that says nothing any more.
constexpr int kIterationsInFull = 4;

// True if every interval is as wide as the largest number of the array: what a loop makes of it is wider still.
bool SaysNothing(const ValueSet& set) {
  if (set.open == nullptr || !IsFloatingPointType(set.value.element_type())) return false;
  const Literal numbers = NumbersOf(set.value);
  double largest = 0;
  for (const double x : numbers.values<double>()) {
    if (std::isfinite(x)) largest = std::max(largest, std::fabs(x));
  }
  const auto low = set.open->low.values<double>(), high = set.open->high.values<double>();
  return std::ranges::equal(low, high, [=](double a, double b) { return b - a >= largest; });
}

// Gives up the sets that say nothing: of what nothing is known, the next iteration has no intervals to compute.
void GiveUp(const HloInstruction& loop, ValueSet& state) {
  for (ValueSet& element : state.elements) GiveUp(loop, element);
  if (!SaysNothing(state)) return;
  const HloInstruction* const widest = state.widest == nullptr ? &loop : state.widest;
  const std::uint32_t freedoms = state.freedoms;
  state = Anything(state.value, widest);
  state.freedoms = freedoms;
}

// Where a condition is not decided, it is not known how often the body ran.
ValueSet Walk(const HloInstruction& instruction, std::span<const ValueSet> operands, SetEvaluation& evaluation) {
  ValueSet state = operands[0];
  bool is_known = true;
  for (int iteration = 0;; ++iteration) {
    if (iteration >= kIterationsInFull) GiveUp(instruction, state);
    const ValueSet holds = evaluation.Call(instruction.Computation("condition"), {state});
    is_known &= holds.open == nullptr;
    if (!holds.value.BoolAt(0)) break;
    state = evaluation.Call(instruction.Computation("body"), {std::move(state)});
  }
  return is_known ? state : Anything(ValueOf(state), &instruction);
}

}  // namespace

const Op op_while = {
    .name = "while",
    .meaning = "The body repeated while the condition holds.",
    .syntax =
        {
            .attributes =
                {{.name = "condition", .kind = AttributeKind::kComputation, .required = true, .visited_last = true},
                 Required("body", AttributeKind::kComputation)},
        },
    .legality =
        {
            .arity = Exactly(1),
            .types = kAny,
            .layouts = LayoutRule::kInferred,
            .allows_mixed_precision = true,
            .accepts_buffers = true,
            .forwards_operands = true,
            .infer = Infer,
        },
    .evaluation = {.evaluate = Evaluate, .sees_run_time_sizes = true},
    .acceptance = {.rule = Acceptance::kCalled, .walk = Walk},
};

}  // namespace assay
