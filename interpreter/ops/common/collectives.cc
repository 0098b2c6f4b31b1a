#include "interpreter/ops/common/collectives.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <optional>
#include <utility>

#include "interpreter/numerics/sum_axis.h"
#include "interpreter/ops/common/collective_rules.h"
#include "interpreter/ops/common/fold.h"
#include "interpreter/ops/common/strided_copy.h"
#include "interpreter/types/index_util.h"

namespace assay {
namespace {

// The ids that the running device has under a mode, and the devices that an id stands for.
std::int64_t IdUnder(CollectiveGroupMode mode, const Device& device) {
  switch (mode) {
    case CollectiveGroupMode::kCrossPartition:
      return device.id().partition;
    case CollectiveGroupMode::kFlattenedId:
      return device.id().replica * device.partition_count() + device.id().partition;
    default:
      return device.id().replica;
  }
}

std::int64_t IdCount(CollectiveGroupMode mode, const Device& device) {
  switch (mode) {
    case CollectiveGroupMode::kCrossPartition:
      return device.partition_count();
    case CollectiveGroupMode::kFlattenedId:
      return device.replica_count() * device.partition_count();
    default:
      return device.replica_count();
  }
}

void AddDevices(CollectiveGroupMode mode, std::int64_t id, const Device& device, std::vector<DeviceId>& devices) {
  switch (mode) {
    case CollectiveGroupMode::kCrossReplica:
      devices.push_back({id, device.id().partition});
      break;
    case CollectiveGroupMode::kCrossPartition:
      devices.push_back({device.id().replica, id});
      break;
    case CollectiveGroupMode::kCrossReplicaAndPartition:
      for (std::int64_t p = 0; p < device.partition_count(); ++p) devices.push_back({id, p});
      break;
    case CollectiveGroupMode::kFlattenedId:
      devices.push_back({id / device.partition_count(), id % device.partition_count()});
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

// Contributions k = 1, 2, ... of one array, each after the other.
std::vector<std::byte> Stacked(std::span<const std::vector<Literal>> brought, std::size_t i) {
  const std::int64_t bytes = brought[0][i].byte_size();
  std::vector<std::byte> stack(bytes * (brought.size() - 1));
  for (std::size_t k = 1; k < brought.size() && bytes > 0; ++k) {
    std::memcpy(stack.data() + (k - 1) * bytes, brought[k][i].data(), bytes);
  }
  return stack;
}

Literal FoldOne(const ScalarFunction& reducer, std::span<const std::vector<Literal>> brought, std::size_t i) {
  Literal result = brought[0][i];
  const std::int64_t count = result.element_count();
  const auto n = static_cast<std::int64_t>(brought.size()) - 1;
  if (count == 0 || n == 0) return result;
  const PrimitiveType type = result.element_type();
  const std::vector<std::byte> stack = Stacked(brought, i);
  switch (KindOfReduction(reducer, type)) {
    case ReductionKind::kExactSum: {
      const bool is_complex = IsComplexType(type);
      const std::int64_t reals = is_complex ? 2 * count : count;
      Literal sum = Literal::Uninitialized(result.shape());
      SumAxis(is_complex ? ComplexComponentType(type) : type, stack.data(), 1, n, reals, result.data(), reals,
              sum.mutable_data());
      return sum;
    }
    case ReductionKind::kOrderFree:
      FoldSlicesInAnyOrder(reducer, {stack.data(), type, result.mutable_data(), type}, n, count);
      return result;
    case ReductionKind::kCanonical: {
      const FoldedArray array = {stack.data(), type, result.mutable_data(), type};
      FoldSlices(reducer, {&array, 1}, n, count);
      return result;
    }
  }
  return result;
}

// brought[k][i] for every k, joined along a dimension in the order of k.
Literal Concatenated(std::span<const std::vector<Literal>> brought, std::size_t i, std::int64_t dimension) {
  Shape shape = brought[0][i].shape();
  shape.set_dimensions(dimension, shape.dimensions(dimension) * static_cast<std::int64_t>(brought.size()));
  Literal result = Literal::Uninitialized(shape);
  if (result.element_count() == 0) return result;
  const auto strides = RowMajorStrides(shape.dimensions());
  const int bytes = StorageBytes(shape.element_type());
  for (std::size_t k = 0; k < brought.size(); ++k) {
    const Dimensions& part = brought[k][i].shape().dimensions();
    const std::int64_t offset = static_cast<std::int64_t>(k) * part[dimension] * strides[dimension];
    StridedCopy(bytes, part, RowMajorStrides(part), strides)
        .ParallelCopy(brought[k][i].data(), result.mutable_data() + offset * bytes);
  }
  return result;
}

// The offsets of a window inside an array, so that it fits.
std::int64_t WindowOffset(const Literal& offsets, const Shape& array, const Int64List& sizes) {
  const auto strides = RowMajorStrides(array.dimensions());
  std::int64_t offset = 0;
  for (std::size_t d = 0; d < sizes.size(); ++d) {
    const std::int64_t start = offsets.elements()[d].IntegerAt(0);
    offset +=
        std::clamp<std::int64_t>(start, 0, array.dimensions(static_cast<std::int64_t>(d)) - sizes[d]) * strides[d];
  }
  return offset;
}

// The in-place form: a window of what the source brought lands in a window of the target's output.
Literal PermuteWindow(const HloInstruction& permute, const std::vector<Literal>* from,
                      const std::vector<Literal>& own) {
  Literal result = own[1];
  if (from == nullptr) return result;
  const Int64List& sizes = permute.Find<std::vector<Int64List>>("slice_sizes")->front();
  const int bytes = StorageBytes(result.element_type());
  // Each device says where its own windows are.
  const std::int64_t read = WindowOffset((*from)[2], (*from)[0].shape(), sizes);
  const std::int64_t written = WindowOffset(own[3], result.shape(), sizes);
  StridedCopy(bytes, sizes, RowMajorStrides((*from)[0].shape().dimensions()),
              RowMajorStrides(result.shape().dimensions()))
      .ParallelCopy((*from)[0].data() + read * bytes, result.mutable_data() + written * bytes);
  return result;
}

Literal Permuted(const HloInstruction& permute, const std::vector<Literal>* from, const std::vector<Literal>& own) {
  if (permute.Has("slice_sizes")) return PermuteWindow(permute, from, own);
  if (from != nullptr) return Joined(*from);
  std::vector<Literal> zeros;
  for (const Literal& operand : own) zeros.emplace_back(operand.shape());
  return Joined(std::move(zeros));
}

}  // namespace

std::vector<DeviceId> ParticipantsOf(const HloInstruction& collective, const Device& device) {
  const CollectiveGroupMode mode = *GroupModeOf(collective);
  const std::int64_t self = IdUnder(mode, device), count = IdCount(mode, device);
  std::vector<DeviceId> participants;
  const auto* written = collective.Find<ReplicaGroups>("replica_groups");
  if (written == nullptr || written->groups.empty()) {
    for (std::int64_t id = 0; id < count; ++id) AddDevices(mode, id, device, participants);
    return participants;
  }
  for (const Int64List& group : written->groups) {
    if (std::ranges::find(group, self) == group.end()) continue;
    for (const std::int64_t id : group) {
      CheckRuns(collective, "replica_groups", id, count);
      AddDevices(mode, id, device, participants);
    }
  }
  return participants;
}

std::size_t RootOf(const HloInstruction& instruction, std::span<const std::vector<Literal>> brought, std::size_t i) {
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

std::vector<Literal> FoldContributions(const ScalarFunction& reducer, std::span<const std::vector<Literal>> brought) {
  std::vector<Literal> folded;
  for (std::size_t i = 0; i < brought[0].size(); ++i) folded.push_back(FoldOne(reducer, brought, i));
  return folded;
}

Literal EvaluateAllReduce(const HloInstruction& instruction, std::span<Literal> operands, Evaluation& evaluation) {
  Device& device = evaluation.device();
  return device.Meet(instruction, ParticipantsOf(instruction, device), {operands.begin(), operands.end()},
                     [&](std::span<const std::vector<Literal>> brought) {
                       const auto reducer = evaluation.Scalar(instruction.Computation("to_apply"));
                       return std::vector<Literal>(brought.size(), Joined(FoldContributions(*reducer, brought)));
                     });
}

Literal EvaluateAllGather(const HloInstruction& instruction, std::span<Literal> operands, Evaluation& evaluation) {
  Device& device = evaluation.device();
  const std::int64_t dimension = instruction.Int64s("dimensions")[0];
  const auto participants = ParticipantsOf(instruction, device);
  // The start's result is (operands, gathered).
  const Shape& result = instruction.op->legality.done.empty() ? instruction.shape : instruction.shape.tuple_shapes(1);
  CheckShardCount(instruction, ElementOrSelf(result), operands[0].shape(), participants.size());
  return device.Meet(instruction, participants, {operands.begin(), operands.end()},
                     [&](std::span<const std::vector<Literal>> brought) {
                       std::vector<Literal> gathered;
                       for (std::size_t i = 0; i < brought[0].size(); ++i) {
                         gathered.push_back(Concatenated(brought, i, dimension));
                       }
                       return std::vector<Literal>(brought.size(), Joined(std::move(gathered)));
                     });
}

// Every device that a pair names meets the others; one that none names has nothing to wait for.
Literal EvaluateCollectivePermute(const HloInstruction& instruction, std::span<Literal> operands,
                                  Evaluation& evaluation) {
  Device& device = evaluation.device();
  const CollectiveGroupMode mode =
      instruction.Has("channel_id") ? CollectiveGroupMode::kCrossPartition : CollectiveGroupMode::kCrossReplica;
  const auto& pairs = *instruction.Find<std::vector<Int64List>>("source_target_pairs");
  std::vector<std::int64_t> ids;
  for (const Int64List& pair : pairs) ids.insert(ids.end(), pair.begin(), pair.end());
  std::ranges::sort(ids);
  ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
  std::vector<DeviceId> participants;
  for (const std::int64_t id : ids) {
    CheckRuns(instruction, "source_target_pairs", id, IdCount(mode, device));
    AddDevices(mode, id, device, participants);
  }
  std::vector<Literal> own(operands.begin(), operands.end());
  if (std::ranges::find(participants, device.id()) == participants.end()) return Permuted(instruction, nullptr, own);
  return device.Meet(instruction, participants, std::move(own), [&](std::span<const std::vector<Literal>> brought) {
    std::vector<Literal> results;
    for (std::size_t k = 0; k < brought.size(); ++k) {
      const auto pair = std::ranges::find(pairs, ids[k], [](const Int64List& p) { return p[1]; });
      const std::vector<Literal>* from =
          pair == pairs.end() ? nullptr : &brought[std::ranges::find(ids, (*pair)[0]) - ids.begin()];
      results.push_back(Permuted(instruction, from, brought[k]));
    }
    return results;
  });
}

Literal StartCollective(const HloInstruction& instruction, const Shape& result, std::span<Literal> operands,
                        Evaluation& evaluation, CollectiveBody body) {
  const auto kept = std::make_shared<std::vector<Literal>>(operands.begin(), operands.end());
  return evaluation.device().Start(
      instruction, result, [&instruction, kept, body](Evaluation& flow) { return body(instruction, *kept, flow); });
}

Literal StartCollectiveTuple(const HloInstruction& instruction, std::span<Literal> operands, Evaluation& evaluation,
                             CollectiveBody body) {
  const std::vector<Shape>& shapes = instruction.shape.tuple_shapes();
  std::vector<Literal> elements = {Joined({operands.begin(), operands.end()})};
  elements.push_back(StartCollective(instruction, shapes[1], operands, evaluation, body));
  for (std::size_t i = 2; i < shapes.size(); ++i) elements.emplace_back(shapes[i]);
  return Literal::MakeTuple(std::move(elements));
}

Literal EvaluateDone(const HloInstruction& instruction, std::span<Literal> operands, Evaluation& evaluation) {
  return evaluation.device().Await(instruction, operands[0].elements()[1]);
}

}  // namespace assay
