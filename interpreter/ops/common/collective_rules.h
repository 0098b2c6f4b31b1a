// Which devices take part in a collective, and what the shapes of collectives have in common.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "interpreter/hlo/attributes.h"
#include "interpreter/hlo/module.h"
#include "interpreter/types/result.h"
#include "interpreter/types/shape.h"

namespace assay {

// What the ids in replica_groups stand for.
enum class CollectiveGroupMode {
  kCrossReplica,              // replicas, within one partition
  kCrossPartition,            // partitions, within one replica
  kCrossReplicaAndPartition,  // replicas, each with all its partitions
  kFlattenedId,               // replica_id * num_partitions + partition_id
};

// From channel_id and use_global_device_ids.
Result<CollectiveGroupMode> GroupModeOf(const HloInstruction& instruction);

// Which groups replica_groups may list.
enum class GroupRule {
  kEqualSizes,  // every participant once, groups of one size
  kAnySizes,    // every participant once
  kSubset,      // some participants, each once
};

// replica_groups, by the rule and by the range of the mode's ids. Returns the number of devices in the first group.
Result<std::int64_t> CheckReplicaGroups(const HloInstruction& instruction, GroupRule rule = GroupRule::kEqualSizes);

// The operands that travel: all but the last where has_dynamic_root says that this one holds the root of each.
std::span<HloInstruction* const> DataOperands(const HloInstruction& instruction);

// The attributes of an op and of its asynchronous start.
AttributeSpecs AllReduceAttributes();
AttributeSpecs AllGatherAttributes();
AttributeSpecs CollectivePermuteAttributes();

// Every operand is an array, and the one of the roots has a number for each of the others.
Status CheckArrayOperands(const HloInstruction& instruction);

// The one entry of `dimensions`, a dimension of every operand.
Result<std::int64_t> CollectiveDimension(const HloInstruction& instruction);

// The shape of what travels, a tuple when that is several operands.
Shape ShapeOfOperands(const HloInstruction& instruction);

// The declared result for operand i, where each operand has one: element i of a tuple, or the shape itself. An error
// when the declared result has another form.
Result<Shape> DeclaredResult(const HloInstruction& instruction, const Shape& declared, std::int64_t i);

// The size of `dimension` in a declared result, which must have this rank.
Result<std::int64_t> DeclaredSize(const HloInstruction& instruction, const Shape& result, std::int64_t rank,
                                  std::int64_t dimension);
// A whole of this size is made of one shard a device. A group of one device stands for any number: a module that says
// nothing about its devices may still say how it would be sharded.
Status CheckShards(const HloInstruction& instruction, std::int64_t whole, std::int64_t shard, std::int64_t group_size);

// `to_apply` is a reducer (reducer_rules.h) for each operand.
Status CheckCollectiveReducer(const HloInstruction& instruction);

// all-gather for the declared result: `dimensions` is a whole multiple of the operand's, as large as the group.
Result<Shape> InferAllGather(const HloInstruction& instruction, const Shape& declared);
Result<Shape> InferAllReduce(const HloInstruction& instruction);
Result<Shape> InferCollectivePermute(const HloInstruction& instruction);

// "X-done": element 1 of the tuple that "X-start" returns.
Result<Shape> InferDone(const HloInstruction& instruction);

}  // namespace assay
