// What the specification leaves open of a fold by a computation: in which order elements come, how often the initial
// value is inserted (the operation semantics of Reduce), and what becomes of a window that is partly outside (Scatter).
// It matters where the computation does not commute, or where the initial value is no identity of it.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "interpreter/acceptance/ops/op_acceptance.h"
#include "interpreter/hlo/module.h"
#include "interpreter/hlo/op.h"

namespace assay {

// True if a fold is by an op that gives another result in another order (OpAcceptance::order_matters), and if besides
// the specification leaves that order open.
bool OrderMatters(const HloInstruction& fold);
bool HasOpenOrder(const HloInstruction& fold);

// Widens the set of a fold's results by both. Sets that become wider have the bit kSpecGapBit.
void OpenFold(const HloInstruction& fold, std::span<const ValueSet> operands, SetEvaluation& evaluation,
              ValueSet& results);

// Elements that another reading of the specification gives otherwise may be anything (OpAcceptance::in_opposite_order,
// other_readings), and their sets have the bit kReadingBit. `read` evaluates the instruction with another body.
using ReadOtherwise = std::function<Literal(EvaluateFunction body, std::vector<Literal> operands)>;
void OpenReadings(const HloInstruction& instruction, std::span<const ValueSet> operands, const ReadOtherwise& read,
                  ValueSet& results);

// Of a fold of one array that adds: whether a result is the reference's with the initial value added some times more,
// and the rounding errors of as many terms. True for other folds, of which no more is known than their sets.
bool CountsStartsAgain(const HloInstruction& fold, std::span<const Literal> operands, double value, double got);

}  // namespace assay
