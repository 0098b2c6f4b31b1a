// What the instructions of one computation have in a backend: the values at which a module is cut.
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

// The instructions that these need, and these.
InstructionSet Needed(std::vector<const HloInstruction*> results);
// The instructions that the root needs.
InstructionSet LiveInstructions(const HloComputation& computation);
// Neither a parameter nor a constant.
bool IsComputed(const HloInstruction& instruction);
// Besides, not one that puts tuples together or takes them apart.
bool DoesWork(const HloInstruction& instruction);

// A computation as a module of its own.
Region ExtractComputation(const HloComputation& computation);
// Some of its instructions as the results of a module of its own.
Region ExtractResults(const HloComputation& computation, std::vector<const HloInstruction*> results);
// What a region takes, of values that have it.
std::vector<Literal> InputsOf(const Region& region, const ComputationValues& values);

// What a backend returns for all live instructions at once, of a computation that runs on one device; nothing where it
// declines, or where they are more than a gibibyte.
std::optional<ComputationValues> BackendValues(Backend& backend, const HloComputation& computation,
                                               std::span<const Literal> arguments);
// The same for the entry of a module, on each of its devices. The start of an asynchronous pair has no value.
std::optional<PerDevice<ComputationValues>> BackendValuesOfDevices(Backend& backend, const HloModule& module,
                                                                   const DeviceValues& arguments);

}  // namespace assay
