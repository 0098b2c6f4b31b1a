// Finds the instructions of a module that make a NaN, an infinity, a subnormal number, an overflow or a cancellation,
// by evaluating it on the reference. An instruction makes an event if an element of its result has it and no element of
// its operands that feeds this one has brought it; otherwise it passes the event on. docs/trace.md
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "conformance/tracing/float_event.h"
#include "interpreter/acceptance/judge.h"
#include "interpreter/evaluator/evaluator.h"
#include "interpreter/hlo/device.h"
#include "interpreter/hlo/module.h"
#include "interpreter/hlo/source_place.h"
#include "interpreter/types/literal.h"
#include "interpreter/types/per_device.h"
#include "interpreter/types/result.h"

namespace assay {

// An element of an operand of a finding.
struct FindingOperand {
  std::string element;  // "x[0,3]"
  std::string value;    // "x7f800000 (inf)"
};

// An instruction that makes an event: the first element of its first execution that does.
struct EventFinding {
  TracedEvent event;
  const HloInstruction* instruction = nullptr;
  std::int64_t run = 0;
  std::int64_t index = 0;  // the number of instructions that the run has executed before
  DeviceId device;
  std::vector<CallStep> calls;  // that lead to the execution
  Place place;
  std::string element;  // "element [0,3]"
  std::string value;
  std::vector<FindingOperand> operands;  // that feed the element; of many those that tell most; empty: not known
  std::int64_t operand_count = 0;        // the number of elements that feed it; 0: not known
  // The sum of kCancellation.
  double largest_term = 0;
  double exact_sum = 0;
  std::int64_t elements = 0;    // of this result, with the event
  std::int64_t of = 0;          // the elements of this result
  std::int64_t executions = 0;  // of the instruction, in all runs, that make the event
};

// Returns the place in the user's program of a finding: that of its instruction, else of the innermost call that has
// one.
std::optional<SourcePlace> PlaceOf(const EventFinding& finding);

// A parameter, a constant or a value from outside that holds NaN, infinities or subnormal numbers.
struct EventSource {
  TracedEvent event;
  const HloInstruction* instruction = nullptr;
  std::int64_t run = 0;
  DeviceId device;
  std::string element;
  std::string value;
  std::int64_t elements = 0;
};

struct EventTrace {
  std::vector<EventFinding> findings;  // in execution order; one for each event of an instruction
  std::vector<EventSource> sources;    // in execution order; one for each event of an instruction
  // For each traced event, the elements of the results of all runs that hold it, and all elements.
  std::vector<std::int64_t> in_results;
  std::int64_t result_elements = 0;
  std::int64_t executed = 0;  // instructions, in all runs
};

// Traces some events through one run for each list of arguments. The module must have passed the verifier and outlive
// the trace. Not seen are the steps within a reduction, a product or a fast kernel: each is one instruction.
// Errors: those of Evaluate.
Result<EventTrace> TraceModule(const HloModule& module, std::span<const DeviceValues> runs,
                               std::span<const TracedEvent> events, const EvaluationLimits& limits);

}  // namespace assay
