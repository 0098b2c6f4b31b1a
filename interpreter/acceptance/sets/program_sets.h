// Sets through programs: for every element of every value of a module, the results of all lawful evaluations
// (docs/judging.md#sets-through-programs).
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "interpreter/acceptance/judge.h"
#include "interpreter/acceptance/ops/value_set.h"
#include "interpreter/acceptance/profile.h"
#include "interpreter/evaluator/evaluator.h"
#include "interpreter/hlo/module.h"

namespace assay {

// Called for each instruction that calls computations, outside of loops and choices, if its operands are as decided as
// the arguments of a module: `result` is then the set of the instruction alone.
using CallObserver =
    std::function<void(const HloInstruction&, std::span<const Literal> operands, const ValueSet& result)>;

// Called for each instruction before its set is found. Unlike an observer of evaluations it holds no operands, so their
// buffers can be overwritten.
using StepObserver = std::function<void(const HloInstruction&)>;

// Returns the set of the root of a module for one device. Fails with kUnsupported for more devices; other errors are
// those of Evaluate.
Result<ValueSet> EvaluateSets(const HloModule& module, std::vector<Literal> arguments, const Profile& profile,
                              const EvaluationOptions& options = {}, CallObserver on_call = {},
                              StepObserver on_step = {});

// Does the same for arguments that are sets themselves, of arrays that are not below their bounds.
Result<ValueSet> EvaluateSetsOf(const HloModule& module, std::vector<ValueSet> arguments, const Profile& profile,
                                const EvaluationOptions& options = {});

// Returns the numbers for which a result of an op may stand if the backend returned it rounded, and computed on with
// the number before its rounding (excess_precision); the result alone if the profile does not allow it for the op.
ValueSet SetOfUnrounded(Literal result, const Profile& profile, std::string_view op);

// Judges a result by its set. The verdict is FAIL outside of it. Inside it is LEGAL, with the freedoms that widened the
// set; but WEAK if an element's interval contains zero and is wide relative to the largest number of its array, which
// proves nothing. The observer receives the verdict of each element that is not exact.
Judgement JudgeBySet(const ValueSet& set, const Literal& got, const ElementObserver& observer = {});

// Judges single elements of an array by its set, which must outlive the judge.
struct ElementVerdict;
class ElementJudge {
 public:
  explicit ElementJudge(const ValueSet& leaf);
  ~ElementJudge();
  // Judges an element that differs from the set's value. The reason is valid as long as the judge.
  ElementVerdict Judge(const Literal& got, std::int64_t offset) const;

 private:
  struct Facts;
  std::unique_ptr<const Facts> facts_;
};

// Combines the judgements of a tuple's elements into that of the tuple.
Judgement JudgementOfTuple(std::span<const Judgement> elements);

// True if an element is outside of the results of the fold in the reference's order, and what the specification leaves
// open (kSpecGapBit: an order or a number of initial values, kReadingBit: an order of updates) explains it.
bool IsExplainedBy(std::uint32_t freedom, const ValueSet& leaf, const Literal& got, std::int64_t offset);
inline constexpr std::string_view kOpenFold = "the order of a fold, or how often its initial value counts, is open";

// True if a freedom that takes two instructions, such as contraction, widened a set.
bool TakesTwoInstructions(const ValueSet& set);
// True if a freedom over single numbers (flush, not_finite) widened a set. A number that is computed twice may then
// differ between its uses.
bool MayDifferAgain(const ValueSet& set);

}  // namespace assay
