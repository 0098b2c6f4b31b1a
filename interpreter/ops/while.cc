#include "interpreter/ops/record.h"

namespace assay {
namespace {

Literal Evaluate(const HloInstruction& instruction, std::span<Literal> operands, Evaluation& evaluation) {
  Literal state = std::move(operands[0]);
  while (evaluation.Call(instruction.Computation("condition"), {state}).BoolAt(0)) {
    std::vector<Literal> arguments;
    arguments.push_back(std::move(state));
    state = evaluation.Call(instruction.Computation("body"), std::move(arguments));
  }
  return state;
}

}  // namespace

const Op op_while = {
    .name = "while",
    .meaning = "The body repeated while the condition holds.",
    .arity = Exactly(1),
    .types = kAny,
    .attributes = {{.name = "condition", .kind = AttributeKind::kComputation, .required = true, .visited_last = true},
                   Required("body", AttributeKind::kComputation)},
    .evaluate = Evaluate,
    .acceptance = Acceptance::kCalled,
};

}  // namespace assay
