// The shardings of results that a program does not state.
#pragma once

#include <cstdint>
#include <string>

#include "interpreter/hlo/module.h"

namespace assay::pjrt {

// Returns the text of an instruction's sharding, empty if there is none.
std::string ShardingText(const HloInstruction& instruction);

// Returns the sharding that result `index` of a module gets, empty if none follows: that of the instruction which makes
// it, found through tuples and calls. An element-wise instruction has that of an operand. XLA propagates shardings in
// the same way, and through more instructions.
std::string ResultSharding(const HloModule& module, std::int64_t index);

}  // namespace assay::pjrt
