#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>

#include "interpreter/hlo/attribute_text.h"
#include "interpreter/hlo/literal_text.h"
#include "interpreter/hlo/shape_text.h"
#include "interpreter/hlo/sharding_text.h"
#include "interpreter/hlo/sparsity_text.h"
#include "interpreter/types/join_text.h"

namespace assay {
namespace {

Result<AttributeValue> ParseEnum(TextParser& parser, const AttributeSpec& spec) {
  for (const std::string_view word : spec.enumerators) {
    const bool same = spec.ignores_case ? EqualIgnoringCase(parser.token().text, word) : parser.token().text == word;
    if (!same || parser.Is(TokenKind::kString)) continue;
    parser.Next();
    return AttributeValue(std::string(word));
  }
  return parser.Expected(fmt::format("one of {}", JoinText(spec.enumerators, ", ")));
}

Result<AttributeValue> ParseInt64List(TextParser& parser, const AttributeSpec& spec) {
  const SourceLocation location = parser.token().location;
  ASSAY_TRY(Int64List values, parser.ParseIntegers());
  if (spec.length >= 0 && static_cast<std::int64_t>(values.size()) != spec.length) {
    return TextParser::FailAt(location,
                              fmt::format("{} takes {} number(s), here are {}", spec.name, spec.length, values.size()));
  }
  return AttributeValue(std::move(values));
}

Result<AttributeValue> ParseBoolList(TextParser& parser) {
  std::vector<bool> values;
  ASSAY_CHECK_OK(parser.ParseItems("{", "}", values, [&] { return parser.ParseBool(); }));
  return AttributeValue(std::move(values));
}

Result<std::vector<Int64List>> ParseInt64ListList(TextParser& parser) {
  std::vector<Int64List> lists;
  ASSAY_CHECK_OK(parser.ParseItems("{", "}", lists, [&] { return parser.ParseIntegers(); }));
  return lists;
}

// Parses "lo_hi_interior" for each dimension; the lexer has checked the syntax.
Result<PaddingConfig> ParsePaddingToken(TextParser& parser, bool with_interior) {
  if (!parser.Is(TokenKind::kPadding)) return parser.Expected("padding such as 0_1x2_3");
  const std::string_view text = parser.token().text;
  PaddingConfig padding;
  const char* at = text.data();
  const char* const end = at + text.size();
  while (at < end) {
    std::int64_t values[3] = {0, 0, 0};
    int count = 0;
    for (;; ++at) {
      if (count == (with_interior ? 3 : 2)) {
        return parser.Fail(with_interior ? "padding is lo_hi or lo_hi_interior" : "the padding of a window is lo_hi");
      }
      const auto parsed = std::from_chars(at, end, values[count++]);
      if (parsed.ec != std::errc()) return parser.Fail("a padding amount does not fit 64 bits");
      at = parsed.ptr;
      if (at == end || *at != '_') break;
    }
    padding.push_back({values[0], values[1], values[2]});
    at += at < end;
  }
  parser.Next();
  return padding;
}

Result<AttributeValue> ParseSlice(TextParser& parser) {
  SliceConfig slice;
  ASSAY_CHECK_OK(parser.ParseList("{", "}", [&]() -> Status {
    SliceDimension dimension;
    ASSAY_CHECK_OK(parser.Expect("["));
    ASSAY_TRY(dimension.start, parser.ParseInteger());
    ASSAY_CHECK_OK(parser.Expect(":"));
    ASSAY_TRY(dimension.limit, parser.ParseInteger());
    if (parser.Eat(":")) {
      ASSAY_TRY(dimension.stride, parser.ParseInteger());
    }
    ASSAY_CHECK_OK(parser.Expect("]"));
    slice.push_back(dimension);
    return {};
  }));
  return AttributeValue(std::move(slice));
}

// One part of dim_labels, such as "b01f": the positions of the two letters and of each spatial number.
struct Labels {
  std::int64_t first = -1;
  std::int64_t second = -1;
  Int64List spatial;
};

bool ReadLabels(std::string_view text, char first, char second, Labels& labels) {
  const std::size_t unnamed = std::ranges::count(text, '?');
  if (text.size() < 2 + unnamed) return false;
  labels.spatial.assign(text.size() - 2 - unnamed, -1);
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '?') continue;
    std::int64_t* place = nullptr;
    if (text[i] == first) {
      place = &labels.first;
    } else if (text[i] == second) {
      place = &labels.second;
    } else if (const std::size_t number = text[i] - '0'; number < labels.spatial.size()) {
      place = &labels.spatial[number];
    }
    if (place == nullptr || *place != -1) return false;
    *place = static_cast<std::int64_t>(i);
  }
  return labels.first >= 0 && labels.second >= 0;
}

