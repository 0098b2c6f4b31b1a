// The operations of one run, for an observer that receives instructions one by one. The done instruction of an
// asynchronous pair represents the whole operation, on the operands of the start.
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

  // Returns the operation that an executed instruction completes. Returns null for the start of a pair and for
  // instructions that only pass values on. The result is valid until the next call.
  const JudgedInstruction* Completed(const HloInstruction& instruction, std::span<const Literal> operands);

 private:
  // Facts about an instruction that all its executions share.
  struct Operation {
    Operation(const HloInstruction& executed, const Profile& profile);
    Operation(const Operation&) = delete;
    Operation& operator=(const Operation&) = delete;

    const HloInstruction instruction;  // converted by AtOnce
    JudgedInstruction judged;
  };

  const Profile& profile_;
  std::unordered_map<const HloInstruction*, Operation> operations_;
  std::map<const HloInstruction*, std::vector<Literal>> begun_;  // operands by start; those of the latest device
};

}  // namespace assay
