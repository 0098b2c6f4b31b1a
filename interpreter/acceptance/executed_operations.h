// The operations of one run, for an observer that sees its instructions one by one: the end of an asynchronous pair is
// the operation that the pair is, on the operands of its start.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <vector>

#include "interpreter/hlo/module.h"
#include "interpreter/types/literal.h"

namespace assay {

class ExecutedOperations {
 public:
  struct Operation {
    HloInstruction instruction;  // as by AtOnce
    std::span<const Literal> operands;
  };

  // Returns the operation whose result an executed instruction gives; nothing for the start of a pair, and for
  // instructions that pass values on. The operands are valid until the next call.
  std::optional<Operation> Completed(const HloInstruction& instruction, std::span<const Literal> operands);

 private:
  std::map<const HloInstruction*, std::vector<Literal>> begun_;  // by start, of the device that came last
};

}  // namespace assay
