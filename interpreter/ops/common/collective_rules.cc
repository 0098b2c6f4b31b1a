#include "interpreter/ops/common/collective_rules.h"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "interpreter/hlo/op.h"
#include "interpreter/ops/common/in_place_permute.h"
#include "interpreter/ops/common/legality.h"
#include "interpreter/ops/common/reducer_rules.h"
#include "interpreter/ops/record.h"
#include "interpreter/types/join_text.h"

namespace assay {
namespace {

// Returns the number of ids that a mode's groups draw from. 1 means as many as the groups need: a module compiled for
// one device may still name groups.
std::int64_t ParticipantCount(const HloModule& module, CollectiveGroupMode mode) {
  switch (mode) {
    case CollectiveGroupMode::kCrossPartition:
      return module.num_partitions;
    case CollectiveGroupMode::kFlattenedId:
      return module.device_count();
    default:
      return module.replica_count;
  }
}

// An id of replica_groups, and the number of its group.
using NamedId = std::pair<std::int64_t, std::size_t>;

// Returns the ids of all groups, sorted. Fails if a group is empty or an id is named twice.
Result<std::vector<NamedId>> SortedIds(const HloInstruction& instruction, const std::vector<Int64List>& groups) {
  std::vector<NamedId> ids;
  for (std::size_t g = 0; g < groups.size(); ++g) {
    if (groups[g].empty()) return Illegal(instruction, "replica_groups has an empty group");
    for (std::int64_t id : groups[g]) ids.emplace_back(id, g);
  }
  std::ranges::sort(ids);
  const auto twice = std::ranges::adjacent_find(ids, {}, &NamedId::first);
  if (twice == ids.end()) return ids;
  const auto [id, first_group] = twice[0];
  const std::size_t second_group = twice[1].second;
  if (first_group == second_group) {
    return Illegal(instruction, "replica_groups names {} twice, in group {}", id, first_group);
  }
  return Illegal(instruction, "replica_groups names {} twice, in groups {} and {}", id, first_group, second_group);
}

// Checks the ids of at least one group. A repeated id is reported first, then one out of range, then a missing one. If
// the module does not say how many participants there are, the largest id does.
Status CheckIds(const HloInstruction& instruction, const std::vector<Int64List>& groups, std::int64_t participants,
                GroupRule rule) {
  ASSAY_TRY(const std::vector<NamedId> ids, SortedIds(instruction, groups));
  const bool is_known = participants != 1;
  std::int64_t missing = 0;
  for (const auto& [id, group] : ids) {
    if (is_known && (id < 0 || id >= participants)) {
      return Illegal(instruction, "replica_groups names {}, which is outside [0, {})", id, participants);
    }
    if (id < 0) return Illegal(instruction, "replica_groups names {}, which is negative", id);
    if (id == missing) ++missing;
  }
  const auto largest = static_cast<std::uint64_t>(ids.back().first);
  const std::uint64_t count = is_known ? static_cast<std::uint64_t>(participants) : largest + 1;
  if (rule == GroupRule::kSubset || static_cast<std::uint64_t>(missing) == count) return {};
  return Illegal(instruction, "replica_groups must name all of the {} participants, {} is missing", count, missing);
}

// Checks that a device is a source once, and a target once; in place, once for each slice of a buffer: the pairs of the
// first slice precede those of the second, which are as many.
Status CheckSourceTargetPairs(const HloInstruction& instruction) {
  const HloModule& module = *instruction.parent->module;
  const std::int64_t participants = instruction.Has("channel_id") ? module.num_partitions : module.replica_count;
  const auto& pairs = *instruction.Find<std::vector<Int64List>>("source_target_pairs");
  const std::int64_t slices = SentSlices(instruction);
  if (std::ssize(pairs) % slices != 0) {
    return Illegal(instruction, "source_target_pairs must be as many for each of {} slices, found {}", slices,
                   pairs.size());
  }
  std::array<std::vector<std::int64_t>, 2> named;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const Int64List& pair = pairs[i];
    if (pair.size() != 2) {
      return Illegal(instruction, "source_target_pairs has an entry of {} numbers, expected 2", pair.size());
    }
    if (i % (pairs.size() / static_cast<std::size_t>(slices)) == 0) named = {};
    for (const std::size_t end : {0, 1}) {
      const std::int64_t id = pair[end];
      if (id < 0 || (participants != 1 && id >= participants)) {
        return Illegal(instruction, "source_target_pairs names {}, which is outside [0, {})", id, participants);
      }
      if (std::ranges::find(named[end], id) != named[end].end()) {
        return Illegal(instruction, "source_target_pairs has the {} {} twice{}", end == 0 ? "source" : "target", id,
                       slices > 1 ? " for one slice" : "");
      }
      named[end].push_back(id);
    }
  }
  return {};
}

}  // namespace

