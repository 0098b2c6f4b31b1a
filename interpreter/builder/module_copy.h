// Copying of computations from one module to another.
#pragma once

#include <unordered_map>

#include "interpreter/hlo/module.h"

namespace assay::xla {

class ComputationCopier {
 public:
  explicit ComputationCopier(HloModule& target) : target_(target) {}

  // Appends a copy to the target, unless the computation has been copied before. Its callees must have been copied.
  HloComputation& Copy(const HloComputation& computation);
  // Copies all computations of a module that lists callees before callers. Returns the copy of the entry.
  HloComputation& CopyAll(const HloModule& source);
  // Returns the copy of an instruction, whose computation must have been copied.
  HloInstruction& CopyOf(const HloInstruction& instruction) const;

 private:
  HloModule& target_;
  std::unordered_map<const HloComputation*, HloComputation*> computations_;
};

}  // namespace assay::xla
