#include <algorithm>
#include <numeric>

#include "backends/mutant/break.h"
#include "backends/mutant/families.h"
#include "interpreter/hlo/device.h"

namespace assay {
namespace {

void ForgetGroups(HloInstruction& collective) { collective.Set("replica_groups", ReplicaGroups{}); }

// Returns the groups. No groups become one explicit group of all replicas.
ReplicaGroups GroupsOf(const HloInstruction& collective) {
  const auto* written = collective.Find<ReplicaGroups>("replica_groups");
  ReplicaGroups groups = written != nullptr ? *written : ReplicaGroups{};
  if (groups.groups.empty()) {
    Int64List all(collective.parent->module->replica_count);
    std::iota(all.begin(), all.end(), 0);
    groups.groups.push_back(std::move(all));
  }
  groups.iota_text.clear();
  return groups;
}

void RotateGroups(HloInstruction& collective) {
  ReplicaGroups groups = GroupsOf(collective);
  for (Int64List& group : groups.groups) std::rotate(group.begin(), group.end() - (group.empty() ? 0 : 1), group.end());
  collective.Set("replica_groups", std::move(groups));
}

void ReverseGroups(HloInstruction& collective) {
  ReplicaGroups groups = GroupsOf(collective);
  for (Int64List& group : groups.groups) std::ranges::reverse(group);
  collective.Set("replica_groups", std::move(groups));
}

void KeepOwnBlocks(const HloInstruction& exchange, std::span<const Literal> operands, Literal& result) {
  result = exchange.Has("dimensions") ? operands[0].WithShape(exchange.shape)
                                      : Literal::MakeTuple({operands.begin(), operands.end()});
}

void ReversePairs(HloInstruction& permute) {
  std::vector<Int64List> pairs = *permute.Find<std::vector<Int64List>>("source_target_pairs");
  for (Int64List& pair : pairs) std::ranges::reverse(pair);
  permute.Set("source_target_pairs", std::move(pairs));
}

void ForgetOutput(HloInstruction&, std::vector<Literal>& operands) { operands[1] = Literal(operands[1].shape()); }

// Returns the operand on a device that no pair names as its target.
Literal KeepWithoutSource(const HloInstruction& permute, std::span<Literal> operands, Evaluation& evaluation) {
  const DeviceId id = evaluation.device().id();
  const std::vector<Literal> seen(operands.begin(), operands.end());
  Literal result = EvaluateWhole(permute, operands, evaluation);
  const bool is_partition = permute.Has("channel_id") && evaluation.device().partition_count() > 1;
  const auto* pairs = permute.Find<std::vector<Int64List>>("source_target_pairs");
  const bool has_source = pairs == nullptr || std::ranges::any_of(*pairs, [&](const Int64List& pair) {
                            return pair[1] == (is_partition ? id.partition : id.replica);
                          });
  if (!has_source && seen.size() == 1 && permute.shape.IsArray()) result = seen[0].WithShape(permute.shape);
  return result;
}

Literal ReplicaInstead(const HloInstruction&, std::span<Literal>, Evaluation& evaluation) {
  return LiteralUtil::CreateR0(U32, static_cast<std::uint32_t>(evaluation.device().id().replica));
}

Literal FlattenedInstead(const HloInstruction&, std::span<Literal>, Evaluation& evaluation) {
  const Device& device = evaluation.device();
  return LiteralUtil::CreateR0(
      U32, static_cast<std::uint32_t>(device.id().replica * device.partition_count() + device.id().partition));
}

void IncludeUpperBound(HloInstruction& rng, std::vector<Literal>& operands) {
  if (!IsIntegralType(rng.shape.element_type())) return;
  SetInteger(operands[1], 0, operands[1].IntegerAt(0) + 1);
}

void ForgetDelta(HloInstruction& state) { state.Set("delta", std::int64_t{0}); }

void KeepState(const HloInstruction& generator, std::span<const Literal> operands, Literal& result) {
  if (generator.shape.IsTuple()) result.mutable_elements()[0] = operands[0].WithShape(generator.shape.tuple_shapes(0));
}

Literal BoundOf(const HloInstruction& size, std::span<Literal>, Evaluation&) {
  return LiteralUtil::CreateR0(
      S32, static_cast<std::int32_t>(size.operand(0).shape.dimensions(size.Int64s("dimensions")[0])));
}

Literal IgnoreSize(const HloInstruction& set, std::span<Literal> operands, Evaluation&) {
  return operands[0].WithShape(set.shape);
}

}  // namespace

std::vector<Mutant> DeviceMutants() {
  return {
      {"all_gather_done_early", "all-gather-done", "the end does not wait: the second half has not arrived",
       BreakResult<ForgetHalfOfResult>},
      {"all_gather_order", "all-gather", "parts are joined in the reverse order of the group", nullptr, ReverseGroups},
      {"all_gather_start_order", "all-gather-start", "parts are joined in the reverse order of the group", nullptr,
       ReverseGroups},
      {"all_reduce_done_early", "all-reduce-done", "the end does not wait: the second half has not arrived",
       BreakResult<ForgetHalfOfResult>},
      {"all_reduce_ignores_groups", "all-reduce", "replica_groups is ignored: all devices take part", nullptr,
       ForgetGroups},
      {"all_reduce_start_ignores_groups", "all-reduce-start", "replica_groups is ignored: all devices take part",
       nullptr, ForgetGroups},
      {"all_to_all_keeps_blocks", "all-to-all", "nothing is exchanged", BreakResult<KeepOwnBlocks>},
      {"collective_broadcast_from_last", "collective-broadcast", "the last device of a group is the source", nullptr,
       ReverseGroups},
      {"collective_permute_done_operand", "collective-permute-done", "the operand is handed over, not what came",
       BreakResult<EndWithOperand>},
      {"collective_permute_missing_source", "collective-permute", "a device without a source keeps its operand",
       [](Op& op) { op.evaluation.evaluate = KeepWithoutSource; }},
      {"collective_permute_start_turned", "collective-permute-start", "pairs are taken for (target, source)", nullptr,
       ReversePairs},
      {"collective_reduce_to_last", "collective-reduce", "the last device of a group has the result", nullptr,
       ReverseGroups},
      {"get_dimension_size_static", "get-dimension-size", "the size is the bound",
       [](Op& op) { op.evaluation.evaluate = BoundOf; }},
      {.id = "optimization_barrier_dropped",
       .op = "opt-barrier",
       .rule = "the barrier is dropped, which no result shows",
       .is_control = true},
      {"partition_id_is_replica_id", "partition-id", "the partition id is the replica id",
       [](Op& op) { op.evaluation.evaluate = ReplicaInstead; }},
      {"ragged_all_to_all_forgets_output", "ragged-all-to-all", "rows that nobody sends are zero",
       BreakOperands<ForgetOutput>},
      {"reduce_scatter_rotated", "reduce-scatter", "shard k goes to the next device", nullptr, RotateGroups},
      {"replica_id_is_flattened", "replica-id", "the replica id counts partitions too",
       [](Op& op) { op.evaluation.evaluate = FlattenedInstead; }},
      {"rng_bit_generator_state", "rng-bit-generator", "the state is not advanced", BreakResult<KeepState>},
      {"rng_includes_upper_bound", "rng", "uniform integers are in [a, b], not [a, b)",
       BreakOperands<IncludeUpperBound>},
      {"rng_state_not_advanced", "rng-get-and-update-state", "the state is not advanced by delta", nullptr,
       ForgetDelta},
      {"set_dimension_size_ignored", "set-dimension-size", "the run-time size is ignored: padding is there",
       [](Op& op) { op.evaluation.evaluate = IgnoreSize; }},
  };
}

}  // namespace assay
