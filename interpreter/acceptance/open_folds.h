// The parts of a fold that the specification leaves open: the order of the elements, the number of times that the
// initial value is inserted (XLA, Operation Semantics: Reduce), and the treatment of a window that is partly outside
// (Scatter). They matter if the computation does not commute, or if the initial value is not an identity of it.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "interpreter/acceptance/ops/op_acceptance.h"
#include "interpreter/hlo/module.h"
#include "interpreter/hlo/op.h"

namespace assay {

// OrderMatters: true if a fold is by an op whose result depends on the order (OpAcceptance::order_matters).
// HasOpenOrder: true if, besides, the specification leaves the order open.
bool OrderMatters(const HloInstruction& fold);
bool HasOpenOrder(const HloInstruction& fold);

// Widens the set of a fold's results by every order and every number of initial values. Sets that become wider have the
// bit kSpecGapBit.
void OpenFold(const HloInstruction& fold, std::span<const ValueSet> operands, SetEvaluation& evaluation,
              ValueSet& results);

// Opens the elements that differ under another reading of the specification (OpAcceptance::in_opposite_order,
// other_readings): they may be anything, and their sets have the bit kReadingBit. `read` evaluates the instruction with
// another body.
using ReadOtherwise = std::function<Literal(EvaluateFunction body, std::vector<Literal> operands)>;
void OpenReadings(const HloInstruction& instruction, std::span<const ValueSet> operands, const ReadOtherwise& read,
                  ValueSet& results);

// For a fold of one array that adds: true if `got` is `value`, the reference's result, plus the initial value some more
// times, up to the rounding errors of as many terms. True for other folds: only their sets are known.
bool CountsStartsAgain(const HloInstruction& fold, std::span<const Literal> operands, double value, double got);

}  // namespace assay
