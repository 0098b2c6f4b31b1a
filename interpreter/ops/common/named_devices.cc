#include "interpreter/ops/common/named_devices.h"

#include <fmt/format.h>

#include <algorithm>

#include "interpreter/hlo/op.h"
#include "interpreter/ops/common/collective_rules.h"
#include "interpreter/ops/common/collectives.h"
#include "interpreter/ops/common/transfer_rules.h"

namespace assay {
namespace {

// The largest number of ids of one kind, and the instruction that names them.
struct Named {
  std::int64_t count = 1;
  std::string by;

  void Raise(std::int64_t other, const HloInstruction& instruction, std::string_view what, std::string_view verb) {
    if (other <= count) return;
    count = other;
    by =
        fmt::format("{} of {} (line {}) {} {} devices", what, instruction.name, instruction.location.line, verb, other);
  }
};

std::int64_t IdLimit(const std::vector<Int64List>& lists) {
  std::int64_t limit = 0;
  for (const Int64List& list : lists) {
    for (const std::int64_t id : list) limit = std::max(limit, id == INT64_MAX ? id : id + 1);
  }
  return limit;
}

// Returns the group size that the shapes of a collective without groups imply: the ratio of a dimension before and
// after, or one device for each operand. Returns 1 if they imply none.
std::int64_t GroupSizeOfShapes(const HloInstruction& collective) {
  const Shape& operand = collective.operand(0).shape;
  const Shape& result = collective.shape;
  const bool has_dimensions = collective.op->FindAttribute("dimensions") != nullptr;
  const auto dimensions = has_dimensions ? collective.Int64s("dimensions") : std::span<const std::int64_t>();
  if (dimensions.empty()) {
    const bool is_exchange = has_dimensions;
    return is_exchange ? static_cast<std::int64_t>(collective.operands.size()) : 1;
  }
  // A start's result is (operands, results).
  const Shape& after = ElementOrSelf(collective.op->legality.done.empty() ? result : result.tuple_shapes(1));
  const std::int64_t before = operand.dimensions(dimensions[0]), now = after.dimensions(dimensions[0]);
  const std::int64_t small = std::min(before, now);
  return small > 0 ? std::max(before, now) / small : 1;
}

struct AxisCounts {
  Named replicas, partitions, flattened;

  void Add(const HloInstruction& instruction) {
    if (instruction.op->FindAttribute("replica_groups") != nullptr) return AddGroups(instruction);
    if (const auto* pairs = instruction.Find<std::vector<Int64List>>("source_target_pairs")) {
      Named& ids = instruction.Has("channel_id") ? partitions : replicas;
      ids.Raise(IdLimit(*pairs), instruction, "source_target_pairs", "name");
    }
    if (const std::int64_t devices = DevicesInPairs(instruction); devices > 1) {
      Named& ids = instruction.parent->module->num_partitions > 1 ? partitions : replicas;
      ids.Raise(devices, instruction, "the source-target pairs", "name");
    }
  }

  void AddGroups(const HloInstruction& collective) {
    const auto mode = *GroupModeOf(collective);
    const auto* written = collective.Find<ReplicaGroups>("replica_groups");
    const bool has_groups = written != nullptr && !written->groups.empty();
    const bool is_both = mode == CollectiveGroupMode::kCrossReplicaAndPartition;
    Named& ids = mode == CollectiveGroupMode::kCrossPartition                            ? partitions
                 : mode == CollectiveGroupMode::kFlattenedId || (is_both && !has_groups) ? flattened
                                                                                         : replicas;
    if (has_groups) {
      ids.Raise(IdLimit(written->groups), collective, "replica_groups", "name");
    } else {
      ids.Raise(GroupSizeOfShapes(collective), collective, "the shapes", "need");
    }
  }
};

}  // namespace

NamedDevices DevicesNamedBy(const HloModule& module) {
  AxisCounts counts;
  for (const auto& computation : module.computations) {
    for (const auto& instruction : computation->instructions) counts.Add(*instruction);
  }
  NamedDevices named = {std::max(counts.replicas.count, module.replica_count),
                        std::max(counts.partitions.count, module.num_partitions), ""};
  const Named& most =
      std::max(counts.replicas, counts.partitions, [](const Named& a, const Named& b) { return a.count < b.count; });
  named.why = most.by;
  std::int64_t devices = 0;
  if (!__builtin_mul_overflow(named.replicas, named.partitions, &devices) && counts.flattened.count > devices) {
    named.replicas = (counts.flattened.count - 1) / named.partitions + 1;
    named.why = counts.flattened.by;
  }
  return named;
}

}  // namespace assay
