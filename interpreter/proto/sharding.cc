#include "interpreter/proto/sharding.h"

#include <fmt/format.h>

#include "interpreter/hlo/sharding_text.h"
#include "interpreter/proto/annotations.h"
#include "interpreter/types/join_text.h"

namespace assay::proto {
namespace {

namespace sharding = fields::OpSharding;
namespace named = fields::NamedShardingProto;

struct AxisSet {
  std::string_view name;
  const Field* field;
};
constexpr std::array<AxisSet, 3> kAxisSets = {
    {{"replicated", &named::replicated_axes}, {"unreduced", &named::unreduced_axes}, {"manual", &named::manual_axes}}};

Error WrongSharding(std::string what) { return {ErrorCode::kParse, "the sharding: " + std::move(what)}; }

// Returns "metadata={...}"; several as a list.
std::string MetadataText(const std::vector<Message>& all, bool always_list) {
  std::vector<std::string> texts;
  for (const Message& one : all) texts.push_back(ReadMetadata(one, {}).text);
  if (texts.size() == 1 && !always_list) return "metadata=" + texts[0];
  return fmt::format("metadata={{{}}}", JoinText(texts, ", "));
}

Result<std::string> SubgroupsText(const Message& message) {
  std::vector<std::string_view> words;
  for (const std::int64_t type : message.Integers(sharding::last_tile_dims)) {
    if (type != kReplicated && type != kManual && type != kUnreduced) {
      return WrongSharding(fmt::format("a subgroup must be replicated, manual or unreduced, found type {}", type));
    }
    words.push_back(kShardingTypes[static_cast<std::size_t>(type)]);
  }
  return words.empty() ? std::string() : fmt::format(" last_tile_dims={{{}}}", JoinText(words, ", "));
}

Result<std::string> TilesText(const Message& message) {
  const Int64List reshape = message.Integers(sharding::iota_reshape_dims);
  std::string text = fmt::format("devices=[{}]", JoinText(message.Integers(sharding::tile_assignment_dimensions), ","));
  if (reshape.empty()) {
    text += JoinText(message.Integers(sharding::tile_assignment_devices), ",");
  } else {
    text += "<=" + PrintIotaText(reshape, message.Integers(sharding::iota_transpose_perm));
  }
  if (message.Bool(sharding::replicate_on_last_tile_dim)) return text + " last_tile_dim_replicate";
  ASSAY_TRY(const std::string subgroups, SubgroupsText(message));
  return text + subgroups;
}

bool AreAllAxes(const std::vector<Message>& axes, const Message& mesh) {
  const std::size_t count = mesh.Texts(fields::MeshProto::axes).size();
  if (axes.size() != count) return false;
  for (std::size_t i = 0; i < count; ++i) {
    if (axes[i].Integer(fields::AxisRefProto::mesh_axis_index) != static_cast<std::int64_t>(i)) return false;
    if (axes[i].Has(fields::AxisRefProto::sub_axis_info)) return false;
  }
  return true;
}

Result<std::string> DimensionAxesText(const Message& message, const Message& mesh) {
  std::vector<std::string> dimensions;
  for (const Message& dimension : message.Messages(named::dim_shardings)) {
    const auto axes = dimension.Messages(fields::NamedShardingProto_DimensionSharding::axes);
    ASSAY_TRY(std::string text, ReadAxes(axes, mesh));
    if (!dimension.Bool(fields::NamedShardingProto_DimensionSharding::is_closed)) {
      text.insert(text.size() - 1, axes.empty() ? "?" : ", ?");
    }
    dimensions.push_back(std::move(text));
  }
  return fmt::format("[{}]", JoinText(dimensions, ", "));
}

// Returns the sets of axes that shard no dimension. A single word denotes a set of all axes.
Result<std::string> AxisSetsText(const Message& message, const Message& mesh) {
  const bool has_dimensions = message.Has(named::dim_shardings);
  const std::int64_t reduction = message.Integer(named::reduction_op);
  if (reduction < 0 || reduction >= std::ssize(kReductions)) {
    return WrongSharding(fmt::format("unknown reduction {}", reduction));
  }
  std::string text;
  std::string_view word = has_dimensions ? "" : "replicated";
  std::string_view operation;
  for (const AxisSet& set : kAxisSets) {
    const std::vector<Message> axes = message.Messages(*set.field);
    if (axes.empty()) continue;
    word = word == "replicated" && set.name != "replicated" && AreAllAxes(axes, mesh) ? set.name : "";
    operation = set.field == &named::unreduced_axes && reduction != 0 ? kReductions[reduction] : std::string_view();
    ASSAY_TRY(const std::string list, ReadAxes(axes, mesh));
    text += fmt::format(", {}={}{}", set.name, operation.empty() ? "" : fmt::format("[{}]", operation), list);
  }
  if (!word.empty()) return fmt::format(", {}{}", word, operation.empty() ? "" : fmt::format("={}", operation));
  ASSAY_TRY(const std::string dimensions, DimensionAxesText(message, mesh));
  return ", " + dimensions + text;
}

Result<std::string> NamedText(const Message& message) {
  const Message mesh = message.Sub(named::mesh);
  ASSAY_TRY(std::string text, ReadMesh(mesh));
  if (text.starts_with("mesh")) {
    ASSAY_TRY(const std::string axes, AxisSetsText(message, mesh));
    text += axes;
  }
  const std::vector<Message> metadata = message.Messages(named::metadata);
  if (!metadata.empty()) text += ", " + MetadataText(metadata, /*always_list=*/true);
  return "{" + text + "}";
}

// Returns text that is not yet in the normal form.
Result<std::string> ShardingText(const Message& message, int depth);

Result<std::string> TupleText(const Message& message, int depth) {
  if (depth > 0) return WrongSharding("the elements of a tuple must not be tuples");
  std::vector<std::string> elements;
  for (const std::string_view bytes : message.Texts(sharding::tuple_shardings)) {
    ASSAY_TRY(elements.emplace_back(), ShardingText(Message(bytes), depth + 1));
  }
  return fmt::format("{{{}}}", JoinText(elements, ", "));
}

Result<std::string> ShardingText(const Message& message, int depth) {
  const std::int64_t type = message.Integer(sharding::type);
  if (type < 0 || type >= std::ssize(kShardingTypes))
    return WrongSharding(fmt::format("unknown sharding type {}", type));
  if (type == kTuple) return TupleText(message, depth);
  if (message.Has(sharding::named_sharding)) return NamedText(message.Sub(sharding::named_sharding));
  std::string text(kShardingTypes[static_cast<std::size_t>(type)]);
  if (type == kOther) {
    ASSAY_TRY(text, TilesText(message));
  } else if (type == kMaximal) {
    const Int64List devices = message.Integers(sharding::tile_assignment_devices);
    if (devices.size() != 1) return WrongSharding(fmt::format("maximal needs one device, found {}", devices.size()));
    text += fmt::format(" device={}", devices[0]);
  }
  if (message.Bool(sharding::is_shard_group)) {
    text += fmt::format(" {} {}", message.Integer(sharding::shard_group_type) == 0 ? "shard_as" : "shard_like",
                        message.Integer(sharding::shard_group_id));
  }
  const std::vector<Message> metadata = message.Messages(sharding::metadata);
  if (!metadata.empty()) text += " " + MetadataText(metadata, /*always_list=*/false);
  return "{" + text + "}";
}

}  // namespace

Result<std::string> ReadSharding(const Message& message) {
  ASSAY_TRY(const std::string text, ShardingText(message, 0));
  TextParser parser(text);
  Result<std::string> normal = ParseSharding(parser);
  if (normal && parser.ExpectEnd()) return normal;
  return WrongSharding(fmt::format("{}: {}", text, normal ? "it has no end" : normal.error().message));
}

}  // namespace assay::proto
