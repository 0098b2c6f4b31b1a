// The devices that participate in a collective, and the shape rules that all collectives share.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "interpreter/hlo/attributes.h"
#include "interpreter/hlo/module.h"
#include "interpreter/types/result.h"
#include "interpreter/types/shape.h"

namespace assay {

// The meaning of the ids in replica_groups.
enum class CollectiveGroupMode {
  kCrossReplica,              // replicas, within one partition
  kCrossPartition,            // partitions, within one replica
  kCrossReplicaAndPartition,  // replicas, each with all its partitions
  kFlattenedId,               // replica_id * num_partitions + partition_id
};

// Derives the mode from channel_id and use_global_device_ids.
Result<CollectiveGroupMode> GroupModeOf(const HloInstruction& instruction);

// The groups that replica_groups may list.
enum class GroupRule {
  kEqualSizes,  // every participant once, groups of one size
  kAnySizes,    // every participant once
  kSubset,      // some participants, each once
};

// Checks replica_groups against the rule and the range of the mode's ids. Returns the number of devices in the first
// group.
Result<std::int64_t> CheckReplicaGroups(const HloInstruction& instruction, GroupRule rule = GroupRule::kEqualSizes);

// Returns the operands with data: all, except the last if has_dynamic_root is set, which holds the root of each.
std::span<HloInstruction* const> DataOperands(const HloInstruction& instruction);

// Return the attributes that an op shares with its asynchronous start.
AttributeSpecs AllReduceAttributes();
AttributeSpecs AllGatherAttributes();
AttributeSpecs CollectivePermuteAttributes();

// Checks that every operand is an array, and that the operand of roots has a number for each of the others.
Status CheckArrayOperands(const HloInstruction& instruction);

// Returns the only entry of `dimensions`, which must be a dimension of every operand.
Result<std::int64_t> CollectiveDimension(const HloInstruction& instruction);

// Returns the shape of the data operands: a tuple if there are several.
Shape ShapeOfOperands(const HloInstruction& instruction);

// Returns the declared result for operand i, if each operand has one: element i of a tuple, or the shape itself. Fails
// if the declared result has another form.
Result<Shape> DeclaredResult(const HloInstruction& instruction, const Shape& declared, std::int64_t i);

// Returns the size of `dimension` in a declared result, which must have this rank.
Result<std::int64_t> DeclaredSize(const HloInstruction& instruction, const Shape& result, std::int64_t rank,
                                  std::int64_t dimension);
// Checks that `whole` consists of one shard a device. A group of one device represents any number: a module that names
// no devices may still be sharded.
Status CheckShards(const HloInstruction& instruction, std::int64_t whole, std::int64_t shard, std::int64_t group_size);

// Checks that `to_apply` is a reducer (reducer_rules.h) for each operand.
Status CheckCollectiveReducer(const HloInstruction& instruction);

// Infers all-gather from the declared result: `dimensions` is a multiple of the operand's, as large as the group.
Result<Shape> InferAllGather(const HloInstruction& instruction, const Shape& declared);
Result<Shape> InferAllReduce(const HloInstruction& instruction);
Result<Shape> InferCollectivePermute(const HloInstruction& instruction);

// Infers "X-done": element 1 of the tuple that "X-start" returns.
Result<Shape> InferDone(const HloInstruction& instruction);

}  // namespace assay
