// The shardings of results that a program does not state.
#pragma once

#include <string>
#include <vector>

#include "interpreter/hlo/module.h"

namespace assay::pjrt {

// Returns the text of an instruction's sharding, empty if there is none.
std::string ShardingText(const HloInstruction& instruction);

// True for an instruction whose sharding leaves a dimension to the partitioner.
bool LeavesOpen(const HloInstruction& instruction);

// Returns the sharding that each result of a module gets, empty if none follows: tiles of the dimensions that it
// continues (dimension_origins.h), found through tuples and calls, up to a value whose sharding is stated. XLA
// propagates shardings in the same way, and also from results to operands.
std::vector<std::string> FollowingShardings(const HloModule& module);

}  // namespace assay::pjrt
