// The values that a backend computes for the instructions of one computation. A module is cut at these values.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <span>
#include <vector>

#include "backends/backend.h"
#include "interpreter/hlo/extract.h"
#include "interpreter/hlo/module.h"
#include "interpreter/types/literal.h"
#include "interpreter/types/per_device.h"

namespace assay {

using InstructionSet = std::set<const HloInstruction*>;
using ComputationValues = std::map<const HloInstruction*, Literal>;

// Returns the instructions and everything that they depend on.
InstructionSet Needed(std::vector<const HloInstruction*> results);
// Returns the instructions that the root depends on, and the root.
InstructionSet LiveInstructions(const HloComputation& computation);
// True if the instruction is neither a parameter nor a constant.
bool IsComputed(const HloInstruction& instruction);
// True if, in addition, the instruction neither builds a tuple nor takes an element of one.
bool DoesWork(const HloInstruction& instruction);

// Extracts a computation as a module.
Region ExtractComputation(const HloComputation& computation);
// Extracts some instructions of a computation as the results of a module.
Region ExtractResults(const HloComputation& computation, std::vector<const HloInstruction*> results);
// Returns the inputs of a region, taken from the values of its computation.
std::vector<Literal> InputsOf(const Region& region, const ComputationValues& values);

// Returns the backend's values of all live instructions of a computation that runs on one device. All are results of
// one run. Returns nothing if the backend declines, or if the values exceed one gibibyte.
std::optional<ComputationValues> BackendValues(Backend& backend, const HloComputation& computation,
                                               std::span<const Literal> arguments);
// Returns the values of the module's entry on each device. The start of an asynchronous pair has no value.
std::optional<PerDevice<ComputationValues>> BackendValuesOfDevices(Backend& backend, const HloModule& module,
                                                                   const DeviceValues& arguments);

}  // namespace assay
