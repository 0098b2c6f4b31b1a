#include "interpreter/ops/common/collectives.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <utility>

#include "interpreter/ops/common/collective_rules.h"

namespace assay {

using namespace plain;

namespace {

// Returns the id that a device has under a mode.
std::int64_t IdUnder(CollectiveGroupMode mode, const DevicePlace& device) {
  switch (mode) {
    case CollectiveGroupMode::kCrossPartition:
      return device.id.partition;
    case CollectiveGroupMode::kFlattenedId:
      return device.id.replica * device.partition_count + device.id.partition;
    default:
      return device.id.replica;
  }
}

std::int64_t IdCount(CollectiveGroupMode mode, const DevicePlace& device) {
  switch (mode) {
    case CollectiveGroupMode::kCrossPartition:
      return device.partition_count;
    case CollectiveGroupMode::kFlattenedId:
      return device.replica_count * device.partition_count;
    default:
      return device.replica_count;
  }
}

void AddDevicesOf(CollectiveGroupMode mode, std::int64_t id, const DevicePlace& device,
                  std::vector<DeviceId>& devices) {
  switch (mode) {
    case CollectiveGroupMode::kCrossReplica:
      devices.push_back({id, device.id.partition});
      break;
    case CollectiveGroupMode::kCrossPartition:
      devices.push_back({device.id.replica, id});
      break;
    case CollectiveGroupMode::kCrossReplicaAndPartition:
      for (std::int64_t p = 0; p < device.partition_count; ++p) devices.push_back({id, p});
      break;
    case CollectiveGroupMode::kFlattenedId:
      devices.push_back({id / device.partition_count, id % device.partition_count});
      break;
  }
}

void CheckRuns(const HloInstruction& collective, std::string_view list, std::int64_t id, std::int64_t count) {
  if (id < count) return;
  throw EvaluationError{
      {ErrorCode::kInput,
       fmt::format("{} names {}, but only {} run: the module needs more replicas or partitions", list, id, count),
       collective.location}};
}

}  // namespace

std::vector<DeviceId> ParticipantsOf(const HloInstruction& collective, const DevicePlace& device) {
  const CollectiveGroupMode mode = *GroupModeOf(collective);
  const std::int64_t self = IdUnder(mode, device), count = IdCount(mode, device);
  std::vector<DeviceId> participants;
  const auto* written = collective.Find<ReplicaGroups>("replica_groups");
  if (written == nullptr || written->groups.empty()) {
    for (std::int64_t id = 0; id < count; ++id) AddDevicesOf(mode, id, device, participants);
    return participants;
  }
  for (const Int64List& group : written->groups) {
    if (std::ranges::find(group, self) == group.end()) continue;
    participants = DevicesInGroup(collective, "replica_groups", mode, group, device);
  }
  return participants;
}

std::vector<DeviceId> DevicesInGroup(const HloInstruction& collective, std::string_view list, CollectiveGroupMode mode,
                                     std::span<const std::int64_t> ids, const DevicePlace& device) {
  std::vector<DeviceId> devices;
  for (const std::int64_t id : ids) {
    CheckRuns(collective, list, id, IdCount(mode, device));
    AddDevicesOf(mode, id, device, devices);
  }
  return devices;
}

std::size_t RootOf(const HloInstruction& instruction, Contributions brought, std::size_t i) {
  if (!instruction.IsSet("has_dynamic_root")) return 0;
  const std::int64_t root = brought[0].back().IntegerAt(static_cast<std::int64_t>(i));
  if (root >= 0 && root < static_cast<std::int64_t>(brought.size())) return static_cast<std::size_t>(root);
  throw EvaluationError{{ErrorCode::kInput,
                         fmt::format("{}: root {} is outside [0, {})", instruction.op->name, root, brought.size()),
                         instruction.location}};
}

const Shape& ElementOrSelf(const Shape& shape) { return shape.IsTuple() ? shape.tuple_shapes(0) : shape; }

void CheckShardCount(const HloInstruction& instruction, const Shape& whole, const Shape& shard, std::size_t devices) {
  const std::int64_t dimension = instruction.Int64s("dimensions")[0];
  if (whole.dimensions(dimension) == shard.dimensions(dimension) * static_cast<std::int64_t>(devices)) return;
  throw EvaluationError{
      {ErrorCode::kInput,
       fmt::format("{}: a group of {} devices runs, but {} is not as many times {}", instruction.op->name, devices,
                   whole.ToStringWithoutLayout(), shard.ToStringWithoutLayout()),
       instruction.location}};
}

Literal Joined(std::vector<Literal> arrays) {
  return arrays.size() == 1 ? std::move(arrays[0]) : Literal::MakeTuple(std::move(arrays));
}

Index Along(std::size_t rank, std::int64_t dimension, std::int64_t position) {
  Index index(rank, 0);
  index[dimension] = position;
  return index;
}

namespace {

// folded[index] = to_apply(... to_apply(operand_0[index], operand_1[index]) ..., operand_{n-1}[index]). The fold of one
// device is its operand, including the bits of its NaNs.
Literal FoldEachElement(const HloComputation& to_apply, Contributions brought, std::size_t i, Evaluation& evaluation) {
  if (brought.size() == 1) return brought[0][i];
  const Folder folder(to_apply, evaluation);
  Literal folded = brought[0][i];
  ForEachIndex(folded.shape().dimensions(), [&](const Index& index) {
    Fold fold = folder.From({At(brought[0][i], index)});
    for (std::size_t k = 1; k < brought.size(); ++k) fold.Add({At(brought[k][i], index)});
    Set(folded, index, fold.Result().front());
  });
  return folded;
}

void CopyEachElement(const Literal& from, const Index& from_start, Literal& to, const Index& to_start, Bounds sizes) {
  ForEachIndex(sizes, [&](const Index& j) {
    Index source = from_start, target = to_start;
    for (std::size_t d = 0; d < j.size(); ++d) {
      source[d] += j[d];
      target[d] += j[d];
    }
    Set(to, target, At(from, source));
  });
}

}  // namespace

const CollectiveSteps kPlainSteps = {.fold = FoldEachElement, .copy = CopyEachElement};

Literal StartCollective(const HloInstruction& instruction, const Shape& result, std::span<Literal> operands,
                        Evaluation& evaluation, CollectiveBody body, const CollectiveSteps& steps) {
  const auto kept = std::make_shared<std::vector<Literal>>(operands.begin(), operands.end());
  return evaluation.device().Start(instruction, result, [&instruction, kept, body, &steps](Evaluation& flow) {
    return body(instruction, *kept, flow, steps);
  });
}

Literal StartCollectiveTuple(const HloInstruction& instruction, std::span<Literal> operands, Evaluation& evaluation,
                             CollectiveBody body, const CollectiveSteps& steps) {
  const std::vector<Shape>& shapes = instruction.shape.tuple_shapes();
  // In place, the offsets and the output are no part of the result.
  const std::span<Literal> kept = instruction.Has("slice_sizes") ? operands.first(1) : operands;
  std::vector<Literal> elements = {Joined({kept.begin(), kept.end()})};
  elements.push_back(StartCollective(instruction, shapes[1], operands, evaluation, body, steps));
  for (std::size_t i = 2; i < shapes.size(); ++i) elements.emplace_back(shapes[i]);
  return Literal::MakeTuple(std::move(elements));
}

Literal EvaluateDone(const HloInstruction& instruction, std::span<Literal> operands, Evaluation& evaluation) {
  return evaluation.device().Await(instruction, operands[0].elements()[1]);
}

}  // namespace assay
