// The open points of a fold in the specification: the order of the elements, the number of times that the initial value
// is inserted (XLA, Operation Semantics: Reduce), and the treatment of a window that is partly outside (Scatter). They
// matter if the computation does not commute, or if the initial value is not its identity.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "interpreter/acceptance/called_function.h"
#include "interpreter/acceptance/ops/op_acceptance.h"
#include "interpreter/acceptance/rule.h"
#include "interpreter/hlo/module.h"
#include "interpreter/hlo/op.h"

namespace assay {

// OrderMatters: true if a fold is by an op whose result depends on the order (Trait::kOrderMatters).
// HasOpenOrder: true if, in addition, the specification leaves the order open.
bool OrderMatters(const HloInstruction& fold);
bool HasOpenOrder(const HloInstruction& fold);

// Opens the elements that differ under another reading of the specification (SpecificationGap::in_opposite_order,
// other_readings): any value is in their sets, which get the bit kReadingBit. `read` evaluates the instruction with
// another body.
using ReadOtherwise = std::function<Literal(EvaluateFunction body, std::vector<Literal> operands)>;
void OpenReadings(const JudgedInstruction& judged, std::span<const ValueSet> operands, const ReadOtherwise& read,
                  SetEvaluation& evaluation, ValueSet& results);

// Widens the set of a fold's results by every order and every number of initial values. Sets that become wider have the
// bit kSpecGapBit.
void OpenFold(const JudgedInstruction& judged, std::span<const ValueSet> operands, const ReadOtherwise& read,
              SetEvaluation& evaluation, ValueSet& results);

// The judge of results of a fold of one array that insert the initial value more than once.
class RepeatedStarts {
 public:
  // The operands must outlive this object.
  RepeatedStarts(const HloInstruction& fold, std::span<const Literal> operands);

  // True if further initial values explain element `offset` of `got`; `value` is the reference's result. Integers must
  // be equal, and sums of real numbers equal up to the rounding errors of as many terms. Always true for other folds,
  // and if too many numbers of initial values of integers would have to be tried.
  bool Explain(const Literal& value, const Literal& got, std::int64_t offset);

 private:
  bool ExplainSum(double value, double got) const;
  bool ExplainIntegers(const Literal& value, const Literal& got, std::int64_t offset);

  const std::span<const Literal> operands_;
  const Op* op_ = nullptr;  // null: Explain is always true
  std::optional<CalledFunction> reducer_;
  std::int64_t most_ = 0;  // the largest number of further initial values
  std::int64_t steps_left_;
};

}  // namespace assay
