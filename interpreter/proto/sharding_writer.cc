// Shardings in the normal form of their text as messages. The text must be valid.
#include <algorithm>

#include "interpreter/proto/annotations.h"
#include "interpreter/proto/sharding.h"

namespace assay::proto {
namespace {

namespace op_sharding = fields::OpSharding;
namespace named_sharding = fields::NamedShardingProto;

std::int64_t TypeOfWord(std::string_view word) {
  const auto* const found = std::ranges::find(kShardingTypes, word);
  return found == kShardingTypes.end() ? kOther : found - kShardingTypes.begin();
}

std::int64_t TakeInteger(TextParser& parser) {
  const Result<std::int64_t> value = parser.ParseInteger();
  if (!value) parser.Next();
  return value ? *value : 0;
}

// Writes "{...}" or "{{...}, {...}}".
void AddMetadata(TextParser& parser, const Field& field, MessageWriter& message) {
  const bool is_list = parser.Peek().text == "{";
  if (is_list) parser.Next();
  std::string_view raw;
  do {
    if (!parser.At("{") || !parser.lexer().TakeBraces(raw)) return;
    message.Sub(field, WriteMetadata(raw));
  } while (is_list && parser.Eat(","));
  if (is_list) parser.Eat("}");
}

void WriteTiles(TextParser& parser, MessageWriter& message) {
  if (const Result<Int64List> dimensions = parser.ParseIntegers("[", "]")) {
    message.Integers(op_sharding::tile_assignment_dimensions, *dimensions);
  }
  if (parser.Eat("<=")) {
    const IotaText iota = ParseIotaText(parser);
    message.Integers(op_sharding::iota_reshape_dims, iota.dimensions);
    message.Integers(op_sharding::iota_transpose_perm, iota.permutation);
    return;
  }
  Int64List devices;
  do {
    devices.push_back(TakeInteger(parser));
  } while (parser.Eat(","));
  message.Integers(op_sharding::tile_assignment_devices, devices);
}

// Writes one field of a sharding that is neither a tuple nor on a named mesh. Always consumes at least one token.
void WriteShardingField(TextParser& parser, MessageWriter& message) {
  const std::string_view word = parser.token().text;
  parser.Next();
  if (word == "devices") {
    message.Integer(op_sharding::type, kOther);
    WriteTiles(parser, message);
  } else if (word == "device") {
    message.Integers(op_sharding::tile_assignment_devices, Int64List{TakeInteger(parser)});
  } else if (word == "last_tile_dims") {
    Int64List types;
    parser.Eat("{");
    while (!parser.Eat("}") && !parser.Is(TokenKind::kEnd)) {
      types.push_back(TypeOfWord(parser.token().text));
      parser.Next();
      parser.Eat(",");
    }
    message.Integers(op_sharding::last_tile_dims, types);
  } else if (word == "last_tile_dim_replicate") {
    message.Integer(op_sharding::replicate_on_last_tile_dim, 1);
  } else if (word == "shard_as" || word == "shard_like") {
    message.Integer(op_sharding::is_shard_group, 1);
    message.Integer(op_sharding::shard_group_id, TakeInteger(parser));
    message.Integer(op_sharding::shard_group_type, word == "shard_as" ? 0 : 1);
  } else if (word == "metadata") {
    AddMetadata(parser, op_sharding::metadata, message);
  } else {
    message.Integer(op_sharding::type, TypeOfWord(word));
  }
}

// Writes "{'x', 'y', ?}"; returns true if it is closed.
bool WriteAxes(TextParser& parser, const Mesh& mesh, const Field& field, MessageWriter& message) {
  bool is_closed = true;
  parser.Eat("{");
  while (!parser.Eat("}") && !parser.Is(TokenKind::kEnd)) {
    if (parser.Eat("?")) {
      is_closed = false;
    } else if (const Result<AxisReference> axis = ParseAxisReference(parser, mesh)) {
      message.Sub(field, WriteAxis(*axis));
    } else {
      parser.Next();  // not in the normal form
    }
    parser.Eat(",");
  }
  return is_closed;
}

void WriteDimensionAxes(TextParser& parser, const Mesh& mesh, MessageWriter& message) {
  namespace field = fields::NamedShardingProto_DimensionSharding;
  while (!parser.Eat("]") && !parser.Is(TokenKind::kEnd)) {
    MessageWriter dimension;
    if (WriteAxes(parser, mesh, field::axes, dimension)) dimension.Integer(field::is_closed, 1);
    message.Sub(named_sharding::dim_shardings, dimension);
    parser.Eat(",");
  }
}

// Writes "replicated", "manual", "unreduced={'x'}", "unreduced=[max]{'x'}", "unreduced=max".
void WriteAxisSet(TextParser& parser, const Mesh& mesh, MessageWriter& message) {
  const std::string_view word = parser.token().text;
  const bool has_value = parser.Is(TokenKind::kAttributeName);
  const Field& field = word == "manual"      ? named_sharding::manual_axes
                       : word == "unreduced" ? named_sharding::unreduced_axes
                                             : named_sharding::replicated_axes;
  parser.Next();
  const bool is_list = has_value && (parser.At("{") || parser.At("["));
  if (has_value && (parser.Eat("[") || !is_list)) {
    const auto* const reduction = std::ranges::find(kReductions, parser.token().text);
    message.Integer(named_sharding::reduction_op, reduction == kReductions.end() ? 0 : reduction - kReductions.begin());
    parser.Next();
    parser.Eat("]");
  }
  if (is_list) {
    WriteAxes(parser, mesh, field, message);
  } else if (word != "replicated") {
    for (std::size_t axis = 0; axis < mesh.axis_names.size(); ++axis) {
      MessageWriter whole;
      whole.Integer(fields::AxisRefProto::mesh_axis_index, static_cast<std::int64_t>(axis));
      message.Sub(field, whole);
    }
  }
}

// Writes a sharding on a named mesh; the parser is after "{".
MessageWriter WriteNamed(TextParser& parser) {
  MessageWriter message;
  const Result<Mesh> mesh = ParseMesh(parser);
  if (!mesh) return message;
  message.Sub(named_sharding::mesh, WriteMesh(*mesh));
  while (parser.Eat(",")) {
    if (parser.EatAttributeName("metadata")) {
      AddMetadata(parser, named_sharding::metadata, message);
    } else if (parser.Eat("[")) {
      WriteDimensionAxes(parser, *mesh, message);
    } else {
      WriteAxisSet(parser, *mesh, message);
    }
  }
  return message;
}

MessageWriter WriteOneSharding(TextParser& parser) {
  MessageWriter message;
  if (const std::string_view next = parser.Peek().text; next == "{" || next == "}") {
    message.Integer(op_sharding::type, kTuple);
    parser.Eat("{");
    while (!parser.Eat("}") && !parser.Is(TokenKind::kEnd)) {
      message.Sub(op_sharding::tuple_shardings, WriteOneSharding(parser));
      parser.Eat(",");
    }
    return message;
  }
  parser.Eat("{");
  if (AtMesh(parser)) message.Sub(op_sharding::named_sharding, WriteNamed(parser));
  while (!parser.Eat("}") && !parser.Is(TokenKind::kEnd)) WriteShardingField(parser, message);
  return message;
}

}  // namespace

MessageWriter WriteSharding(std::string_view text) {
  TextParser parser(text);
  return WriteOneSharding(parser);
}

}  // namespace assay::proto
