#include "interpreter/hlo/shard_maps.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <map>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "interpreter/hlo/annotation_text.h"
#include "interpreter/hlo/make_instruction.h"
#include "interpreter/hlo/op.h"
#include "interpreter/hlo/parser.h"
#include "interpreter/types/join_text.h"

namespace assay {
namespace {

constexpr std::string_view kGlobalToLocal = "xla.sdy.GlobalToLocalShape", kLocalToGlobal = "xla.sdy.LocalToGlobalShape";
constexpr std::string_view kFullToShard = "SPMDFullToShardShape", kShardToFull = "SPMDShardToFullShape";
// Targets that state the devices of a value without changing the value.
constexpr std::array<std::string_view, 3> kMarks = {"Sharding", "xla.sdy.FuncResultSharding",
                                                    "xla.sdy.PropagationBarrier"};
constexpr std::string_view kGroup = "xla.sdy.ShardingGroup";  // the same, without a result

std::string_view TargetOf(const HloInstruction& instruction) {
  if (instruction.op->FindAttribute("custom_call_target") == nullptr) return {};
  return instruction.String("custom_call_target");
}

bool IsMark(const HloInstruction& instruction) {
  return std::ranges::find(kMarks, TargetOf(instruction)) != kMarks.end() && instruction.operands.size() == 1;
}

bool TakesShards(const HloInstruction& call) {
  return TargetOf(call) == kGlobalToLocal || TargetOf(call) == kFullToShard;
}
bool GivesWhole(const HloInstruction& call) {
  return TargetOf(call) == kLocalToGlobal || TargetOf(call) == kShardToFull;
}
bool ChangesShape(const HloInstruction& call) { return TakesShards(call) || GivesWhole(call); }

std::vector<HloInstruction*> AllInstructions(const HloModule& module) {
  std::vector<HloInstruction*> all;
  for (const auto& computation : module.computations) {
    for (const auto& instruction : computation->instructions) all.push_back(instruction.get());
  }
  return all;
}

Result<Meshes> MeshesOf(const HloModule& module) {
  const auto attributes = module.header_attributes.find("frontend_attributes");
  if (attributes == module.header_attributes.end()) return Meshes();
  const auto meshes = FrontendAttribute(attributes->second, "xla.sdy.meshes");
  return meshes ? ParseSdyMeshes(*meshes) : Meshes();
}

// Returns the tiles into which a call splits its operands, or from which it joins its results.
Result<std::vector<DeviceTiles>> TilesOfCall(const HloInstruction& call, const Meshes& meshes) {
  const std::string_view target = TargetOf(call);
  if (target == kFullToShard || target == kShardToFull) {
    const HloInstruction& whole = target == kFullToShard ? call.operand(0) : call;
    const auto sharding = whole.annotations.find("sharding");
    if (sharding == whole.annotations.end()) {
      return Error{ErrorCode::kUnsupported, fmt::format("the sharding of {} is lost", whole.name)};
    }
    ASSAY_TRY(DeviceTiles tiles, ParseXlaTiles(sharding->second, whole.shape.rank()));
    return std::vector<DeviceTiles>{std::move(tiles)};
  }
  const auto shardings =
      FrontendAttribute(call, target == kGlobalToLocal ? "xla.sdy.in_shardings" : "xla.sdy.out_shardings");
  const auto manual_axes = FrontendAttribute(call, "xla.sdy.manual_axes");
  if (!shardings || !manual_axes) {
    return Error{ErrorCode::kUnsupported, "its frontend_attributes with the shardings and manual axes are lost"};
  }
  return ParseSdyShardings(*shardings, *manual_axes, meshes);
}

// One call, with the tiles of its shapes and shardings.
struct ShardedCall {
  HloInstruction* call = nullptr;
  std::vector<DeviceTiles> tiles;  // for each operand

