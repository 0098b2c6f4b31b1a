// Sets through programs: for every element of every value of a module, what a lawful evaluation may give
// (docs/verdicts.md#sets-through-programs).
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

// Sees the instructions that call computations, outside of loops and choices, if their operands are as decided as the
// arguments of a module: the result is then the set of the instruction alone.
using CallObserver =
    std::function<void(const HloInstruction&, std::span<const Literal> operands, const ValueSet& result)>;

// Is told each instruction before its set is found. Unlike an observer of evaluations it holds no operands, so that
// these can be overwritten.
using StepObserver = std::function<void(const HloInstruction&)>;

// The set of the root of a module that runs on one device. kUnsupported for more devices; other errors as Evaluate's.
Result<ValueSet> EvaluateSets(const HloModule& module, std::vector<Literal> arguments, const Profile& profile,
                              const EvaluationOptions& options = {}, CallObserver on_call = {},
                              StepObserver on_step = {});

// Judges a result by its set: FAIL outside; LEGAL inside, with the freedoms that made the set what it is; WEAK where an
// element's interval holds zero and is wide against the largest number of its array, so that nothing is proved.
Judgement JudgeBySet(const ValueSet& set, const Literal& got);

// The judgement of a tuple by the judgements of its elements.
Judgement JudgementOfTuple(std::span<const Judgement> elements);

// Whether an element is outside of what the fold gives in the reference's order, and the order, or the number of
// initial values, that the specification leaves open explains it.
bool IsExplainedByOpenFold(const ValueSet& leaf, const Literal& got, std::int64_t offset);
inline constexpr std::string_view kOpenFold = "the order of a fold, or how often its initial value counts, is open";

// Whether a freedom that takes two instructions, such as contraction, made a set what it is.
bool TakesTwoInstructions(const ValueSet& set);
// True if a freedom over single numbers made a set what it is (flush, not_finite), so that a number that is computed
// twice may be another one each time.
bool MayDifferAgain(const ValueSet& set);

}  // namespace assay
