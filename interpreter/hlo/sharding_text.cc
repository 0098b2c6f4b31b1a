#include "interpreter/hlo/sharding_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "interpreter/hlo/metadata_text.h"
#include "interpreter/types/index_util.h"
#include "interpreter/types/join_text.h"

namespace assay {
namespace {

// The types of subgroups along a trailing tile dimension, in the order in which XLA sorts such dimensions.
constexpr std::string_view kSubgroupTypes[] = {"manual", "unreduced", "replicated"};

void Transpose(DeviceArray& array, const Int64List& permutation) {
  const std::vector<std::int64_t> strides = RowMajorStrides(array.dimensions);
  Int64List sizes;
  std::vector<std::int64_t> steps[1];
  for (const std::int64_t d : permutation) {
    sizes.push_back(array.dimensions[d]);
    steps[0].push_back(strides[d]);
  }
  Int64List transposed;
  StridedWalk<1>(sizes, steps).ForEach({0}, [&](const std::int64_t(&at)[1]) {
    transposed.push_back(array.devices[at[0]]);
  });
  if (array.iota.has_value()) array.iota = array.iota->Transpose(array.dimensions, permutation);
  array.devices = std::move(transposed);
  array.dimensions = std::move(sizes);
}

Status ParseDevices(TextParser& parser, DeviceArray& tiles) {
  const SourceLocation location = parser.token().location;
  ASSAY_TRY(tiles.dimensions, parser.ParseIntegers("[", "]"));
  if (parser.Eat("<=")) {
    ASSAY_TRY(tiles.iota, ParseDeviceIota(parser));
  } else {
    do {
      ASSAY_TRY(tiles.devices.emplace_back(), parser.ParseInteger());
    } while (parser.Eat(","));
  }
  return ListDevices(tiles, location);
}

// Parses "{...}" or "{{...}, {...}}".
Status ParseShardingMetadata(TextParser& parser, std::vector<std::string>& metadata) {
  const auto item = [&]() -> Result<std::string> {
    ASSAY_TRY(Metadata one, ParseMetadata(parser));
    return std::move(one.text);
  };
  if (parser.At("{") && parser.Peek().text == "{") return parser.ParseItems("{", "}", metadata, item);
  ASSAY_TRY(metadata.emplace_back(), item());
  return {};
}

Status ParseSubgroups(TextParser& parser, HloSharding& sharding) {
  return parser.ParseList("{", "}", [&]() -> Status {
    const auto type = std::ranges::find(kSubgroupTypes, parser.token().text);
    if (type == std::end(kSubgroupTypes)) return parser.Expected("manual, replicated or unreduced");
    sharding.subgroups.emplace_back(*type);
    parser.Next();
    return {};
  });
}

Status ParseField(TextParser& parser, HloSharding& sharding) {
  constexpr std::string_view kKinds[] = {"replicated", "manual", "unknown", "unreduced", "maximal"};
  const std::string_view word = parser.token().text;
  if (parser.EatAttributeName("devices")) return ParseDevices(parser, sharding.tiles);
  if (parser.EatAttributeName("last_tile_dims")) return ParseSubgroups(parser, sharding);
  if (parser.EatAttributeName("metadata")) return ParseShardingMetadata(parser, sharding.metadata);
  if (parser.EatAttributeName("device")) {
    ASSAY_TRY(sharding.maximal_device, parser.ParseInteger());
    return {};
  }
  if (parser.EatKeyword("last_tile_dim_replicate")) {
    sharding.subgroups = {"replicated"};
    return {};
  }
  if (parser.EatKeyword("shard_as") || parser.EatKeyword("shard_like")) {
    sharding.shard_group = word;
    ASSAY_TRY(sharding.shard_group_id, parser.ParseInteger());
    return {};
  }
  if (parser.Is(TokenKind::kKeyword) && std::ranges::find(kKinds, word) != std::end(kKinds) && sharding.kind.empty()) {
    sharding.kind = word;
    parser.Next();
    return {};
  }
  return parser.Expected("a sharding such as replicated or devices=[2,2]<=[4]");
}

// Normalizes the trailing dimensions as XLA does: removes those of size 1, merges those of one type, sorts by type. A
// tile that consists of one such dimension becomes that type's own sharding.
void NormalizeSubgroups(HloSharding& sharding) {
  DeviceArray& tiles = sharding.tiles;
  const std::size_t data_rank = tiles.dimensions.size() - sharding.subgroups.size();
  const std::string first = sharding.subgroups[0];
  const bool have_one_type = std::ranges::count(sharding.subgroups, first) == std::ssize(sharding.subgroups);
  Int64List merged(tiles.dimensions.begin(), tiles.dimensions.begin() + static_cast<std::ptrdiff_t>(data_rank));
  Int64List permutation, dropped;
  for (std::size_t d = 0; d < data_rank; ++d) permutation.push_back(static_cast<std::int64_t>(d));
  std::vector<std::string> types;
  for (const std::string_view type : kSubgroupTypes) {
    std::int64_t size = 1;
    for (std::size_t i = 0; i < sharding.subgroups.size(); ++i) {
      const auto d = static_cast<std::int64_t>(data_rank + i);
      if (sharding.subgroups[i] != type) continue;
      size *= tiles.dimensions[d];
      (tiles.dimensions[d] == 1 ? dropped : permutation).push_back(d);
    }
    if (size == 1) continue;
    types.emplace_back(type);
    merged.push_back(size);
  }
  permutation.insert(permutation.end(), dropped.begin(), dropped.end());
  Transpose(tiles, permutation);
  tiles.dimensions = std::move(merged);
  sharding.subgroups = std::move(types);
  const std::size_t count = tiles.devices.size();
  if (sharding.subgroups.size() == 1 && tiles.dimensions.back() == static_cast<std::int64_t>(count)) {
    sharding.kind = sharding.subgroups[0];
  } else if (count == 1 && have_one_type) {
    sharding.kind = first;
  }
  // Replicas are unordered.
  if (tiles.iota.has_value() || sharding.subgroups.empty() || sharding.subgroups.back() != "replicated") return;
  const std::int64_t replicas = tiles.dimensions.back();
  for (auto group = tiles.devices.begin(); group != tiles.devices.end(); group += replicas) {
    std::sort(group, group + replicas);
  }
}

Result<MeshSharding::Dimension> ParseDimensionAxes(TextParser& parser, const Mesh& mesh) {
  MeshSharding::Dimension dimension;
  ASSAY_CHECK_OK(parser.ParseList("{", "}", [&]() -> Status {
    if (dimension.is_open) return parser.Fail("'?' must be last");
    dimension.is_open = parser.Eat("?");
    if (dimension.is_open) return {};
    ASSAY_TRY(dimension.axes.emplace_back(), ParseAxisReference(parser, mesh));
    return {};
  }));
  return dimension;
}

// Parses how an unreduced value is reduced.
Status ParseReduction(TextParser& parser, MeshSharding& sharding) {
  const SourceLocation location = parser.token().location;
  ASSAY_TRY(sharding.reduction, parser.ParseWord());
  if (sharding.reduction == "sum" || sharding.reduction == "min" || sharding.reduction == "max") return {};
  return TextParser::FailAt(location, "unreduced is a sum, min or max, found " + sharding.reduction);
}

// Parses "={'x','y'}" after replicated, unreduced or manual, or "=[max]{'x'}" after unreduced.
Status ParseAxisSet(TextParser& parser, MeshSharding& sharding, MeshSharding::Set set) {
  if (set == MeshSharding::kUnreduced && parser.Eat("[")) {
    ASSAY_CHECK_OK(ParseReduction(parser, sharding));
    ASSAY_CHECK_OK(parser.Expect("]"));
  }
  sharding.sets[set].clear();
  return parser.ParseItems("{", "}", sharding.sets[set], [&] { return ParseAxisReference(parser, sharding.mesh); });
}

// Parses one part of a sharding behind its mesh.
Status ParseMeshField(TextParser& parser, MeshSharding& sharding) {
  const auto* const name = std::ranges::find(MeshSharding::kSetNames, parser.token().text);
  if (name != MeshSharding::kSetNames.end()) {
    const auto set = static_cast<MeshSharding::Set>(name - MeshSharding::kSetNames.begin());
    const bool has_value = parser.Is(TokenKind::kAttributeName);
    parser.Next();
    const bool has_axes = has_value && (set != MeshSharding::kUnreduced || parser.Is(TokenKind::kPunctuation));
    if (has_axes) return ParseAxisSet(parser, sharding, set);
    sharding.whole = set;
    return has_value ? ParseReduction(parser, sharding) : Status();  // "unreduced=max": every axis
  }
  if (!parser.At("[") || sharding.mesh.is_maximal || !sharding.dimensions.empty()) {
    return parser.Expected("the axes of each dimension, replicated, unreduced, manual or metadata=");
  }
  ASSAY_CHECK_OK(
      parser.ParseItems("[", "]", sharding.dimensions, [&] { return ParseDimensionAxes(parser, sharding.mesh); }));
  if (sharding.dimensions.empty()) sharding.whole = MeshSharding::kReplicated;
  return {};
}

// Parses a sharding by mesh axes, from after its "{" up to its "}".
Result<HloSharding> ParseNamedSharding(TextParser& parser) {
  HloSharding sharding;
  MeshSharding& by_axes = sharding.by_axes.emplace();
  ASSAY_TRY(by_axes.mesh, ParseMesh(parser));
  // XLA's third form has no comma behind the mesh.
  for (bool is_first = true; parser.Eat(",") || (is_first && !parser.At("}")); is_first = false) {
    if (parser.EatAttributeName("metadata")) {
      ASSAY_CHECK_OK(ParseShardingMetadata(parser, sharding.metadata));
    } else {
      ASSAY_CHECK_OK(ParseMeshField(parser, by_axes));
    }
  }
  ASSAY_CHECK_OK(parser.Expect("}"));
  return sharding;
}

std::string AxesText(const std::vector<AxisReference>& axes, std::string_view open_end = "") {
  std::vector<std::string_view> texts;
  for (const AxisReference& axis : axes) texts.push_back(axis.text);
  if (!open_end.empty()) texts.push_back(open_end);
  return fmt::format("{{{}}}", JoinText(texts, ", "));
}

std::string MeshShardingText(const MeshSharding& sharding) {
  std::string text = sharding.mesh.text;
  if (!sharding.dimensions.empty()) {
    std::vector<std::string> dimensions;
    for (const MeshSharding::Dimension& dimension : sharding.dimensions) {
      dimensions.push_back(AxesText(dimension.axes, dimension.is_open ? "?" : ""));
    }
    text += fmt::format(", [{}]", JoinText(dimensions, ", "));
  }
  const auto reduction = [&](std::size_t set, const char* format) {
    const bool is_written = set == MeshSharding::kUnreduced && !sharding.reduction.empty();
    return is_written ? fmt::format(fmt::runtime(format), sharding.reduction) : std::string();
  };
  if (sharding.whole)
    text += ", " + std::string(MeshSharding::kSetNames[*sharding.whole]) + reduction(*sharding.whole, "={}");
  for (std::size_t set = 0; set < MeshSharding::kSets; ++set) {
    if (sharding.sets[set].empty()) continue;
    text +=
        fmt::format(", {}={}{}", MeshSharding::kSetNames[set], reduction(set, "[{}]"), AxesText(sharding.sets[set]));
  }
  return text;
}

// Returns "devices=[2,2]<=[4] last_tile_dim_replicate".
std::string TilesText(const HloSharding& sharding) {
  const DeviceArray& tiles = sharding.tiles;
  std::string text = fmt::format("devices=[{}]{}", JoinText(tiles.dimensions, ","),
                                 tiles.iota ? "<=" + tiles.iota->ToString() : JoinText(tiles.devices, ","));
  if (sharding.subgroups == std::vector<std::string>{"replicated"}) return text + " last_tile_dim_replicate";
  if (sharding.subgroups.empty()) return text;
  return text + fmt::format(" last_tile_dims={{{}}}", JoinText(sharding.subgroups, ", "));
}

void AppendElement(const std::string& element, std::int64_t index, std::string& text) {
  if (index > 0) text += ", ";
  if (index > 0 && index % 5 == 0) text += fmt::format("/*index={}*/", index);
  text += element;
}

// Parses "{s, s, ...}".
Result<HloSharding> ParseTupleSharding(TextParser& parser) {
  HloSharding sharding;
  sharding.is_tuple = true;
  ASSAY_CHECK_OK(parser.ParseItems("{", "}", sharding.elements, [&]() -> Result<HloSharding> {
    if (parser.Peek().text == "{") return parser.Fail("the sharding of a tuple is a flat list");
    return ParseHloSharding(parser);
  }));
  return sharding;
}

}  // namespace

std::string HloSharding::ToString() const {
  std::string text;
  if (is_tuple) {
    for (std::int64_t i = 0; i < std::ssize(elements); ++i) AppendElement(elements[i].ToString(), i, text);
    return "{" + text + "}";
  }
  text = by_axes ? MeshShardingText(*by_axes) : kind.empty() ? TilesText(*this) : kind;
  if (kind == "maximal") text += fmt::format(" device={}", maximal_device);
  if (!shard_group.empty()) text += fmt::format(" {} {}", shard_group, shard_group_id);
  if (!metadata.empty()) {
    const std::string list = JoinText(metadata, ", ");
    text += fmt::format("{}metadata={}", by_axes ? ", " : " ",
                        by_axes || metadata.size() > 1 ? fmt::format("{{{}}}", list) : list);
  }
  return "{" + text + "}";
}

std::string ForEachLeaf(const std::string& sharding, const Shape& shape) {
  if (!shape.IsTuple() || sharding.starts_with("{{") || sharding == "{}") return sharding;
  std::string text = "{";
  const std::int64_t leaves = std::max<std::int64_t>(ShapeUtil::LeafCount(shape), 1);
  for (std::int64_t i = 0; i < leaves; ++i) AppendElement(sharding, i, text);
  return text + "}";
}

std::string WithoutMetadata(std::string_view text) {
  Result<HloSharding> sharding = ParseHloSharding(text);
  if (!sharding) return std::string(text);
  sharding->metadata.clear();
  for (HloSharding& element : sharding->elements) element.metadata.clear();
  return sharding->ToString();
}

std::vector<std::string> SplitShardings(std::string_view tuple) {
  std::vector<std::string> elements;
  const Result<HloSharding> sharding = ParseHloSharding(tuple);
  if (!sharding) return elements;
  for (const HloSharding& element : sharding->elements) elements.push_back(element.ToString());
  return elements;
}

Status ListDevices(DeviceArray& tiles, SourceLocation location) {
  ASSAY_TRY(const std::int64_t count, DeviceCount(tiles.dimensions, location));
  if (tiles.iota) tiles.devices = tiles.iota->Devices();
  const std::int64_t listed = std::ssize(tiles.devices);
  if (listed > count || (listed < count && (listed == 1 || tiles.iota.has_value()))) {
    return TextParser::FailAt(location, fmt::format("the tiles are {} devices, {} are listed", count, listed));
  }
  tiles.devices.resize(count, 0);  // XLA uses device 0 for missing entries
  // XLA's parser accepts one device as an iota alone, which JAX writes for a mesh of one device.
  if (count == 1 && !tiles.iota) return TextParser::FailAt(location, "tiles need more than one device");
  return {};
}

Status NormalizeSharding(HloSharding& sharding, SourceLocation location) {
  const bool has_tiles = !sharding.tiles.dimensions.empty();
  if (has_tiles == !sharding.kind.empty()) {
    return TextParser::FailAt(location, has_tiles ? "a " + sharding.kind + " sharding lists no devices"
                                                  : "a sharding of tiles lists its devices");
  }
  if (sharding.subgroups.size() > sharding.tiles.dimensions.size()) {
    return TextParser::FailAt(location, "last_tile_dims has more entries than the tiles have dimensions");
  }
  if (has_tiles && !sharding.subgroups.empty()) NormalizeSubgroups(sharding);
  return {};
}

Result<HloSharding> ParseHloSharding(TextParser& parser) {
  if (!parser.At("{")) return parser.Expected("a sharding in braces");
  const SourceLocation location = parser.token().location;
  if (const Token next = parser.Peek(); next.text == "{" || next.text == "}") return ParseTupleSharding(parser);
  parser.Next();
  if (AtMesh(parser)) return ParseNamedSharding(parser);
  HloSharding sharding;
  while (!parser.At("}")) ASSAY_CHECK_OK(ParseField(parser, sharding));
  ASSAY_CHECK_OK(parser.Expect("}"));
  ASSAY_CHECK_OK(NormalizeSharding(sharding, location));
  return sharding;
}

Result<HloSharding> ParseHloSharding(std::string_view text) {
  TextParser parser(text);
  Result<HloSharding> sharding = ParseHloSharding(parser);
  if (sharding) ASSAY_CHECK_OK(parser.ExpectEnd());
  return sharding;
}

Result<std::string> ParseSharding(TextParser& parser) {
  ASSAY_TRY(const HloSharding sharding, ParseHloSharding(parser));
  return sharding.ToString();
}

}  // namespace assay