Result<CollectiveGroupMode> GroupModeOf(const HloInstruction& instruction) {
  const bool has_channel = instruction.Has("channel_id");
  const bool is_global = instruction.IsSet("use_global_device_ids");
  if (!has_channel && is_global) return Illegal(instruction, "use_global_device_ids needs a channel_id");
  if (has_channel && instruction.Int64("channel_id") <= 0) {
    return Illegal(instruction, "channel_id must be positive, found {}", instruction.Int64("channel_id"));
  }
  if (!has_channel) return CollectiveGroupMode::kCrossReplica;
  if (instruction.op->FindAttribute("use_global_device_ids") == nullptr) return CollectiveGroupMode::kCrossPartition;
  return is_global ? CollectiveGroupMode::kFlattenedId : CollectiveGroupMode::kCrossReplicaAndPartition;
}

Result<std::int64_t> CheckReplicaGroups(const HloInstruction& instruction, GroupRule rule) {
  ASSAY_TRY(const CollectiveGroupMode mode, GroupModeOf(instruction));
  const HloModule& module = *instruction.parent->module;
  const std::int64_t participants = ParticipantCount(module, mode);
  const auto* written = instruction.Find<ReplicaGroups>("replica_groups");
  std::int64_t group_size = participants;
  if (written != nullptr && !written->groups.empty()) {
    const std::vector<Int64List>& groups = written->groups;
    ASSAY_CHECK_OK(CheckIds(instruction, groups, participants, rule));
    group_size = static_cast<std::int64_t>(groups.front().size());
    for (const Int64List& group : groups) {
      if (rule != GroupRule::kEqualSizes || group.size() == groups.front().size()) continue;
      return Illegal(instruction, "replica_groups must be of equal size, found {} and {}", groups.front().size(),
                     group.size());
    }
  } else if (mode == CollectiveGroupMode::kFlattenedId) {
    return Illegal(instruction, "replica_groups must be given with use_global_device_ids");
  }
  return mode == CollectiveGroupMode::kCrossReplicaAndPartition ? group_size * module.num_partitions : group_size;
}

std::span<HloInstruction* const> DataOperands(const HloInstruction& instruction) {
  return std::span(instruction.operands).first(instruction.operands.size() - instruction.IsSet("has_dynamic_root"));
}

AttributeSpecs AllReduceAttributes() {
  return {Optional("channel_id", AttributeKind::kInt64),
          Printed("replica_groups", AttributeKind::kReplicaGroups, ReplicaGroups{}),
          Flag("constrain_layout"),
          Flag("use_global_device_ids"),
          ReadOnly("mode", AttributeKind::kEnum,
                   {"cross_replica", "cross_partition", "cross_replica_and_partition", "flattened_id"}),
          Required("to_apply", AttributeKind::kComputation)};
}

AttributeSpecs AllGatherAttributes() {
  return {Optional("channel_id", AttributeKind::kInt64),
          Printed("replica_groups", AttributeKind::kReplicaGroups, ReplicaGroups{}), Flag("constrain_layout"),
          OneDimension("dimensions"), Flag("use_global_device_ids")};
}

AttributeSpecs CollectivePermuteAttributes() {
  return {Optional("channel_id", AttributeKind::kInt64), Required("source_target_pairs", AttributeKind::kInt64ListList),
          Optional("slice_sizes", AttributeKind::kInt64ListList)};
}

Status CheckArrayOperands(const HloInstruction& instruction) {
  for (std::size_t i = 0; i < instruction.operands.size(); ++i) {
    ASSAY_CHECK_OK(CheckArrayOperand(instruction, static_cast<std::int64_t>(i)));
  }
  if (!instruction.IsSet("has_dynamic_root")) return {};
  const auto count = static_cast<std::int64_t>(DataOperands(instruction).size());
  const Shape& roots = instruction.operands.back()->shape;
  if (count > 0 && ShapeUtil::Compatible(roots, ShapeUtil::MakeShape(S32, {count}))) return {};
  return Illegal(instruction,
                 "with has_dynamic_root the last operand must be s32[{}], the roots of those before it, "
                 "found {}",
                 count, roots.ToStringWithoutLayout());
}

Result<std::int64_t> CollectiveDimension(const HloInstruction& instruction) {
  const auto dimensions = instruction.Int64s("dimensions");
  if (dimensions.size() != 1) return Illegal(instruction, "takes one dimension, found {}", dimensions.size());
  for (const HloInstruction* operand : instruction.operands) {
    ASSAY_CHECK_OK(CheckDimensionNumbers(instruction, "dimensions", dimensions, operand->shape.rank()));
  }
  return dimensions[0];
}

Shape ShapeOfOperands(const HloInstruction& instruction) {
  const auto operands = DataOperands(instruction);
  if (operands.size() == 1) return operands[0]->shape;
  std::vector<Shape> shapes;
  for (const HloInstruction* operand : operands) shapes.push_back(operand->shape);
  return ShapeUtil::MakeTupleShape(std::move(shapes));
}

