// The results that a walk with sets has found for calls and loops, so that judging need not find them again.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "interpreter/acceptance/ops/value_set.h"
#include "interpreter/acceptance/sets/program_sets.h"
#include "interpreter/hlo/module.h"
#include "interpreter/types/literal.h"

namespace assay {

class KnownCalls {
 public:
  // Returns an observer of one module that keeps what it sees, up to a memory limit. This object must outlive it.
  CallObserver Observer();
  // True if the result of the instruction is known for some operands.
  bool Has(const HloInstruction& instruction) const { return calls_.contains(&instruction); }
  // Returns the set of the instruction's result if its operands equal these bit for bit; otherwise null. The value of
  // the set is the reference's result.
  const ValueSet* Find(const HloInstruction& instruction, std::span<const Literal> operands) const;

 private:
  struct Call {
    std::vector<Literal> operands;
    ValueSet result;
  };

  std::map<const HloInstruction*, Call> calls_;  // the last call of each
  std::int64_t bytes_ = 0;
};

}  // namespace assay
