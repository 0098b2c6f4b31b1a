#include "interpreter/proto/sharding.h"

#include <fmt/format.h>

#include <algorithm>

#include "interpreter/hlo/sharding_text.h"
#include "interpreter/proto/annotations.h"

namespace assay::proto {
namespace {

namespace sharding_field = fields::OpSharding;
namespace named_field = fields::NamedShardingProto;
namespace dimension_field = fields::NamedShardingProto_DimensionSharding;

// The fields of MeshSharding's sets.
constexpr std::array<const Field*, MeshSharding::kSets> kSetFields = {
    &named_field::replicated_axes, &named_field::unreduced_axes, &named_field::manual_axes};

Error WrongSharding(std::string what) { return {ErrorCode::kParse, std::move(what)}; }

std::vector<std::string> ReadMetadataTexts(const std::vector<Message>& all) {
  std::vector<std::string> texts;
  for (const Message& one : all) texts.push_back(ReadMetadata(one, {}).text);
  return texts;
}

Status ReadTiles(const Message& message, HloSharding& sharding) {
  sharding.tiles.dimensions = message.Integers(sharding_field::tile_assignment_dimensions);
  const Int64List reshape = message.Integers(sharding_field::iota_reshape_dims);
  if (reshape.empty()) {
    sharding.tiles.devices = message.Integers(sharding_field::tile_assignment_devices);
  } else {
    ASSAY_TRY(sharding.tiles.iota, ReadIota(reshape, message.Integers(sharding_field::iota_transpose_perm)));
  }
  ASSAY_CHECK_OK(ListDevices(sharding.tiles, {}));
  if (message.Bool(sharding_field::replicate_on_last_tile_dim)) {
    sharding.subgroups = {"replicated"};
    return {};
  }
  for (const std::int64_t type : message.Integers(sharding_field::last_tile_dims)) {
    if (type != kReplicated && type != kManual && type != kUnreduced) {
      return WrongSharding(fmt::format("a subgroup must be replicated, manual or unreduced, found type {}", type));
    }
    sharding.subgroups.emplace_back(kShardingTypes[static_cast<std::size_t>(type)]);
  }
  return {};
}

bool AreAllAxes(const std::vector<AxisReference>& axes, const Mesh& mesh) {
  if (axes.size() != mesh.axis_names.size()) return false;
  for (std::size_t i = 0; i < axes.size(); ++i) {
    if (axes[i].axis != static_cast<std::int64_t>(i) || axes[i].size != mesh.axis_sizes[i]) return false;
  }
  return true;
}

// Reads the sets of axes that shard no dimension. A single word denotes a set of all axes.
Status ReadSets(const Message& message, MeshSharding& sharding) {
  const std::int64_t reduction = message.Integer(named_field::reduction_op);
  if (reduction < 0 || reduction >= std::ssize(kReductions)) {
    return WrongSharding(fmt::format("unknown reduction {}", reduction));
  }
  std::size_t count = 0, last = 0;
  for (std::size_t set = 0; set < MeshSharding::kSets; ++set) {
    ASSAY_TRY(sharding.sets[set], ReadAxes(message.Messages(*kSetFields[set]), sharding.mesh));
    if (sharding.sets[set].empty()) continue;
    ++count;
    last = set;
  }
  if (reduction != 0 && !sharding.sets[MeshSharding::kUnreduced].empty()) sharding.reduction = kReductions[reduction];
  if (!sharding.dimensions.empty()) return {};
  sharding.whole = MeshSharding::kReplicated;
  if (count == 1 && last != MeshSharding::kReplicated && AreAllAxes(sharding.sets[last], sharding.mesh)) {
    sharding.whole = static_cast<MeshSharding::Set>(last);
    sharding.sets[last].clear();
  }
  return {};
}

Result<MeshSharding> ReadMeshSharding(const Message& message) {
  MeshSharding sharding;
  ASSAY_TRY(sharding.mesh, ReadMesh(message.Sub(named_field::mesh)));
  if (sharding.mesh.is_maximal) return sharding;
  for (const Message& dimension : message.Messages(named_field::dim_shardings)) {
    ASSAY_TRY(auto axes, ReadAxes(dimension.Messages(dimension_field::axes), sharding.mesh));
    sharding.dimensions.push_back({std::move(axes), !dimension.Bool(dimension_field::is_closed)});
  }
  ASSAY_CHECK_OK(ReadSets(message, sharding));
  return sharding;
}

Result<HloSharding> ReadHloSharding(const Message& message, int depth) {
  HloSharding sharding;
  const std::int64_t type = message.Integer(sharding_field::type);
  if (type < 0 || type >= std::ssize(kShardingTypes)) {
    return WrongSharding(fmt::format("unknown sharding type {}", type));
  }
  if (type == kTuple) {
    if (depth > 0) return WrongSharding("the elements of a tuple must not be tuples");
    sharding.is_tuple = true;
    for (const std::string_view bytes : message.Texts(sharding_field::tuple_shardings)) {
      ASSAY_TRY(sharding.elements.emplace_back(), ReadHloSharding(Message(bytes), depth + 1));
    }
    return sharding;
  }
  if (message.Has(sharding_field::named_sharding)) {
    const Message named = message.Sub(sharding_field::named_sharding);
    ASSAY_TRY(sharding.by_axes, ReadMeshSharding(named));
    sharding.metadata = ReadMetadataTexts(named.Messages(named_field::metadata));
    return sharding;
  }
  sharding.kind = kShardingTypes[static_cast<std::size_t>(type)];
  if (type == kOther) {
    ASSAY_CHECK_OK(ReadTiles(message, sharding));
  } else if (type == kMaximal) {
    const Int64List devices = message.Integers(sharding_field::tile_assignment_devices);
    if (devices.size() != 1) return WrongSharding(fmt::format("maximal needs one device, found {}", devices.size()));
    sharding.maximal_device = devices[0];
  }
  if (message.Bool(sharding_field::is_shard_group)) {
    sharding.shard_group = message.Integer(sharding_field::shard_group_type) == 0 ? "shard_as" : "shard_like";
    sharding.shard_group_id = message.Integer(sharding_field::shard_group_id);
  }
  sharding.metadata = ReadMetadataTexts(message.Messages(sharding_field::metadata));
  ASSAY_CHECK_OK(NormalizeSharding(sharding, {}));
  return sharding;
}

std::int64_t TypeOfWord(std::string_view word) {
  return std::ranges::find(kShardingTypes, word) - kShardingTypes.begin();
}

void WriteAxes(const std::vector<AxisReference>& axes, const Field& field, MessageWriter& message) {
  for (const AxisReference& axis : axes) message.Sub(field, WriteAxis(axis));
}

MessageWriter WriteMeshSharding(const MeshSharding& sharding) {
  MessageWriter message;
  message.Sub(named_field::mesh, WriteMesh(sharding.mesh));
  for (const MeshSharding::Dimension& dimension : sharding.dimensions) {
    MessageWriter written;
    WriteAxes(dimension.axes, dimension_field::axes, written);
    if (!dimension.is_open) written.Integer(dimension_field::is_closed, 1);
    message.Sub(named_field::dim_shardings, written);
  }
  if (!sharding.reduction.empty()) {
    message.Integer(named_field::reduction_op,
                    std::ranges::find(kReductions, sharding.reduction) - kReductions.begin());
  }
  for (std::size_t set = 0; set < MeshSharding::kSets; ++set) {
    const bool is_whole = sharding.whole == set && set != MeshSharding::kReplicated;
    WriteAxes(is_whole ? AllAxes(sharding.mesh) : sharding.sets[set], *kSetFields[set], message);
  }
  return message;
}

void WriteTiles(const HloSharding& sharding, MessageWriter& message) {
  message.Integer(sharding_field::type, kOther);
  message.Integers(sharding_field::tile_assignment_dimensions, sharding.tiles.dimensions);
  if (sharding.tiles.iota) {
    const auto [dimensions, permutation] = sharding.tiles.iota->ShortestForm();
    message.Integers(sharding_field::iota_reshape_dims, dimensions);
    message.Integers(sharding_field::iota_transpose_perm, permutation);
  } else {
    message.Integers(sharding_field::tile_assignment_devices, sharding.tiles.devices);
  }
  if (sharding.subgroups == std::vector<std::string>{"replicated"}) {
    return message.Integer(sharding_field::replicate_on_last_tile_dim, 1);
  }
  Int64List types;
  for (const std::string& word : sharding.subgroups) types.push_back(TypeOfWord(word));
  message.Integers(sharding_field::last_tile_dims, types);
}

MessageWriter WriteHloSharding(const HloSharding& sharding) {
  MessageWriter message;
  if (sharding.is_tuple) {
    message.Integer(sharding_field::type, kTuple);
    for (const HloSharding& element : sharding.elements) {
      message.Sub(sharding_field::tuple_shardings, WriteHloSharding(element));
    }
    return message;
  }
  const auto write_metadata = [&](const Field& field, MessageWriter& into) {
    for (const std::string& text : sharding.metadata) into.Sub(field, WriteMetadata(text));
  };
  if (sharding.by_axes) {
    MessageWriter named = WriteMeshSharding(*sharding.by_axes);
    write_metadata(named_field::metadata, named);
    message.Sub(sharding_field::named_sharding, named);
    return message;
  }
  if (sharding.kind.empty()) {
    WriteTiles(sharding, message);
  } else {
    message.Integer(sharding_field::type, TypeOfWord(sharding.kind));
  }
  if (sharding.kind == "maximal") {
    message.Integers(sharding_field::tile_assignment_devices, Int64List{sharding.maximal_device});
  }
  if (!sharding.shard_group.empty()) {
    message.Integer(sharding_field::is_shard_group, 1);
    message.Integer(sharding_field::shard_group_id, sharding.shard_group_id);
    message.Integer(sharding_field::shard_group_type, sharding.shard_group == "shard_as" ? 0 : 1);
  }
  write_metadata(sharding_field::metadata, message);
  return message;
}

}  // namespace

Result<std::string> ReadSharding(const Message& message) {
  const Result<HloSharding> sharding = ReadHloSharding(message, 0);
  if (!sharding) return WrongSharding("the sharding: " + sharding.error().message);
  return sharding->ToString();
}

MessageWriter WriteSharding(std::string_view text) {
  const Result<HloSharding> sharding = ParseHloSharding(text);
  return sharding ? WriteHloSharding(*sharding) : MessageWriter();
}

}  // namespace assay::proto
