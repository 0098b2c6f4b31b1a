// Copies computations from one module to another.
#pragma once

#include <unordered_map>

#include "interpreter/hlo/module.h"

namespace assay::xla {

class ComputationCopier {
 public:
  explicit ComputationCopier(HloModule& target) : target_(target) {}

  // Appends a copy to the target; a computation that was copied before is not copied again. Those that it calls must
  // have been copied.
  HloComputation& Copy(const HloComputation& computation);
  // All computations of a module whose computations stand behind those that they call. Returns the copy of the entry.
  HloComputation& CopyAll(const HloModule& source);
  // The copy of an instruction.
  HloInstruction& CopyOf(const HloInstruction& instruction) const { return *instructions_.at(&instruction); }

 private:
  HloModule& target_;
  std::unordered_map<const HloComputation*, HloComputation*> computations_;
  std::unordered_map<const HloInstruction*, HloInstruction*> instructions_;
};

}  // namespace assay::xla
