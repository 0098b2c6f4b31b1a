// The operations of one run, for an observer that sees its instructions one by one: the end of an asynchronous pair is
// the operation that the pair is, on the operands of its start.
#pragma once

#include <map>
#include <span>
#include <unordered_map>
#include <vector>

#include "interpreter/acceptance/profile.h"
#include "interpreter/acceptance/rule.h"
#include "interpreter/hlo/module.h"
#include "interpreter/types/literal.h"

namespace assay {

class ExecutedOperations {
 public:
  explicit ExecutedOperations(const Profile& profile) : profile_(profile) {}

  // Returns the operation whose result an executed instruction gives; null for the start of a pair, and for
  // instructions that pass values on. Valid until the next call.
  const JudgedInstruction* Completed(const HloInstruction& instruction, std::span<const Literal> operands);

 private:
  // Facts that are found once for all executions of an instruction.
  struct Operation {
    Operation(const HloInstruction& executed, const Profile& profile);
    Operation(const Operation&) = delete;
    Operation& operator=(const Operation&) = delete;

    const HloInstruction instruction;  // as by AtOnce
    JudgedInstruction judged;
  };

  const Profile& profile_;
  std::unordered_map<const HloInstruction*, Operation> operations_;
  std::map<const HloInstruction*, std::vector<Literal>> begun_;  // by start, of the device that came last
};

}  // namespace assay
