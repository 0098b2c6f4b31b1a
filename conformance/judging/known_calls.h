// The results that a walk with sets has found for calls and loops, so that judging need not find them again.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "interpreter/acceptance/ops/value_set.h"
#include "interpreter/acceptance/program_sets.h"
#include "interpreter/hlo/module.h"
#include "interpreter/types/literal.h"

namespace assay {

class KnownCalls {
 public:
  // Keeps what it sees of the instructions of one module, up to a limit on memory. Lives shorter than this.
  CallObserver Observer();
  // True if the instruction is known on some operands.
  bool Has(const HloInstruction& instruction) const { return calls_.contains(&instruction); }
  // The set of an instruction's result if its operands are these, bit for bit; null if it is not known. The value of
  // the set is the reference's result.
  const ValueSet* Find(const HloInstruction& instruction, std::span<const Literal> operands) const;

 private:
  struct Call {
    std::vector<Literal> operands;
    ValueSet result;
  };

  std::map<const HloInstruction*, Call> calls_;  // of each the last one
  std::int64_t bytes_ = 0;
};

}  // namespace assay