Result<AttributeValue> ParseDimLabels(TextParser& parser) {
  if (!parser.Is(TokenKind::kDimLabels)) return parser.Expected("dimension labels such as b01f_01io->b01f");
  const std::string_view text = parser.token().text;
  const std::size_t bar = text.find('_');
  const std::size_t arrow = text.find("->");
  Labels input, kernel, output;
  if (!ReadLabels(text.substr(0, bar), 'b', 'f', input) ||
      !ReadLabels(text.substr(bar + 1, arrow - bar - 1), 'i', 'o', kernel) ||
      !ReadLabels(text.substr(arrow + 2), 'b', 'f', output)) {
    return parser.Fail("each label must occur once: b, f (in the kernel i, o) and the numbers 0 to n-1");
  }
  if (input.spatial.size() != kernel.spatial.size() || input.spatial.size() != output.spatial.size()) {
    return parser.Fail("input, kernel and output have the same number of spatial labels");
  }
  parser.Next();
  return AttributeValue(ConvolutionDimensionNumbers{
      .input_batch_dimension = input.first,
      .input_feature_dimension = input.second,
      .input_spatial_dimensions = std::move(input.spatial),
      .kernel_input_feature_dimension = kernel.first,
      .kernel_output_feature_dimension = kernel.second,
      .kernel_spatial_dimensions = std::move(kernel.spatial),
      .output_batch_dimension = output.first,
      .output_feature_dimension = output.second,
      .output_spatial_dimensions = std::move(output.spatial),
  });
}

Result<AttributeValue> ParsePrecision(TextParser& parser) {
  std::vector<std::string> precisions;
  ASSAY_CHECK_OK(parser.ParseList("{", "}", [&]() -> Status {
    for (const std::string_view word : {"default", "high", "highest"}) {
      if (!EqualIgnoringCase(parser.token().text, word)) continue;
      parser.Next();
      precisions.emplace_back(word);
      return {};
    }
    return parser.Expected("default, high or highest");
  }));
  return AttributeValue(std::move(precisions));
}

Result<AttributeValue> ParseComputations(TextParser& parser, const ComputationReader& read_computation) {
  std::vector<HloComputation*> computations;
  ASSAY_CHECK_OK(parser.ParseItems("{", "}", computations, read_computation));
  return AttributeValue(std::move(computations));
}

Result<AttributeValue> ParseAliasing(TextParser& parser) {
  std::vector<OutputOperandAlias> aliases;
  ASSAY_CHECK_OK(parser.ParseList("{", "}", [&]() -> Status {
    OutputOperandAlias alias;
    ASSAY_TRY(alias.output_index, parser.ParseIntegers());
    ASSAY_CHECK_OK(parser.Expect(":"));
    ASSAY_CHECK_OK(parser.Expect("("));
    ASSAY_TRY(alias.operand, parser.ParseInteger());
    ASSAY_CHECK_OK(parser.Expect(","));
    ASSAY_TRY(alias.operand_index, parser.ParseIntegers());
    ASSAY_CHECK_OK(parser.Expect(")"));
    aliases.push_back(std::move(alias));
    return {};
  }));
  return AttributeValue(std::move(aliases));
}

Result<AttributeValue> ParseShapes(TextParser& parser) {
  std::vector<Shape> shapes;
  ASSAY_CHECK_OK(parser.ParseItems("{", "}", shapes, [&] { return ParseShape(parser); }));
  return AttributeValue(std::move(shapes));
}

// Parses {kind="sharding", entry={...}, exit={...}}, in any order.
Result<AttributeValue> ParseDomain(TextParser& parser) {
  std::string kind, entry, exit;
  ASSAY_CHECK_OK(parser.ParseList("{", "}", [&]() -> Status {
    if (parser.EatAttributeName("kind")) {
      ASSAY_TRY(kind, parser.ParseString());
    } else if (parser.EatAttributeName("entry")) {
      ASSAY_TRY(entry, ParseSharding(parser));
    } else if (parser.EatAttributeName("exit")) {
      ASSAY_TRY(exit, ParseSharding(parser));
    } else {
      return parser.Expected("kind=, entry= or exit=");
    }
    return {};
  }));
  if (kind != "sharding" || entry.empty() || exit.empty()) {
    return parser.Fail("a domain has kind=\"sharding\", entry= and exit=");
  }
  return AttributeValue(
      fmt::format("{{kind=\"{}\", entry={}, exit={}}}", kind, WithoutMetadata(entry), WithoutMetadata(exit)));
}

// Parses braces, whose content stays as written, or one word.
Result<AttributeValue> ParseRaw(TextParser& parser) {
  std::string_view raw;
  if (parser.At("{") && parser.lexer().TakeBraces(raw)) return AttributeValue(std::string(raw));
  ASSAY_TRY(std::string word, parser.ParseWord());
  return AttributeValue(std::move(word));
}

template <class T>
Result<AttributeValue> Wrap(Result<T> result) {
  if (!result.has_value()) return std::move(result).error();
  return AttributeValue(*std::move(result));
}

// The fields of a window as text has them: lists of one entry for each dimension, or empty.
struct WindowFields {
  std::map<std::string, Int64List> values;
  PaddingConfig padding;

