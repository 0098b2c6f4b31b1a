// The subject of a reduction, a module with its arguments, and its edits.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "interpreter/hlo/module.h"
#include "interpreter/hlo/op.h"
#include "interpreter/types/per_device.h"

namespace assay {

// An immutable module with its arguments.
struct Subject {
  std::shared_ptr<const HloModule> module;
  DeviceValues arguments;
};

struct SubjectSize {
  std::int64_t instructions = 0;  // in all computations
  std::int64_t elements = 0;      // in the results of all instructions
  bool operator==(const SubjectSize&) const = default;
};
SubjectSize SizeOf(const Subject& subject);

// Returns the module's text and all arguments: equal for equal subjects only.
std::string TextOf(const Subject& subject);

// A copy under modification. Instructions keep their places in the original until some are added or removed.
struct Candidate {
  std::unique_ptr<HloModule> module;
  DeviceValues arguments;

  static Candidate Of(const Subject& subject);
  // Adds a parameter before all other instructions of the entry.
  HloInstruction& AddParameter(const Shape& shape, const PerDevice<Literal>& values);
  // Returns the value of a parameter of the entry on a device.
  Literal& ArgumentOf(const HloInstruction& parameter, std::size_t device) {
    return arguments[device][static_cast<std::size_t>(parameter.parameter_number)];
  }
};

// Adds an instruction at a place of its computation.
HloInstruction& InsertAt(HloComputation& computation, std::size_t place, OpRole role, const Shape& shape,
                         std::vector<HloInstruction*> operands = {});
std::size_t PlaceOf(const HloInstruction& instruction);
// Replaces `old` by `now` in all operands, and as the root of its computation.
void ReplaceUses(HloInstruction& old, HloInstruction& now);
// Copies a computation's instructions to before a place of another one, with its parameters replaced by `arguments`.
// Returns the copy of the root.
HloInstruction& InlineAt(HloComputation& into, std::size_t place, const HloComputation& callee,
                         const std::vector<HloInstruction*>& arguments);

// Returns the candidate without dead instructions, uncalled computations and unused parameters of the entry, with
// unique names and a matching header. Returns nothing if it is illegal.
std::optional<Subject> Finish(Candidate candidate);

// Changes a candidate of the subject for which it was made. Returns false if there is nothing to change.
using Edit = std::function<bool(Candidate&)>;
// The place of an instruction in the original, which finds it in a candidate.
struct InstructionPlace {
  std::size_t computation = 0;
  std::size_t instruction = 0;

  HloInstruction& In(HloModule& module) const { return *module.computations[computation]->instructions[instruction]; }
  const HloInstruction& In(const HloModule& module) const {
    return *module.computations[computation]->instructions[instruction];
  }
};
// Returns all places, the last one first: later instructions depend on earlier ones.
std::vector<InstructionPlace> PlacesFromTheEnd(const HloModule& module);

}  // namespace assay
