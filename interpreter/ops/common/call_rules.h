// What the rules of ops that call computations on whole values have in common (call, while, conditional, fusion,
// asynchronous ops, custom calls).
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "interpreter/hlo/module.h"
#include "interpreter/types/literal.h"
#include "interpreter/types/result.h"
#include "interpreter/types/shape.h"

namespace assay {

// Shapes of the operands from `first` on.
std::vector<Shape> OperandShapes(const HloInstruction& instruction, std::size_t first = 0);

// The parameters of a computation, none of them missing. Shapes may be inferred before the verifier has seen the
// module.
Result<std::vector<const HloInstruction*>> ParametersOf(const HloInstruction& instruction,
                                                        const HloComputation& computation);

// The computation has one parameter for each argument, of the same shape (layouts ignored). `what` names the
// computation in the message: "the body".
Status CheckArguments(const HloInstruction& instruction, std::string_view what, const HloComputation& computation,
                      std::span<const Shape> arguments);

// The two shapes agree (layouts ignored).
Status CheckSameShape(const HloInstruction& instruction, std::string_view what, const Shape& found,
                      std::string_view must_match, const Shape& expected);

// Those of the instructions that have a sharding have the same.
Status CheckSameSharding(const HloInstruction& instruction, std::span<const HloInstruction* const> instructions);

// The branch that a conditional takes. An index outside the branches takes the last one.
std::int64_t BranchIndex(const Literal& selector, std::int64_t branch_count);

// output_to_operand_aliasing: every index exists, the shapes on both sides agree.
Status CheckAliasing(const HloInstruction& instruction);

}  // namespace assay