Result<Shape> DeclaredResult(const HloInstruction& instruction, const Shape& declared, std::int64_t i) {
  const std::size_t count = instruction.operands.size();
  if (count == 1 && declared.IsArray()) return declared;
  if (count > 1 && declared.IsTuple() && declared.tuple_shapes().size() == count &&
      declared.tuple_shapes(i).IsArray()) {
    return declared.tuple_shapes(i);
  }
  return Illegal(instruction, "the result of {} operand{} must be {}, found {}", count, count == 1 ? "" : "s",
                 count == 1 ? "an array" : "a tuple of as many arrays", declared.ToStringWithoutLayout());
}

Result<std::int64_t> DeclaredSize(const HloInstruction& instruction, const Shape& result, std::int64_t rank,
                                  std::int64_t dimension) {
  if (result.rank() == rank) return result.dimensions(dimension);
  return Illegal(instruction, "the result must have rank {}, found {}", rank, result.ToStringWithoutLayout());
}

Status CheckShards(const HloInstruction& instruction, std::int64_t whole, std::int64_t shard, std::int64_t group_size) {
  if (shard == 0 && whole == 0) return {};
  if (shard == 0 || whole % shard != 0) {
    return Illegal(instruction, "the size {} of the whole must be a multiple of the size {} of a shard", whole, shard);
  }
  if (group_size != 1 && whole / shard != group_size) {
    return Illegal(instruction, "a group of {} devices has {} shards, found {}", group_size, group_size, whole / shard);
  }
  return {};
}

Status CheckCollectiveReducer(const HloInstruction& instruction) {
  ASSAY_CHECK_OK(CheckArrayOperands(instruction));
  for (const HloInstruction* operand : DataOperands(instruction)) {
    const PrimitiveType types[] = {operand->shape.element_type()};
    ASSAY_TRY(const ReducerResult result, CheckReducer(instruction, instruction.Computation("to_apply"), types, types));
    if (result.is_tuple) return Illegal(instruction, "the reducer must return a scalar, found a tuple");
  }
  return {};
}

Result<Shape> InferAllGather(const HloInstruction& instruction, const Shape& declared) {
  ASSAY_CHECK_OK(CheckArrayOperands(instruction));
  ASSAY_TRY(const std::int64_t dimension, CollectiveDimension(instruction));
  ASSAY_TRY(const std::int64_t group_size, CheckReplicaGroups(instruction));
  std::vector<Shape> gathered;
  for (std::size_t i = 0; i < instruction.operands.size(); ++i) {
    Shape shape = instruction.operands[i]->shape;
    ASSAY_TRY(const Shape result, DeclaredResult(instruction, declared, static_cast<std::int64_t>(i)));
    ASSAY_TRY(const std::int64_t whole, DeclaredSize(instruction, result, shape.rank(), dimension));
    ASSAY_CHECK_OK(CheckShards(instruction, whole, shape.dimensions(dimension), group_size));
    shape.set_dimensions(dimension, whole);
    gathered.push_back(std::move(shape));
  }
  return gathered.size() == 1 ? gathered.front() : ShapeUtil::MakeTupleShape(std::move(gathered));
}

// Checks that all all-reduces of a module agree on constrain_layout.
Status CheckConstrainLayout(const HloInstruction& instruction) {
  for (const auto& computation : instruction.parent->module->computations) {
    for (const auto& other : computation->instructions) {
      if (other->op->legality.infer != InferAllReduce) continue;
      if (other->Bool("constrain_layout") == instruction.Bool("constrain_layout")) return {};
      return Illegal(instruction, "constrain_layout must be that of {}, {}", other->name,
                     other->Bool("constrain_layout"));
    }
  }
  return {};
}

Result<Shape> InferAllReduce(const HloInstruction& instruction) {
  ASSAY_CHECK_OK(CheckConstrainLayout(instruction));
  const auto group_size = CheckReplicaGroups(instruction, GroupRule::kAnySizes);
  if (!group_size) return group_size.error();
  ASSAY_CHECK_OK(CheckCollectiveReducer(instruction));
  return ShapeOfOperands(instruction);
}

Result<Shape> InferCollectivePermute(const HloInstruction& instruction) {
  ASSAY_CHECK_OK(CheckSourceTargetPairs(instruction));
  if (instruction.Has("slice_sizes")) return InferInPlacePermute(instruction);
  ASSAY_CHECK_OK(CheckArrayOperands(instruction));
  return ShapeOfOperands(instruction);
}

Result<Shape> InferDone(const HloInstruction& instruction) {
  const Shape& started = instruction.operand(0).shape;
  if (started.IsTuple() && started.tuple_shapes().size() >= 2) return started.tuple_shapes(1);
  return Illegal(instruction, "operand 0 must be a tuple of operands and results, found {}",
                 started.ToStringWithoutLayout());
}

}  // namespace assay