  std::int64_t At(const char* name, std::size_t d, std::int64_t if_absent) {
    return values[name].empty() ? if_absent : values[name][d];
  }
};

Result<WindowFields> ParseWindowFields(TextParser& parser) {
  WindowFields fields;
  while (!parser.At("}")) {
    const Token name = parser.token();
    if (!parser.Is(TokenKind::kAttributeName) || fields.values.contains(std::string(name.text))) {
      return parser.Expected("a field of a window that has not been given yet");
    }
    parser.Next();
    Int64List& values = fields.values[std::string(name.text)];
    if (name.text == "pad") {
      ASSAY_TRY(fields.padding, ParsePaddingToken(parser, /*with_interior=*/false));
      values.resize(fields.padding.size());
    } else if (name.text == "size" || name.text == "stride" || name.text == "lhs_dilate" || name.text == "rhs_dilate" ||
               name.text == "rhs_reversal") {
      ASSAY_TRY(values, parser.ParseSizes());
    } else {
      return TextParser::FailAt(name.location,
                                "a window has size, stride, pad, lhs_dilate, rhs_dilate and rhs_reversal");
    }
  }
  return fields;
}

}  // namespace

Result<Window> ParseWindow(TextParser& parser) {
  ASSAY_CHECK_OK(parser.Expect("{"));
  ASSAY_TRY(WindowFields fields, ParseWindowFields(parser));
  const SourceLocation end = parser.token().location;
  ASSAY_CHECK_OK(parser.Expect("}"));
  Window window;
  window.dimensions.resize(fields.values["size"].size());
  for (const auto& [name, values] : fields.values) {
    if (values.empty() || values.size() == window.dimensions.size()) continue;
    return TextParser::FailAt(end, fmt::format("the window's {} has {} dimensions, its size has {}", name,
                                               values.size(), window.dimensions.size()));
  }
  fields.padding.resize(window.dimensions.size());
  for (std::size_t d = 0; d < window.dimensions.size(); ++d) {
    window.dimensions[d] = {.size = fields.values["size"][d],
                            .stride = fields.At("stride", d, 1),
                            .padding_low = fields.padding[d].edge_padding_low,
                            .padding_high = fields.padding[d].edge_padding_high,
                            .window_dilation = fields.At("rhs_dilate", d, 1),
                            .base_dilation = fields.At("lhs_dilate", d, 1),
                            .window_reversal = fields.At("rhs_reversal", d, 0) != 0};
  }
  return window;
}

Result<AttributeValue> ParseAttributeValue(TextParser& parser, const AttributeSpec& spec,
                                           const ComputationReader& read_computation) {
  switch (spec.kind) {
    case AttributeKind::kBool:
      return Wrap(parser.ParseBool());
    case AttributeKind::kInt64:
      return Wrap(parser.ParseInteger());
    case AttributeKind::kFloat:
      return Wrap(parser.ParseNumber());
    case AttributeKind::kString:
      return Wrap(parser.ParseString());
    case AttributeKind::kEnum:
      return ParseEnum(parser, spec);
    case AttributeKind::kInt64List:
      return ParseInt64List(parser, spec);
    case AttributeKind::kBoolList:
      return ParseBoolList(parser);
    case AttributeKind::kInt64ListList:
      return Wrap(ParseInt64ListList(parser));
    case AttributeKind::kWindow:
      return Wrap(ParseWindow(parser));
    case AttributeKind::kPadding:
      // A scalar has no dimensions to pad: XLA writes nothing for it.
      if (parser.At(",") || parser.At("}") || parser.Is(TokenKind::kName) || parser.AtKeyword("ROOT")) {
        return AttributeValue(PaddingConfig());
      }
      return Wrap(ParsePaddingToken(parser, /*with_interior=*/true));
    case AttributeKind::kSlice:
      return ParseSlice(parser);
    case AttributeKind::kDimLabels:
      return ParseDimLabels(parser);
    case AttributeKind::kPrecision:
      return ParsePrecision(parser);
    case AttributeKind::kComputation:
      return Wrap(read_computation());
    case AttributeKind::kComputationList:
      return ParseComputations(parser, read_computation);
    case AttributeKind::kReplicaGroups:
      return Wrap(ParseReplicaGroups(parser));
    case AttributeKind::kAliasing:
      return ParseAliasing(parser);
    case AttributeKind::kShape:
      return Wrap(ParseShape(parser));
    case AttributeKind::kShapeList:
      return ParseShapes(parser);
    case AttributeKind::kLiteral:
      return Wrap(ParseTypedLiteral(parser));
    case AttributeKind::kDomain:
      return ParseDomain(parser);
    case AttributeKind::kSparsity: {
      ASSAY_TRY(const SparsityConfig sparsity, ParseSparsityConfig(parser));
      return AttributeValue(ToText(sparsity));
    }
    case AttributeKind::kRaw:
      return ParseRaw(parser);
  }
  return parser.Fail("an attribute of no known kind");
}

}  // namespace assay
