// The ways in which a failing module is made smaller. Each gives candidates in a fixed order, those that save most
// first; whoever tries them decides.
#pragma once

#include <string_view>
#include <vector>

#include "diagnosis/search.h"
#include "diagnosis/subject.h"
#include "interpreter/evaluator/evaluator.h"

namespace assay {

// Cuts instructions off the entry, in halves, quarters and so on down to one: what still needs the value of one takes a
// parameter that has the reference's, and what nothing needs any more is an output. Gives whether anything was cut.
bool CutEntry(Search& search, Subject& subject, const EvaluationLimits& limits);

struct Step {
  std::string_view name;
  std::vector<Edit> (*edits)(const Subject& subject, const EvaluationLimits& limits);
};

// What calls becomes what is called: calls, fusions, taken branches, bodies of loops.
bool IsOpened(const HloInstruction& instruction);
std::vector<Edit> CallEdits(const Subject& subject, const EvaluationLimits& limits);
// An instruction becomes one of its operands, or zeros; two parameters become one.
std::vector<Edit> OperandEdits(const Subject& subject, const EvaluationLimits& limits);
// Dimensions shrink, or go.
std::vector<Edit> SizeEdits(const Subject& subject, const EvaluationLimits& limits);
// Annotations and attributes go, or become what they are by default.
std::vector<Edit> AttributeEdits(const Subject& subject, const EvaluationLimits& limits);
// Element types become the common ones.
std::vector<Edit> TypeEdits(const Subject& subject, const EvaluationLimits& limits);
// Elements of arguments and constants become 0, 1 or a small integer.
std::vector<Edit> ValueEdits(const Subject& subject, const EvaluationLimits& limits);

}  // namespace assay
