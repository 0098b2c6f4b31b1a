#include "conformance/pairs/entry_bridge.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <string_view>
#include <utility>

#include "interpreter/hlo/op.h"
#include "interpreter/hlo/sharding_text.h"
#include "interpreter/hlo/shards.h"

namespace assay {
namespace {

// A leaf of an entry's parameters or result.
struct EntryLeaf {
  Shape shape;
  std::string sharding;  // empty: none is written
};

void AppendShapes(const Shape& shape, std::vector<EntryLeaf>& leaves) {
  if (!shape.IsTuple()) return leaves.push_back({shape, {}});
  for (const Shape& element : shape.tuple_shapes()) AppendShapes(element, leaves);
}

// Returns the leaves of a value with their shardings. The root's tuple may have none, but its operands may.
std::vector<EntryLeaf> LeavesOfValue(const HloInstruction& instruction) {
  std::vector<EntryLeaf> leaves;
  const auto sharding = instruction.annotations.find("sharding");
  if (sharding == instruction.annotations.end() && instruction.op->role == OpRole::kTuple) {
    for (const HloInstruction* operand : instruction.operands) {
      const std::vector<EntryLeaf> own = LeavesOfValue(*operand);
      leaves.insert(leaves.end(), own.begin(), own.end());
    }
    return leaves;
  }
  AppendShapes(instruction.shape, leaves);
  if (sharding == instruction.annotations.end()) return leaves;
  const std::vector<std::string> texts = ShardingsOfLeaves(sharding->second, leaves.size());
  for (std::size_t i = 0; i < texts.size(); ++i) leaves[i].sharding = texts[i];
  return leaves;
}

std::vector<EntryLeaf> LeavesOfParameters(const HloModule& module) {
  std::vector<EntryLeaf> leaves;
  for (const HloInstruction* parameter : module.entry->Parameters()) {
    const std::vector<EntryLeaf> own = LeavesOfValue(*parameter);
    leaves.insert(leaves.end(), own.begin(), own.end());
  }
  return leaves;
}

void AppendArrays(const Literal& value, std::vector<Literal>& arrays) {
  if (!value.shape().IsTuple()) return arrays.push_back(value);
  for (const Literal& element : value.elements()) AppendArrays(element, arrays);
}

// Assembles a value of a shape from its next leaves.
Literal ValueOfLeaves(const Shape& shape, std::span<const Literal>& leaves) {
  if (!shape.IsTuple()) {
    const Literal& leaf = leaves.front();
    leaves = leaves.subspan(1);
    return leaf;
  }
  std::vector<Literal> elements;
  for (const Shape& element : shape.tuple_shapes()) elements.push_back(ValueOfLeaves(element, leaves));
  return Literal::MakeTuple(std::move(elements));
}

std::vector<Literal> LeavesOfArguments(std::span<const Literal> arguments) {
  std::vector<Literal> leaves;
  for (const Literal& argument : arguments) AppendArrays(argument, leaves);
  return leaves;
}

Error Mismatch(std::string message) {
  return {ErrorCode::kInput, "the modules have different interfaces: " + std::move(message)};
}

std::string CountText(std::size_t count, std::string_view what) {
  return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

Status CheckLeaves(const std::vector<EntryLeaf>& before, const std::vector<EntryLeaf>& after, std::string_view what) {
  if (before.size() != after.size()) {
    return Mismatch(fmt::format("{} before, {} after", CountText(before.size(), what), after.size()));
  }
  for (std::size_t i = 0; i < before.size(); ++i) {
    const Shape &whole = before[i].shape, &part = after[i].shape;
    if (whole.element_type() != part.element_type() || whole.rank() != part.rank()) {
      return Mismatch(fmt::format("{} {} is {} before, {} after", what, i, whole.ToStringWithoutLayout(),
                                  part.ToStringWithoutLayout()));
    }
  }
  return {};
}

bool HaveSameSizes(const std::vector<EntryLeaf>& before, const std::vector<EntryLeaf>& after) {
  return std::ranges::equal(before, after, [](const EntryLeaf& a, const EntryLeaf& b) {
    return !a.shape.IsArray() || ShapeUtil::SameDimensions(a.shape, b.shape);
  });
}

// Returns the sharding that makes the leaf of AFTER of BEFORE's. An annotation counts only if it explains the sizes: a
// module that is not partitioned yet has annotations too.
Result<Sharding> ShardingOfLeaf(const EntryLeaf& before, const EntryLeaf& after, std::int64_t partitions) {
  const Shape &whole = before.shape, &part = after.shape;
  const auto fits = [&](const Sharding& sharding) {
    const auto tiled = static_cast<std::int64_t>(sharding.tiles.tile.size());
    const bool has_devices = sharding.only_device ? *sharding.only_device < partitions : tiled == partitions;
    return (sharding.is_replicated() || has_devices) &&
           ShapeUtil::SameDimensions(ShardShape(whole, sharding.tiles), part);
  };
  for (const std::string& text : {after.sharding, before.sharding}) {
    if (text.empty() || !whole.IsFixedArray()) continue;
    Result<Sharding> sharding = ReadSharding(text, whole.rank());
    if (sharding && fits(*sharding)) return sharding;
  }
  if (!whole.IsArray() || ShapeUtil::SameDimensions(whole, part)) {
    return Sharding{DeviceTiles{Int64List(static_cast<std::size_t>(whole.rank()), 1), {}, {}, {}}, {}};
  }
  if (partitions == 1) {
    return Mismatch(
        fmt::format("an array is {} before, {} after", whole.ToStringWithoutLayout(), part.ToStringWithoutLayout()));
  }
  const std::string& text = after.sharding.empty() ? before.sharding : after.sharding;
  return Mismatch(fmt::format("{} before is {} on each of {} partitions after, and {}", whole.ToStringWithoutLayout(),
                              part.ToStringWithoutLayout(), partitions,
                              text.empty() ? "neither module has its sharding" : "its sharding is " + text));
}

// True if the results of a device depend on its number or on other devices.
bool MayDependOnDevice(const HloModule& module) {
  return std::ranges::any_of(module.computations, [](const auto& computation) {
    return std::ranges::any_of(computation->instructions,
                               [](const auto& instruction) { return instruction->op->evaluation.depends_on_device; });
  });
}

// Returns true if every device of BEFORE holds whole arrays. A partitioner leaves the sizes of arrays that all devices
// hold, but its program exchanges numbers.
bool HoldsWholeArrays(const HloModule& before, const HloModule& after, bool have_same_sizes) {
  if (!have_same_sizes || before.device_count() != after.device_count()) return true;
  return before.num_partitions > 1 && !MayDependOnDevice(before) && MayDependOnDevice(after);
}

}  // namespace

Result<EntryBridge> EntryBridge::Make(HloModule& before, const HloModule& after) {
  EntryBridge bridge(before, after);
  const std::vector<EntryLeaf> from = LeavesOfParameters(before), to = LeavesOfParameters(after);
  const std::vector<EntryLeaf> want = LeavesOfValue(*before.entry->root), got = LeavesOfValue(*after.entry->root);
  ASSAY_CHECK_OK(CheckLeaves(from, to, "parameter array"));
  ASSAY_CHECK_OK(CheckLeaves(want, got, "result array"));
  const bool have_same_sizes = HaveSameSizes(from, to) && HaveSameSizes(want, got);
  bridge.is_whole_ = HoldsWholeArrays(before, after, have_same_sizes);
  if (!bridge.is_whole_) return bridge;
  if (!MayDependOnDevice(before)) before.replica_count = before.num_partitions = 1;
  for (std::size_t i = 0; i < from.size(); ++i) {
    ASSAY_TRY(Sharding sharding, ShardingOfLeaf(from[i], to[i], after.num_partitions));
    bridge.parameters_.push_back(std::move(sharding));
  }
  for (std::size_t i = 0; i < want.size(); ++i) {
    ASSAY_TRY(Sharding sharding, ShardingOfLeaf(want[i], got[i], after.num_partitions));
    bridge.results_.push_back(std::move(sharding));
  }
  return bridge;
}

Result<DeviceValues> EntryBridge::ArgumentsOfAfter(const DeviceValues& of_before) const {
  const std::vector<const HloInstruction*> parameters = after_->entry->Parameters();
  const auto assembled = [&](const std::vector<Literal>& leaves) {
    std::span<const Literal> rest = leaves;
    std::vector<Literal> arguments;
    for (const HloInstruction* parameter : parameters) arguments.push_back(ValueOfLeaves(parameter->shape, rest));
    return arguments;
  };
  DeviceValues of_after;
  if (!is_whole_) {
    for (const std::vector<Literal>& arguments : of_before) of_after.push_back(assembled(LeavesOfArguments(arguments)));
    return of_after;
  }
  const std::vector<Literal> whole = LeavesOfArguments(of_before.front());
  const auto is_same = [](const Literal& a, const Literal& b) { return a.BitwiseEqual(b); };
  for (const std::vector<Literal>& arguments : of_before) {
    if (!std::ranges::equal(whole, LeavesOfArguments(arguments), is_same)) {
      return Error{ErrorCode::kInput,
                   "every device of the module before must have the same arguments, the whole arrays"};
    }
  }
  for (std::int64_t device = 0; device < after_->device_count(); ++device) {
    std::vector<Literal> shards;
    for (std::size_t i = 0; i < whole.size(); ++i) {
      shards.push_back(ShardOf(whole[i], parameters_[i], device % after_->num_partitions));
    }
    of_after.push_back(assembled(shards));
  }
  return of_after;
}

namespace {

// The copies of an array on the partitions of all replicas.
std::vector<GatheredCopy> GatherFromReplicas(const Shape& whole, const Sharding& sharding,
                                             const std::vector<Literal>& shards, std::int64_t partitions) {
  std::vector<GatheredCopy> copies;
  for (std::size_t first = 0; first < shards.size(); first += static_cast<std::size_t>(partitions)) {
    PerDevice<Literal> of_replica;
    for (std::int64_t p = 0; p < partitions; ++p) of_replica.push_back(shards[first + static_cast<std::size_t>(p)]);
    for (GatheredCopy& copy : Gather(whole, sharding, of_replica)) {
      for (std::int64_t& partition : copy.partitions) partition += static_cast<std::int64_t>(first);
      copies.push_back(std::move(copy));
    }
  }
  return copies;
}

// Returns the copy to which a device contributes; the first one if it contributes to none.
const Literal& CopyOf(const std::vector<GatheredCopy>& copies, std::int64_t device) {
  const auto holds_part = [&](const GatheredCopy& copy) {
    return std::ranges::find(copy.partitions, device) != copy.partitions.end();
  };
  const auto own = std::ranges::find_if(copies, holds_part);
  return own == copies.end() ? copies.front().whole : own->whole;
}

// Removes copies that equal an earlier one.
void KeepDifferent(std::vector<GatheredCopy>& copies) {
  std::vector<GatheredCopy> kept;
  for (GatheredCopy& copy : copies) {
    const auto is_same = [&](const GatheredCopy& other) { return other.whole.BitwiseEqual(copy.whole); };
    if (std::ranges::none_of(kept, is_same)) kept.push_back(std::move(copy));
  }
  copies = std::move(kept);
}

}  // namespace

std::vector<std::vector<GatheredCopy>> EntryBridge::CopiesOfLeaves(
    const std::vector<std::vector<Literal>>& leaves) const {
  std::vector<EntryLeaf> wanted;
  AppendShapes(before_->entry->root->shape, wanted);
  std::vector<std::vector<GatheredCopy>> copies;
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    std::vector<Literal> shards;
    for (const auto& own : leaves) shards.push_back(own[i]);
    copies.push_back(wanted[i].shape.IsArray()
                         ? GatherFromReplicas(wanted[i].shape, results_[i], shards, after_->num_partitions)
                         : std::vector<GatheredCopy>{{shards.front(), {0}}});
  }
  return copies;
}

BridgedResults EntryBridge::ResultsOfBefore(const PerDevice<Literal>& of_after) const {
  BridgedResults results;
  const Shape& shape = before_->entry->root->shape;
  std::vector<std::vector<Literal>> leaves;  // of each device
  for (const Literal& result : of_after) AppendArrays(result, leaves.emplace_back());
  const auto assembled = [&](std::span<const Literal> rest) { return ValueOfLeaves(shape, rest); };
  if (!is_whole_) {
    PerDevice<Literal>& version = results.versions.emplace_back();
    for (const auto& own : leaves) version.push_back(assembled(own));
    return results;
  }
  std::vector<std::vector<GatheredCopy>> copies = CopiesOfLeaves(leaves);
  if (before_->device_count() == after_->device_count()) {
    PerDevice<Literal>& version = results.versions.emplace_back();
    for (std::int64_t device = 0; device < before_->device_count(); ++device) {
      std::vector<Literal> arrays;
      for (const auto& own : copies) arrays.push_back(CopyOf(own, device));
      version.push_back(assembled(arrays));
    }
  }
  std::size_t count = 1;
  for (std::size_t i = 0; i < copies.size(); ++i) {
    KeepDifferent(copies[i]);
    count = std::max(count, copies[i].size());
    if (copies[i].size() > 1 && results.note.empty()) {
      results.note = fmt::format("devices {} and {} hold different copies of result {}", copies[i][0].partitions[0],
                                 copies[i][1].partitions[0], i);
    }
  }
  if (!results.versions.empty()) return results;
  for (std::size_t version = 0; version < count; ++version) {
    std::vector<Literal> arrays;
    for (const auto& own : copies) arrays.push_back(own[std::min(version, own.size() - 1)].whole);
    results.versions.emplace_back(before_->device_count(), assembled(arrays));
  }
  return results;
}

Result<Sharding> ReadSharding(std::string_view text, std::int64_t rank) {
  ASSAY_TRY(const HloSharding parsed, ParseHloSharding(text));
  if (parsed.kind == "maximal") return Sharding{DeviceTiles{Int64List(rank, 1), {}, {}, {}}, parsed.maximal_device};
  ASSAY_TRY(DeviceTiles tiles, XlaTiles(parsed, rank));
  if (!tiles.is_sum()) return Sharding{std::move(tiles), {}};
  return Error{ErrorCode::kUnsupported, "a value is unreduced: a sum over devices that is yet to be made"};
}

std::vector<std::string> ShardingsOfLeaves(std::string_view text, std::size_t leaf_count) {
  if (!text.starts_with("{{")) return std::vector<std::string>(leaf_count, std::string(text));
  std::vector<std::string> leaves = SplitShardings(text);
  if (leaves.size() != leaf_count) leaves.clear();
  return leaves;
}

Literal ShardOf(const Literal& whole, const Sharding& sharding, std::int64_t partition) {
  if (sharding.tiles.tile.empty()) return whole;
  return ShardOf(whole, ShardShape(whole.shape(), sharding.tiles), sharding.tiles, partition);
}

std::vector<GatheredCopy> Gather(const Shape& whole, const Sharding& sharding, const PerDevice<Literal>& shards) {
  if (sharding.only_device) return {{shards[*sharding.only_device], {*sharding.only_device}}};
  std::vector<GatheredCopy> copies;
  if (sharding.tiles.tile.empty()) {
    for (std::size_t p = 0; p < shards.size(); ++p) {
      copies.push_back({shards[static_cast<std::int64_t>(p)], {static_cast<std::int64_t>(p)}});
    }
    return copies;
  }
  const auto shard_of = [&](std::int64_t partition) -> const Literal& { return shards[partition]; };
  for (const Int64List& group : sharding.tiles.Groups()) {
    copies.push_back({JoinShards(whole, sharding.tiles, group, shard_of), group});
  }
  return copies;
}

}  // namespace assay
