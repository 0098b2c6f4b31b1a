// Rules of the ops that call computations on whole values: call, while, conditional, fusion, asynchronous ops, custom
// calls.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "interpreter/hlo/module.h"
#include "interpreter/types/literal.h"
#include "interpreter/types/result.h"
#include "interpreter/types/shape.h"

namespace assay {

// Returns the shapes of the operands from `first` on.
std::vector<Shape> OperandShapes(const HloInstruction& instruction, std::size_t first = 0);

// Returns the parameters of a computation. Fails if one is missing, because shapes may be inferred before the verifier
// has checked the module.
Result<std::vector<const HloInstruction*>> ParametersOf(const HloInstruction& instruction,
                                                        const HloComputation& computation);

// Checks that the computation has one parameter for each argument, of the same shape (layouts ignored). `what` names
// the computation in the message: "the body".
Status CheckArguments(const HloInstruction& instruction, std::string_view what, const HloComputation& computation,
                      std::span<const Shape> arguments);

// Checks that the two shapes agree (layouts ignored).
Status CheckSameShape(const HloInstruction& instruction, std::string_view what, const Shape& found,
                      std::string_view must_match, const Shape& expected);

// Checks that the instructions that have a sharding have the same one.
Status CheckSameSharding(const HloInstruction& instruction, std::span<const HloInstruction* const> instructions);

// Returns the branch that a conditional executes. An index outside the branches selects the last one.
std::int64_t BranchIndex(const Literal& selector, std::int64_t branch_count);

// Checks output_to_operand_aliasing: every index exists in the result or in an operand, and the shapes on both sides
// agree.
Status CheckAliasing(const HloInstruction& instruction, const Shape& result, std::span<const Shape> operands);
// The result and the operands are those of the instruction.
Status CheckAliasing(const HloInstruction& instruction);

}  // namespace assay
