// The instructions that a module's result comes from, with their values in the reference: the subject of `explain`.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "conformance/cases/golden.h"
#include "conformance/judging/instruction_values.h"
#include "interpreter/acceptance/judge.h"
#include "interpreter/evaluator/evaluator.h"
#include "interpreter/hlo/module.h"
#include "interpreter/types/per_device.h"
#include "interpreter/types/result.h"

namespace assay {

// An element of an instruction's result.
struct NumberedPlace {
  Place place;              // in the instruction's result
  Place in_outputs;         // in the module's result, in the form of OfAllDevices
  std::int64_t number = 0;  // row-major, through all leaves of the module's result
};

// An instruction whose result, or elements of it, are the module's result.
struct ExplainedPart {
  const HloInstruction* instruction;
  std::vector<NumberedPlace> places;
};

struct ExplainedResult {
  std::string title;
  std::unique_ptr<HloModule> module;
  DeviceValues arguments;
  std::vector<ExplainedPart> parts;
  std::vector<std::string> notes;  // on parts of the result that are not explained
  std::map<const HloInstruction*, InstructionValues> exact;
  std::int64_t elements = 0;  // of the result
};

// Returns the root of a golden case, whatever prepares its operands.
Result<ExplainedResult> ExplainCase(const NamedCase& named, const EvaluationLimits& limits);
// Returns the root of a module. Evaluates the module.
Result<ExplainedResult> ExplainRoot(std::unique_ptr<HloModule> module, DeviceValues arguments,
                                    const EvaluationLimits& limits);
// Returns the instructions that compute the result of a module, through tuples and calls. Evaluates the module.
Result<ExplainedResult> ExplainModule(const HloModule& module, DeviceValues arguments, const EvaluationLimits& limits);

// Removes all other elements from the parts. Fails if there is no such element.
Status KeepElement(ExplainedResult& result, std::int64_t element);

}  // namespace assay
