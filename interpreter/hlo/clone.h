// Copies of modules and computations.
#pragma once

#include <memory>
#include <unordered_map>

#include "interpreter/hlo/module.h"

namespace assay {

// Copies computations into a module.
class ComputationCopier {
 public:
  explicit ComputationCopier(HloModule& target) : target_(target) {}

  // Appends a copy to the target, unless the computation has been copied before. Its callees must have been copied or
  // declared.
  HloComputation& Copy(const HloComputation& computation);
  // Appends a copy without instructions, which Copy adds.
  HloComputation& Declare(const HloComputation& computation);
  // Copies all computations of a module that lists callees before callers. Returns the copy of the entry.
  HloComputation& CopyAll(const HloModule& source);
  // Returns the copy of an instruction, whose computation must have been copied.
  HloInstruction& CopyOf(const HloInstruction& instruction) const;

 private:
  HloModule& target_;
  std::unordered_map<const HloComputation*, HloComputation*> copies_;
};

// Returns a deep copy, which can be changed without changing the original.
std::unique_ptr<HloModule> CloneModule(const HloModule& module);

// Returns a copy with a computation of the module as its entry, without the computations that the entry does not call.
// For another entry than the module's, entry_computation_layout has the shapes of its parameters and root, and the copy
// has no aliases, donors or sharding propagation, which name the old entry's parameters and results. The module need
// not be legal.
std::unique_ptr<HloModule> CloneWithEntry(const HloModule& module, const HloComputation& entry);

}  // namespace assay
