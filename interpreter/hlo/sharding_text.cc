#include "interpreter/hlo/sharding_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string_view>

#include "interpreter/hlo/iota_text.h"
#include "interpreter/hlo/mesh_text.h"
#include "interpreter/hlo/metadata_text.h"
#include "interpreter/types/index_util.h"
#include "interpreter/types/join_text.h"

namespace assay {
namespace {

// The types of subgroups along a trailing tile dimension, in the order in which XLA sorts such dimensions.
constexpr std::string_view kSubgroupTypes[] = {"manual", "unreduced", "replicated"};

// An array of devices.
struct Tile {
  Int64List dimensions;
  Int64List devices;               // row-major
  std::optional<DeviceIota> iota;  // the same list as `devices`, if written as an iota

  void Transpose(const Int64List& permutation) {
    const std::vector<std::int64_t> strides = RowMajorStrides(dimensions);
    Int64List sizes;
    std::vector<std::int64_t> steps[1];
    for (const std::int64_t d : permutation) {
      sizes.push_back(dimensions[d]);
      steps[0].push_back(strides[d]);
    }
    Int64List transposed;
    StridedWalk<1>(sizes, steps).ForEach({0}, [&](const std::int64_t(&at)[1]) {
      transposed.push_back(devices[at[0]]);
    });
    if (iota.has_value()) iota = iota->Transpose(dimensions, permutation);
    devices = std::move(transposed);
    dimensions = std::move(sizes);
  }
};

// The content of the braces of one sharding that is neither a tuple nor names a mesh.
struct Fields {
  std::string kind;  // replicated, manual, unknown, unreduced, maximal; empty for tiles
  std::int64_t maximal_device = 0;
  Tile tile;
  std::vector<std::string> subgroups;  // types of the last dimensions of the tile
  std::string shard_group;             // "shard_as 3"
  std::string metadata;                // "metadata={...}"
};

Status ParseDevices(TextParser& parser, Tile& tile) {
  const SourceLocation location = parser.token().location;
  ASSAY_TRY(tile.dimensions, parser.ParseIntegers("[", "]"));
  ASSAY_TRY(const std::int64_t count, DeviceCount(tile.dimensions, location));
  if (parser.Eat("<=")) {
    ASSAY_TRY(tile.iota, ParseDeviceIota(parser));
    tile.devices = tile.iota->Devices();
  } else {
    do {
      ASSAY_TRY(tile.devices.emplace_back(), parser.ParseInteger());
    } while (parser.Eat(","));
  }
  const auto listed = static_cast<std::int64_t>(tile.devices.size());
  if (listed > count || (listed < count && (listed == 1 || tile.iota.has_value()))) {
    return TextParser::FailAt(location, fmt::format("the tiles are {} devices, {} are listed", count, listed));
  }
  tile.devices.resize(count, 0);  // XLA uses device 0 for missing entries
  // XLA's parser accepts one device as an iota alone, which JAX writes for a mesh of one device.
  if (count == 1 && !tile.iota) return TextParser::FailAt(location, "tiles need more than one device");
  return {};
}

// Parses "{...}" or "{{...}, {...}}"; several print as the list.
Result<std::string> ParseShardingMetadata(TextParser& parser, bool always_list) {
  std::vector<std::string> all;
  const auto item = [&]() -> Status {
    ASSAY_TRY(Metadata metadata, ParseMetadata(parser));
    all.push_back(std::move(metadata.text));
    return {};
  };
  if (parser.At("{") && parser.Peek().text == "{") {
    ASSAY_CHECK_OK(parser.ParseList("{", "}", item));
  } else {
    ASSAY_CHECK_OK(item());
  }
  if (all.size() == 1 && !always_list) return "metadata=" + all[0];
  return fmt::format("metadata={{{}}}", JoinText(all, ", "));
}

Status ParseSubgroups(TextParser& parser, Fields& fields) {
  return parser.ParseList("{", "}", [&]() -> Status {
    const auto type = std::ranges::find(kSubgroupTypes, parser.token().text);
    if (type == std::end(kSubgroupTypes)) return parser.Expected("manual, replicated or unreduced");
    fields.subgroups.emplace_back(*type);
    parser.Next();
    return {};
  });
}

Status ParseField(TextParser& parser, Fields& fields) {
  constexpr std::string_view kKinds[] = {"replicated", "manual", "unknown", "unreduced", "maximal"};
  const std::string_view word = parser.token().text;
  if (parser.EatAttributeName("devices")) return ParseDevices(parser, fields.tile);
  if (parser.EatAttributeName("last_tile_dims")) return ParseSubgroups(parser, fields);
  if (parser.EatAttributeName("metadata")) {
    ASSAY_TRY(fields.metadata, ParseShardingMetadata(parser, /*always_list=*/false));
    return {};
  }
  if (parser.EatAttributeName("device")) {
    ASSAY_TRY(fields.maximal_device, parser.ParseInteger());
    return {};
  }
  if (parser.EatKeyword("last_tile_dim_replicate")) {
    fields.subgroups = {"replicated"};
    return {};
  }
  if (parser.EatKeyword("shard_as") || parser.EatKeyword("shard_like")) {
    ASSAY_TRY(const std::int64_t group, parser.ParseInteger());
    fields.shard_group = fmt::format("{} {}", word, group);
    return {};
  }
  if (parser.Is(TokenKind::kKeyword) && std::ranges::find(kKinds, word) != std::end(kKinds) && fields.kind.empty()) {
    fields.kind = word;
    parser.Next();
    return {};
  }
  return parser.Expected("a sharding such as replicated or devices=[2,2]<=[4]");
}

// Normalizes the trailing dimensions as XLA does: removes those of size 1, merges those of one type, sorts by type. A
// tile that consists of one such dimension becomes that type's own sharding.
void NormalizeSubgroups(Fields& fields) {
  Tile& tile = fields.tile;
  const std::size_t data_rank = tile.dimensions.size() - fields.subgroups.size();
  const std::string first = fields.subgroups[0];
  const bool have_one_type = std::ranges::count(fields.subgroups, first) == std::ssize(fields.subgroups);
  Int64List merged(tile.dimensions.begin(), tile.dimensions.begin() + static_cast<std::ptrdiff_t>(data_rank));
  Int64List permutation, dropped;
  for (std::size_t d = 0; d < data_rank; ++d) permutation.push_back(static_cast<std::int64_t>(d));
  std::vector<std::string> types;
  for (const std::string_view type : kSubgroupTypes) {
    std::int64_t size = 1;
    for (std::size_t i = 0; i < fields.subgroups.size(); ++i) {
      const auto d = static_cast<std::int64_t>(data_rank + i);
      if (fields.subgroups[i] != type) continue;
      size *= tile.dimensions[d];
      (tile.dimensions[d] == 1 ? dropped : permutation).push_back(d);
    }
    if (size == 1) continue;
    types.emplace_back(type);
    merged.push_back(size);
  }
  permutation.insert(permutation.end(), dropped.begin(), dropped.end());
  tile.Transpose(permutation);
  tile.dimensions = std::move(merged);
  fields.subgroups = std::move(types);
  const std::size_t count = tile.devices.size();
  if (fields.subgroups.size() == 1 && tile.dimensions.back() == static_cast<std::int64_t>(count)) {
    fields.kind = fields.subgroups[0];
  } else if (count == 1 && have_one_type) {
    fields.kind = first;
  }
  // Replicas are unordered.
  if (tile.iota.has_value() || fields.subgroups.empty() || fields.subgroups.back() != "replicated") return;
  const std::int64_t replicas = tile.dimensions.back();
  for (auto group = tile.devices.begin(); group != tile.devices.end(); group += replicas) {
    std::sort(group, group + replicas);
  }
}

std::string PrintFields(const Fields& fields) {
  std::vector<std::string> parts;
  if (fields.kind == "maximal") {
    parts.push_back(fmt::format("maximal device={}", fields.maximal_device));
  } else if (!fields.kind.empty()) {
    parts.push_back(fields.kind);
  } else {
    const Tile& tile = fields.tile;
    parts.push_back(fmt::format("devices=[{}]{}", JoinText(tile.dimensions, ","),
                                tile.iota.has_value() ? "<=" + tile.iota->ToString() : JoinText(tile.devices, ",")));
    if (fields.subgroups == std::vector<std::string>{"replicated"}) {
      parts.emplace_back("last_tile_dim_replicate");
    } else if (!fields.subgroups.empty()) {
      parts.push_back(fmt::format("last_tile_dims={{{}}}", JoinText(fields.subgroups, ", ")));
    }
  }
  if (!fields.shard_group.empty()) parts.push_back(fields.shard_group);
  if (!fields.metadata.empty()) parts.push_back(fields.metadata);
  return fmt::format("{{{}}}", JoinText(parts, " "));
}

// Parses "[{'x'}, {'y':(1)2, ?}]": the axes that shard each dimension; "?" permits more.
Result<std::string> ParseDimensionAxes(TextParser& parser, const Mesh& mesh) {
  std::vector<std::string> dimensions;
  bool all_empty = true;
  ASSAY_CHECK_OK(parser.ParseList("[", "]", [&]() -> Status {
    std::vector<std::string> axes;
    bool is_open = false;
    ASSAY_CHECK_OK(parser.ParseList("{", "}", [&]() -> Status {
      if (is_open) return parser.Fail("'?' must be last");
      is_open = parser.Eat("?");
      if (is_open) {
        axes.emplace_back("?");
        return {};
      }
      ASSAY_TRY(AxisReference axis, ParseAxisReference(parser, mesh));
      axes.push_back(std::move(axis.text));
      return {};
    }));
    all_empty &= axes.empty();
    dimensions.push_back(fmt::format("{{{}}}", JoinText(axes, ", ")));
    return {};
  }));
  if (dimensions.empty() && all_empty) return std::string("replicated");
  return fmt::format("[{}]", JoinText(dimensions, ", "));
}

// Parses "={'x','y'}" after replicated, unreduced or manual; unreduced may name its operation: "=[max]{'x'}".
Result<std::string> ParseAxisSet(TextParser& parser, const Mesh& mesh) {
  std::string operation;
  if (parser.Eat("[")) {
    ASSAY_TRY(const std::string word, parser.ParseWord());
    if (word != "sum" && word != "min" && word != "max") return parser.Fail("unreduced is a sum, min or max");
    operation = "[" + word + "]";
    ASSAY_CHECK_OK(parser.Expect("]"));
  }
  std::vector<std::string> axes;
  ASSAY_CHECK_OK(parser.ParseList("{", "}", [&]() -> Status {
    ASSAY_TRY(AxisReference axis, ParseAxisReference(parser, mesh));
    axes.push_back(std::move(axis.text));
    return {};
  }));
  return axes.empty() ? std::string() : fmt::format("{}{{{}}}", operation, JoinText(axes, ", "));
}

// Parses a sharding by mesh axes, from after its "{" up to its "}".
Result<std::string> ParseNamedSharding(TextParser& parser) {
  ASSAY_TRY(const Mesh mesh, ParseMesh(parser));
  std::string text = "{" + mesh.text;
  std::string sets[3];
  std::string metadata;
  constexpr std::string_view kSets[] = {"replicated", "unreduced", "manual"};
  // XLA's third form has no comma behind the mesh.
  for (bool is_first = true; parser.Eat(",") || (is_first && !parser.At("}")); is_first = false) {
    if (parser.EatAttributeName("metadata")) {
      ASSAY_TRY(metadata, ParseShardingMetadata(parser, /*always_list=*/true));
      continue;
    }
    const auto set = std::ranges::find(kSets, parser.token().text);
    if (set != std::end(kSets) && parser.Is(TokenKind::kAttributeName)) {
      parser.Next();
      if (parser.Is(TokenKind::kIdentifier)) {  // "unreduced=max": every axis
        text += fmt::format(", {}={}", *set, parser.token().text);
        parser.Next();
      } else {
        ASSAY_TRY(sets[set - std::begin(kSets)], ParseAxisSet(parser, mesh));
      }
    } else if (set != std::end(kSets)) {
      text += fmt::format(", {}", *set);
      parser.Next();
    } else if (parser.At("[") && !mesh.is_maximal) {
      ASSAY_TRY(const std::string dimensions, ParseDimensionAxes(parser, mesh));
      text += ", " + dimensions;
    } else {
      return parser.Expected("the axes of each dimension, replicated, unreduced, manual or metadata=");
    }
  }
  for (std::size_t i = 0; i < 3; ++i) {
    if (!sets[i].empty()) text += fmt::format(", {}={}", kSets[i], sets[i]);
  }
  if (!metadata.empty()) text += ", " + metadata;
  ASSAY_CHECK_OK(parser.Expect("}"));
  return text + "}";
}

void AppendElement(const std::string& element, std::int64_t index, std::string& text) {
  if (index > 0) text += ", ";
  if (index > 0 && index % 5 == 0) text += fmt::format("/*index={}*/", index);
  text += element;
}

// Parses "{s, s, ...}".
Result<std::string> ParseTupleSharding(TextParser& parser) {
  std::string text = "{";
  std::int64_t count = 0;
  ASSAY_CHECK_OK(parser.ParseList("{", "}", [&]() -> Status {
    const Token start = parser.token();
    if (parser.Peek().text == "{") return TextParser::FailAt(start.location, "the sharding of a tuple is a flat list");
    ASSAY_TRY(const std::string element, ParseSharding(parser));
    AppendElement(element, count++, text);
    return {};
  }));
  return text + "}";
}

}  // namespace

std::string ForEachLeaf(const std::string& sharding, const Shape& shape) {
  if (!shape.IsTuple() || sharding.starts_with("{{") || sharding == "{}") return sharding;
  std::string text = "{";
  const std::int64_t leaves = std::max<std::int64_t>(ShapeUtil::LeafCount(shape), 1);
  for (std::int64_t i = 0; i < leaves; ++i) AppendElement(sharding, i, text);
  return text + "}";
}

std::string WithoutMetadata(std::string_view sharding) {
  constexpr std::string_view kName = "metadata=";
  std::string text(sharding);
  for (std::size_t at = text.find(kName); at != text.npos; at = text.find(kName, at)) {
    Lexer lexer(std::string_view(text).substr(at + kName.size()));
    std::string_view raw;
    if (!lexer.TakeBraces(raw)) break;
    const std::size_t separator = text.find_last_not_of(" ,", at - 1) + 1;
    text.erase(separator, at + kName.size() + raw.size() - separator);
    at = separator;
  }
  return text;
}

std::vector<std::string> SplitShardings(std::string_view tuple) {
  std::vector<std::string> elements;
  int depth = 0;
  for (std::size_t i = 0, start = 0; i < tuple.size(); ++i) {
    if (tuple[i] == '{' && ++depth == 2) start = i;
    if (tuple[i] == '}' && depth-- == 2) elements.emplace_back(tuple.substr(start, i + 1 - start));
  }
  return elements;
}

Result<std::string> ParseSharding(TextParser& parser) {
  if (!parser.At("{")) return parser.Expected("a sharding in braces");
  const SourceLocation location = parser.token().location;
  if (const Token next = parser.Peek(); next.text == "{" || next.text == "}") return ParseTupleSharding(parser);
  parser.Next();
  if (AtMesh(parser)) return ParseNamedSharding(parser);
  Fields fields;
  while (!parser.At("}")) ASSAY_CHECK_OK(ParseField(parser, fields));
  ASSAY_CHECK_OK(parser.Expect("}"));
  const bool has_tile = !fields.tile.dimensions.empty();
  if (has_tile == !fields.kind.empty()) {
    return TextParser::FailAt(location, has_tile ? "a " + fields.kind + " sharding lists no devices"
                                                 : "a sharding of tiles lists its devices");
  }
  if (fields.subgroups.size() > fields.tile.dimensions.size()) {
    return TextParser::FailAt(location, "last_tile_dims has more entries than the tiles have dimensions");
  }
  if (has_tile && !fields.subgroups.empty()) NormalizeSubgroups(fields);
  return PrintFields(fields);
}

}  // namespace assay
