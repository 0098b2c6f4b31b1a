// The bodies of collectives, for the ops themselves, their asynchronous starts and their kernels.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "interpreter/hlo/device.h"
#include "interpreter/hlo/op.h"
#include "interpreter/ops/common/collective_rules.h"
#include "interpreter/ops/plain/plain.h"
#include "interpreter/types/literal.h"

namespace assay {

// A device in the grid of all that run.
struct DevicePlace {
  DeviceId id;
  std::int64_t replica_count = 1, partition_count = 1;

  DevicePlace(DeviceId self, std::int64_t replicas, std::int64_t partitions)
      : id(self), replica_count(replicas), partition_count(partitions) {}
  // NOLINTNEXTLINE(google-explicit-constructor): a running device is in its place.
  DevicePlace(const Device& device) : DevicePlace(device.id(), device.replica_count(), device.partition_count()) {}
};

// Returns the devices of a device's group, in the group's order; empty if no group contains it. Throws EvaluationError
// if a group names a device that does not run.
std::vector<DeviceId> ParticipantsOf(const HloInstruction& collective, const DevicePlace& device);

// Returns the devices with these ids, in this order. `list` is the attribute that holds the ids.
std::vector<DeviceId> DevicesInGroup(const HloInstruction& collective, std::string_view list, CollectiveGroupMode mode,
                                     std::span<const std::int64_t> ids, const DevicePlace& device);

// The operands of each device of a group, in the group's order.
using Contributions = std::span<const std::vector<Literal>>;

// The two steps of collectives. A definition does both element by element.
struct CollectiveSteps {
  // Returns operand i of all devices, folded element by element in the order of the group.
  Literal (*fold)(const HloComputation& to_apply, Contributions brought, std::size_t i, Evaluation& evaluation);
  // to[to_start + j] = from[from_start + j] for every index j below `sizes`.
  void (*copy)(const Literal& from, const plain::Index& from_start, Literal& to, const plain::Index& to_start,
               plain::Bounds sizes);
};
extern const CollectiveSteps kPlainSteps;

// Returns the index with `position` in one dimension and 0 in the others.
plain::Index Along(std::size_t rank, std::int64_t dimension, std::int64_t position);

// The bodies of collectives. Each is defined in the file of its op.
using CollectiveBody = Literal (*)(const HloInstruction&, std::span<Literal> operands, Evaluation&,
                                   const CollectiveSteps&);
Literal AllGather(const HloInstruction&, std::span<Literal> operands, Evaluation&, const CollectiveSteps&);
Literal AllReduce(const HloInstruction&, std::span<Literal> operands, Evaluation&, const CollectiveSteps&);
Literal AllToAll(const HloInstruction&, std::span<Literal> operands, Evaluation&, const CollectiveSteps&);
Literal CollectivePermute(const HloInstruction&, std::span<Literal> operands, Evaluation&, const CollectiveSteps&);
Literal CollectiveReduce(const HloInstruction&, std::span<Literal> operands, Evaluation&, const CollectiveSteps&);
Literal RaggedAllToAll(const HloInstruction&, std::span<Literal> operands, Evaluation&, const CollectiveSteps&);
Literal ReduceScatter(const HloInstruction&, std::span<Literal> operands, Evaluation&, const CollectiveSteps&);

// Returns the participant whose operand i is the root: the first, or the one named by the first's has_dynamic_root
// operand.
std::size_t RootOf(const HloInstruction& instruction, Contributions brought, std::size_t i);

// Checks that `whole` has as many shards as the group has devices. Throws EvaluationError.
void CheckShardCount(const HloInstruction& instruction, const Shape& whole, const Shape& shard, std::size_t devices);
// Returns the shape of an array, or that of a tuple's first element.
const Shape& ElementOrSelf(const Shape& shape);

// Returns the array itself if there is one, otherwise a tuple.
Literal Joined(std::vector<Literal> arrays);

// Runs the body asynchronously and returns its pending result.
Literal StartCollective(const HloInstruction& instruction, const Shape& result, std::span<Literal> operands,
                        Evaluation& evaluation, CollectiveBody body, const CollectiveSteps& steps);
// Implements an "X-start" whose result is (operands, results, contexts...), or (input, output, contexts...) in place.
// Element 1 is pending.
Literal StartCollectiveTuple(const HloInstruction& instruction, std::span<Literal> operands, Evaluation& evaluation,
                             CollectiveBody body, const CollectiveSteps& steps);

// Implement Op::evaluate of a collective, of all-reduce-start, whose result is the pending one, and of any other
// "X-start", by the body of the collective in these steps.
template <CollectiveBody body, const CollectiveSteps& steps>
Literal EvaluateCollective(const HloInstruction& instruction, std::span<Literal> operands, Evaluation& evaluation) {
  return body(instruction, operands, evaluation, steps);
}
template <CollectiveBody body, const CollectiveSteps& steps>
Literal EvaluatePending(const HloInstruction& instruction, std::span<Literal> operands, Evaluation& evaluation) {
  return StartCollective(instruction, instruction.shape, operands, evaluation, body, steps);
}
template <CollectiveBody body, const CollectiveSteps& steps>
Literal EvaluateStart(const HloInstruction& instruction, std::span<Literal> operands, Evaluation& evaluation) {
  return StartCollectiveTuple(instruction, operands, evaluation, body, steps);
}
// Implements the "X-done" of such a tuple.
Literal EvaluateDone(const HloInstruction& instruction, std::span<Literal> operands, Evaluation& evaluation);

}  // namespace assay
