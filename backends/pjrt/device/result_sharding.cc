#include "backends/pjrt/device/result_sharding.h"

#include <fmt/format.h>

#include <cstdint>
#include <optional>
#include <vector>

#include "interpreter/hlo/op.h"
#include "interpreter/hlo/shard_maps.h"

namespace assay::pjrt {

std::string ShardingText(const HloInstruction& instruction) {
  const auto found = instruction.annotations.find("sharding");
  return found == instruction.annotations.end() ? "" : found->second;
}

namespace {

// A value within nested calls, and the elements of tuples that are still to be taken out of it.
struct Source {
  const HloInstruction* value;
  std::vector<const HloInstruction*> calls = {};
  std::vector<std::int64_t> elements = {};
};

// Returns XLA's text of tiles: their numbers along each dimension, and the partitions that hold each of them.
std::string TextOfTiles(const DeviceTiles& tiles) {
  const std::vector<Int64List> copies = tiles.Groups();
  Int64List counts = tiles.counts, partitions;
  if (copies.size() > 1) counts.push_back(std::ssize(copies));
  for (std::size_t tile = 0; tile < copies[0].size(); ++tile) {
    for (const Int64List& copy : copies) partitions.push_back(copy[tile]);
  }
  return fmt::format("{{devices=[{}]{}{}}}", fmt::join(counts, ","), fmt::join(partitions, ","),
                     copies.size() > 1 ? " last_tile_dim_replicate" : "");
}

// Returns the sharding that an instruction states for its result, or for this element of it; empty if there is none.
std::string StatedSharding(const HloModule& module, const HloInstruction& value, std::int64_t element) {
  const std::string text = ShardingText(value);
  if (!text.empty() && !value.shape.IsTuple()) return text;
  const std::optional<DeviceTiles> tiles = TilesOfWhole(module, value, element);
  return tiles ? TextOfTiles(*tiles) : "";
}

// True if the sharding of a value may follow from another value.
bool Follows(const HloInstruction& value) {
  const OpRole role = value.op->role;
  return value.op->evaluation.kernel != nullptr || role == OpRole::kGetTupleElement || role == OpRole::kCall ||
         role == OpRole::kParameter;
}

// Returns the operand from which an element-wise instruction has its sharding, or null.
const HloInstruction* ShardedOperand(const HloModule& module, const HloInstruction& instruction) {
  if (instruction.op->evaluation.kernel == nullptr) return nullptr;
  for (const HloInstruction* operand : instruction.operands) {
    const bool has_sizes = operand->shape.IsArray() && operand->shape.dimensions() == instruction.shape.dimensions();
    if (has_sizes && (Follows(*operand) || !StatedSharding(module, *operand, 0).empty())) return operand;
  }
  return nullptr;
}

// Moves to the value from which this one has its sharding. Returns false if there is none.
bool MoveBack(const HloModule& module, Source& source) {
  const HloInstruction& at = *source.value;
  if (at.op->role == OpRole::kGetTupleElement) {
    source.elements.push_back(at.tuple_index());
    source.value = at.operands[0];
  } else if (at.op->role == OpRole::kTuple && !source.elements.empty()) {
    source.value = at.operands[static_cast<std::size_t>(source.elements.back())];
    source.elements.pop_back();
  } else if (at.op->role == OpRole::kCall) {
    source.calls.push_back(&at);
    source.value = at.CalledComputations().front()->root;
  } else if (at.op->role == OpRole::kParameter && !source.calls.empty()) {
    source.value = source.calls.back()->operands[static_cast<std::size_t>(at.parameter_number)];
    source.calls.pop_back();
  } else {
    source.value = ShardedOperand(module, at);
  }
  return source.value != nullptr;
}

}  // namespace

std::string ResultSharding(const HloModule& module, std::int64_t index) {
  Source source = {module.entry->root};
  if (source.value->shape.IsTuple()) source.elements.push_back(index);
  do {
    const std::int64_t element = source.elements.empty() ? 0 : source.elements.back();
    std::string text = StatedSharding(module, *source.value, element);
    if (!text.empty()) return text;
  } while (MoveBack(module, source));
  return "";
}

}  // namespace assay::pjrt