  const Shape& result(std::size_t i) const {
    return call->shape.IsTuple() ? call->shape.tuple_shapes(static_cast<std::int64_t>(i)) : call->shape;
  }
  const Shape& operand(std::size_t i) const { return call->operands[i]->shape; }
  const Shape& whole(std::size_t i) const { return TakesShards(*call) ? operand(i) : result(i); }
  const Shape& part(std::size_t i) const { return TakesShards(*call) ? result(i) : operand(i); }
};

Status CheckShapes(const ShardedCall& sharded) {
  const HloInstruction& call = *sharded.call;
  const std::size_t results = call.shape.IsTuple() ? call.shape.tuple_shapes().size() : 1;
  if (sharded.tiles.size() != call.operands.size() || results != call.operands.size()) {
    return Error{ErrorCode::kUnsupported, fmt::format("it has {} operands, {} results and {} shardings",
                                                      call.operands.size(), results, sharded.tiles.size())};
  }
  for (std::size_t i = 0; i < results; ++i) {
    const Shape &whole = sharded.whole(i), &part = sharded.part(i);
    const Int64List& counts = sharded.tiles[i].counts;
    if (whole.IsToken() && part.IsToken()) continue;
    bool fits = whole.IsFixedArray() && part.IsFixedArray() && whole.element_type() == part.element_type() &&
                whole.rank() == std::ssize(counts) && part.rank() == whole.rank();
    for (std::int64_t d = 0; fits && d < whole.rank(); ++d) {
      fits = whole.dimensions(d) == part.dimensions(d) * counts[d];
    }
    if (!fits) {
      return Error{ErrorCode::kUnsupported, fmt::format("{} tiles of {} do not make {}", JoinText(counts, "x"),
                                                        part.ToStringWithoutLayout(), whole.ToStringWithoutLayout())};
    }
  }
  return {};
}

std::string ArrayText(PrimitiveType type, const Int64List& sizes) {
  return ShapeUtil::MakeShape(type, sizes).ToStringWithoutLayout();
}

// Returns HLO lines that select the partition's element of a list as the scalar `name`.
std::string ElementText(std::string_view name, PrimitiveType type, const Int64List& list) {
  return fmt::format(
      "{0}.all = {1} constant({{{2}}})\n"
      "{0}.one = {3} dynamic-slice({0}.all, device), dynamic_slice_sizes={{1}}\n"
      "{0} = {4} reshape({0}.one)\n",
      name, ArrayText(type, {std::ssize(list)}), JoinText(list, ", "), ArrayText(type, {1}), ArrayText(type, {}));
}

// Returns HLO lines that slice "x<i>" into "y<i>", at the position of the partition.
std::string SliceText(const ShardedCall& sharded, std::size_t i) {
  const DeviceTiles& tiles = sharded.tiles[i];
  std::string text;
  std::vector<std::string> starts = {fmt::format("x{}", i)};
  for (std::size_t d = 0; d < tiles.counts.size(); ++d) {
    const std::string start = starts.emplace_back(fmt::format("start{}.{}", i, d));
    Int64List places;
    for (std::int64_t p = 0; p < tiles.partitions(); ++p) {
      places.push_back(tiles.Place(p, d) * sharded.part(i).dimensions(static_cast<std::int64_t>(d)));
    }
    text += tiles.counts[d] == 1 ? fmt::format("{} = s32[] constant(0)\n", start) : ElementText(start, S32, places);
  }
  return text + fmt::format("y{} = {} dynamic-slice({}), dynamic_slice_sizes={{{}}}\n", i,
                            sharded.part(i).ToStringWithoutLayout(), JoinText(starts, ", "),
                            JoinText(sharded.part(i).dimensions(), ","));
}

// Returns HLO lines that make `value` the term "z<i>" of the partition: the first term is the value, the others zero.
std::string TermText(const ShardedCall& sharded, std::size_t i, std::string_view value) {
  const Shape& part = sharded.part(i);
  Int64List is_first;
  for (const std::int64_t term : sharded.tiles[i].term) is_first.push_back(term == 0 ? 1 : 0);
  return ElementText(fmt::format("first{}", i), PRED, is_first) +
         fmt::format(
             "firsts{0} = {1} broadcast(first{0}), dimensions={{}}\n"
             "nothing{0} = pred[] constant(false)\n"
             "zero{0} = {2} convert(nothing{0})\n"
             "zeros{0} = {3} broadcast(zero{0}), dimensions={{}}\n"
             "z{0} = {3} select(firsts{0}, {4}, zeros{0})\n",
             i, ArrayText(PRED, part.dimensions()), ArrayText(part.element_type(), {}), part.ToStringWithoutLayout(),
             value);
}

// Returns the groups of partitions as replica_groups of flattened ids.
std::string GroupsText(const std::vector<Int64List>& partitions, std::int64_t partition_count, std::int64_t replicas) {
  std::vector<std::string> groups;
  for (std::int64_t r = 0; r < replicas; ++r) {
    for (Int64List group : partitions) {
      for (std::int64_t& id : group) id += r * partition_count;
      groups.push_back(fmt::format("{{{}}}", JoinText(group, ",")));
    }
  }
  return fmt::format("{{{}}}", JoinText(groups, ","));
}

// Returns an HLO line that adds the terms "x<i>" of a sum up to "z<i>". Its computation is that of AddText.
std::string SumText(const ShardedCall& sharded, std::size_t i, std::int64_t replicas) {
  const DeviceTiles& tiles = sharded.tiles[i];
  return fmt::format(
      "z{0} = {1} all-reduce(x{0}), channel_id=1, replica_groups={2}, use_global_device_ids=true, to_apply=add{0}\n", i,
      sharded.part(i).ToStringWithoutLayout(), GroupsText(tiles.Sums(), tiles.partitions(), replicas));
}

std::string AddText(const ShardedCall& sharded, std::size_t i) {
  return fmt::format("add{0} {{\na = {1} parameter(0)\nb = {1} parameter(1)\nROOT r = {1} add(a, b)\n}}\n", i,
                     ArrayText(sharded.part(i).element_type(), {}));
}

// Returns HLO lines that join `value` of all partitions into "y<i>": gathers the tiles, then moves each to its
// position.
std::string GatherText(const ShardedCall& sharded, std::size_t i, std::string_view value, std::int64_t replicas) {
  const DeviceTiles& tiles = sharded.tiles[i];
  const Shape& part = sharded.part(i);
  const PrimitiveType type = part.element_type();
  Int64List row = {1}, rows = {tiles.tile_count()}, grid = tiles.counts, order, placed;
  for (std::int64_t d = 0; d < part.rank(); ++d) {
    row.push_back(part.dimensions(d));
    rows.push_back(part.dimensions(d));
    grid.push_back(part.dimensions(d));
    order.insert(order.end(), {d, part.rank() + d});
    placed.insert(placed.end(), {tiles.counts[d], part.dimensions(d)});
  }
  return fmt::format(
      "row{0} = {1} reshape({8})\n"
      "rows{0} = {2} all-gather(row{0}), channel_id=1, replica_groups={3}, dimensions={{0}}, "
      "use_global_device_ids=true\n"
      "grid{0} = {4} reshape(rows{0})\n"
      "placed{0} = {5} transpose(grid{0}), dimensions={{{6}}}\n"
      "y{0} = {7} reshape(placed{0})\n",
      i, ArrayText(type, row), ArrayText(type, rows), GroupsText(tiles.Groups(), tiles.partitions(), replicas),
      ArrayText(type, grid), ArrayText(type, placed), JoinText(order, ","), sharded.whole(i).ToStringWithoutLayout(),
      value);
}

// Returns the HLO lines of the body of a call that make its result i of "x<i>", and sets `value` to the result's name.
std::string ValueText(const ShardedCall& sharded, std::size_t i, std::int64_t replicas, std::string& value) {
  const DeviceTiles& tiles = sharded.tiles[i];
  const bool takes_shards = TakesShards(*sharded.call), is_tiled = tiles.tile_count() > 1;
  std::string text;
  value = fmt::format("x{}", i);
  const auto add = [&](std::string lines, char name) {
    text += lines;
    value = fmt::format("{}{}", name, i);
  };
  if (tiles.is_sum() && !takes_shards) add(SumText(sharded, i, replicas), 'z');
  if (is_tiled) add(takes_shards ? SliceText(sharded, i) : GatherText(sharded, i, value, replicas), 'y');
  if (tiles.is_sum() && takes_shards) add(TermText(sharded, i, value), 'z');
  return text;
}

// Returns a module with the body of a call and, as its root, the call of that body.
std::string ModuleText(const ShardedCall& sharded, std::int64_t replicas) {
  std::string body, entry, sums;
  std::vector<std::string> values, arguments;
  const bool takes_shards = TakesShards(*sharded.call);
  if (takes_shards) body = "device = u32[] partition-id()\n";
  for (std::size_t i = 0; i < sharded.tiles.size(); ++i) {
    const std::string parameter = sharded.operand(i).ToStringWithoutLayout();
    body += fmt::format("x{} = {} parameter({})\n", i, parameter, i);
    entry += fmt::format("a{} = {} parameter({})\n", i, parameter, i);
    arguments.push_back(fmt::format("a{}", i));
    body += ValueText(sharded, i, replicas, values.emplace_back());
    if (sharded.tiles[i].is_sum() && !takes_shards) sums += AddText(sharded, i);
  }
  const std::string result = sharded.call->shape.ToStringWithoutLayout();
  body += sharded.call->shape.IsTuple() ? fmt::format("ROOT r = {} tuple({})\n", result, JoinText(values, ", "))
                                        : fmt::format(
                                              "only = ({0}) tuple({1})\n"
                                              "ROOT r = {0} get-tuple-element(only), index=0\n",
                                              result, values[0]);
  return fmt::format("HloModule m\n{}body {{\n{}}}\nENTRY e {{\n{}ROOT r = {} call({}), to_apply=body\n}}\n", sums,
                     body, entry, result, JoinText(arguments, ", "));
}

// Replaces the custom call by the call in `made`, of new computations at the same position in the text.
void Replace(HloInstruction& call, std::unique_ptr<HloModule> made) {
  HloModule& module = *call.parent->module;
  const HloInstruction& root = *made->entry->root;
  call.op = root.op;
  call.attributes = root.attributes;
  call.annotations.erase("frontend_attributes");
  for (std::unique_ptr<HloComputation>& body : made->computations) {
    if (body.get() == made->entry) continue;
    body->module = &module;
    body->location = call.location;
    body->name = call.name + (TakesShards(call) ? ".shards" : ".whole");
    for (int n = 1; module.FindComputation(body->name) != nullptr; ++n) body->name = fmt::format("{}.{}", call.name, n);
    for (const auto& instruction : body->instructions) instruction->location = call.location;
    const auto caller = std::ranges::find(module.computations, call.parent, &std::unique_ptr<HloComputation>::get);
    module.computations.insert(caller, std::move(body));
  }
}

// Replaces marks by their operands in operands, roots and control predecessors.
void RemoveMarks(HloComputation& computation) {
  std::map<const HloInstruction*, HloInstruction*> stands_for;
  const auto resolve = [&](HloInstruction*& instruction) {
    if (const auto found = stands_for.find(instruction); found != stands_for.end()) instruction = found->second;
  };
  for (const auto& instruction : computation.instructions) {  // operands first
    std::ranges::for_each(instruction->operands, resolve);
    std::ranges::for_each(instruction->control_predecessors, resolve);
    instruction->annotations.erase("sharding");
    const bool is_group = TargetOf(*instruction) == kGroup && instruction->operands.size() == 1;
    if (IsMark(*instruction) || is_group) stands_for[instruction.get()] = instruction->operands[0];
  }
  resolve(computation.root);
  std::erase_if(computation.instructions,
                [&](const auto& instruction) { return stands_for.contains(instruction.get()); });
}

Error Named(Error error, const HloInstruction& call) {
  error.message = fmt::format("{} {} (line {}): {}", TargetOf(call), call.name, call.location.line, error.message);
  return error;
}

}  // namespace

std::optional<DeviceTiles> TilesOfWhole(const HloModule& module, const HloInstruction& instruction,
                                        std::int64_t element) {
  if (!GivesWhole(instruction)) return std::nullopt;
  const Result<Meshes> meshes = MeshesOf(module);
  if (!meshes) return std::nullopt;
  const Result<std::vector<DeviceTiles>> tiles = TilesOfCall(instruction, *meshes);
  if (!tiles || element >= std::ssize(*tiles)) return std::nullopt;
  const DeviceTiles& found = (*tiles)[static_cast<std::size_t>(element)];
  return found.tile_count() > 1 || found.is_sum() ? std::optional(found) : std::nullopt;
}

Status InsertSumOfTerms(HloInstruction& parameter, const DeviceTiles& tiles) {
  HloComputation& computation = *parameter.parent;
  std::unique_ptr<HloInstruction> made = MakeInstruction(OpRole::kCall, parameter.shape, {&parameter});
  HloInstruction& call = *made;
  call.name = parameter.name + ".sum";
  call.parent = &computation;
  call.location = parameter.location;
  for (const auto& user : computation.instructions) std::ranges::replace(user->operands, &parameter, &call);
  if (computation.root == &parameter) computation.root = &call;
  const auto place = std::ranges::find(computation.instructions, &parameter, &std::unique_ptr<HloInstruction>::get);
  computation.instructions.insert(std::next(place), std::move(made));
  const Int64List ones(tiles.counts.size(), 1), zeros(tiles.tile.size(), 0);
  const ShardedCall sharded = {&call, {{ones, zeros, tiles.copy, tiles.term}}};
  ASSAY_TRY(std::unique_ptr<HloModule> body, ParseHloModule(ModuleText(sharded, computation.module->replica_count)));
  Replace(call, std::move(body));
  return {};
}

bool HasMeshes(const HloModule& module) {
  const auto meshes = MeshesOf(module);
  return meshes && !meshes->empty();
}

Result<std::optional<std::int64_t>> SpellOutShardMaps(HloModule& module, bool may_set_partitions) {
  const std::vector<HloInstruction*> all = AllInstructions(module);
  const auto is_shardys = [](const HloInstruction* call) { return TargetOf(*call).starts_with("xla.sdy."); };
  const bool changes_shape = std::ranges::any_of(all, [](const HloInstruction* call) { return ChangesShape(*call); });
  const bool has_partitions =
      module.num_partitions > 1 && std::ranges::any_of(all, [](const auto* i) { return IsMark(*i); });
  if (!changes_shape && !has_partitions && std::ranges::none_of(all, is_shardys)) return std::optional<std::int64_t>();
  ASSAY_TRY(const Meshes meshes, MeshesOf(module));
  std::vector<ShardedCall> calls;
  std::optional<std::int64_t> partitions;
  for (HloInstruction* call : all) {
    if (!ChangesShape(*call)) continue;
    Result<std::vector<DeviceTiles>> tiles = TilesOfCall(*call, meshes);
    if (!tiles) return Named(tiles.error(), *call);
    calls.push_back({call, *std::move(tiles)});
    const ShardedCall& sharded = calls.back();
    if (const Status fits = CheckShapes(sharded); !fits) return Named(fits.error(), *call);
    for (const DeviceTiles& one : sharded.tiles) {
      if (one.partitions() == 0) continue;
      if (!partitions && may_set_partitions && module.num_partitions == 1) partitions = one.partitions();
      const std::int64_t wanted = partitions.value_or(module.num_partitions);
      if (one.partitions() == wanted) continue;
      return Named({ErrorCode::kUnsupported,
                    fmt::format("its mesh has {} devices, the module {} partitions", one.partitions(), wanted)},
                   *call);
    }
  }
  // Everything that may fail precedes the first change.
  std::vector<std::unique_ptr<HloModule>> made;
  for (const ShardedCall& sharded : calls) {
    Result<std::unique_ptr<HloModule>> one = ParseHloModule(ModuleText(sharded, module.replica_count));
    if (!one) return Named(one.error(), *sharded.call);
    made.push_back(*std::move(one));
  }
  module.num_partitions = partitions.value_or(module.num_partitions);
  for (std::size_t i = 0; i < calls.size(); ++i) Replace(*calls[i].call, std::move(made[i]));
  for (const auto& computation : module.computations) RemoveMarks(*computation);
  return calls.empty() ? std::nullopt : std::optional(module.num_partitions);
}

}  // namespace assay
