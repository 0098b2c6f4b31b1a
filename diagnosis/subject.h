// What fails, and how it is changed: a module with its arguments.
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

// One that is not changed any more.
struct Subject {
  std::shared_ptr<const HloModule> module;
  DeviceValues arguments;
};

struct SubjectSize {
  std::int64_t instructions = 0;  // of all computations
  std::int64_t elements = 0;      // of the results of all of them
  bool operator==(const SubjectSize&) const = default;
};
SubjectSize SizeOf(const Subject& subject);

// The module's text and all arguments: equal for equal subjects only.
std::string TextOf(const Subject& subject);

// A copy that is being changed. Instructions stand where they stood in the original until they are added or removed.
struct Candidate {
  std::unique_ptr<HloModule> module;
  DeviceValues arguments;

  static Candidate Of(const Subject& subject);
  // In front of all other instructions of the entry.
  HloInstruction& AddParameter(const Shape& shape, const PerDevice<Literal>& values);
  // The value of a parameter of the entry on a device.
  Literal& ArgumentOf(const HloInstruction& parameter, std::size_t device) {
    return arguments[device][static_cast<std::size_t>(parameter.parameter_number)];
  }
};

// A new instruction at a place of its computation.
HloInstruction& InsertAt(HloComputation& computation, std::size_t place, OpRole role, const Shape& shape,
                         std::vector<HloInstruction*> operands = {});
std::size_t PlaceOf(const HloInstruction& instruction);
// Whoever takes `old` as an operand takes `now`, and so does the computation whose root it is.
void ReplaceUses(HloInstruction& old, HloInstruction& now);
// Copies what a computation does to before a place of another one, with its parameters replaced by `arguments`. Gives
// the copy of the root.
HloInstruction& InlineAt(HloComputation& into, std::size_t place, const HloComputation& callee,
                         const std::vector<HloInstruction*>& arguments);

// The candidate without what nothing needs: dead instructions, computations that nobody calls, parameters of the entry
// that nobody takes; with unique names, and a header that fits. Nothing where it is not legal.
std::optional<Subject> Finish(Candidate candidate);

// Changes a candidate of the subject that it was made for. False: there is nothing to change.
using Edit = std::function<bool(Candidate&)>;
// Instructions in a candidate by their place in the original.
struct InstructionPlace {
  std::size_t computation = 0;
  std::size_t instruction = 0;

  HloInstruction& In(HloModule& module) const { return *module.computations[computation]->instructions[instruction]; }
  const HloInstruction& In(const HloModule& module) const {
    return *module.computations[computation]->instructions[instruction];
  }
};
// All of them, the last one first: what comes later depends on what comes before.
std::vector<InstructionPlace> PlacesFromTheEnd(const HloModule& module);

}  // namespace assay
