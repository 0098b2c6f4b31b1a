// Attributes of dialects: #stablehlo.gather<...>, #stablehlo<precision HIGH>, #sdy.sharding<...>.
#include <fmt/format.h>

#include <algorithm>

#include "interpreter/stablehlo/text_parser.h"

namespace assay::stablehlo {

// Parses the body and ">".
Result<Attribute> MlirParser::ParseDialectBody(const std::string& name) {
  const Nesting nesting(*this);
  if (nesting.is_too_deep()) return TooDeep();
  const auto closed = [&](Result<Attribute> attribute) -> Result<Attribute> {
    ASSAY_TRY(Attribute inside, std::move(attribute));
    ASSAY_CHECK_OK(Expect(">"));
    return inside;
  };
  if (name == "stablehlo.conv" && At("[")) return closed(ParseConvolutionNumbers());
  if (IsShardyList(name)) return closed(ParseShardyList(name));
  // The forms of these three include the bracket.
  if (name == "sdy.mesh" || name == "sdy.sharding" || name == "sdy.sharding_per_value") {
    lexer_.MoveTo(lexer_.last_end() - 1);
    if (name == "sdy.mesh") return ParseMesh();
    if (name == "sdy.sharding") return ParseSharding();
    Next();
    return closed(ParseShardings());
  }
  if (At("raw") && name == "stablehlo.conv") Next();
  if (At(">") || (Is(MlirTokenKind::kWord) && IsBefore("="))) return ParseFields(name);
  if (!Is(MlirTokenKind::kWord) || !IsBefore(">")) return TextOfBody(name);
  Attribute enumeration = EnumerationOf(name, token().text);
  Next();
  Next();
  return enumeration;
}

// Returns the body of an attribute without a parser as text.
Result<Attribute> MlirParser::TextOfBody(const std::string& name) {
  const std::size_t begin = lexer_.last_end();
  const std::size_t end = lexer_.SkipBrackets(begin - 1);
  if (end == std::string_view::npos) return Fail("the brackets of this attribute do not match");
  lexer_.MoveTo(end);
  return DialectAttributeOf(name, {{"text", {std::string(lexer_.text().substr(begin, end - 1 - begin))}}});
}

Result<Attribute> MlirParser::ParseFields(const std::string& name) {
  DialectAttribute attribute{name, {}};
  const std::size_t begin = token().begin;
  while (!At(">")) {
    if (!Is(MlirTokenKind::kWord)) return Expected("the name of a field");
    NamedAttribute& field = attribute.fields.entries.emplace_back();
    field.name = token().text;
    Next();
    ASSAY_CHECK_OK(Expect("="));
    ASSAY_TRY(field.value, At("(") ? ParseSubAxis("stablehlo.sub_axis_info") : ParseField());
    if (!Take(",") && !At(">")) return Expected("',' or '>'");
  }
  Next();
  std::string_view twice;
  if (SortEntries(attribute.fields, twice)) return Attribute{std::move(attribute)};
  return FailAt(begin, fmt::format("the field {} is given twice", twice));
}

Result<Attribute> MlirParser::ParseField() {
  if (At("[") && (IsBefore("]") || IsBefore("-") ||
                  lexer_.text().substr(lexer_.SkipBlanks(token().begin + 1), 1).find_first_of("0123456789") == 0)) {
    ASSAY_TRY(std::vector<std::int64_t> integers, ParseIntegers());
    return Attribute{DenseArray{S64, std::move(integers)}};
  }
  if (!Is(MlirTokenKind::kWord) || At("true") || At("false") || At("dense") || At("array")) return ParseAttribute();
  if (ElementType(token().text) || At("tf32")) {
    ASSAY_TRY(Type type, ParseType());
    return Attribute{std::move(type)};
  }
  Attribute word{std::string(token().text)};
  Next();
  return word;
}

// Parses "[b, 0, 1, f]": two letters name dimensions, numbers the spatial ones in order.
Status MlirParser::ParseDimensionLabels(std::string_view role, std::string_view first, std::string_view second,
                                        Dictionary& fields) {
  const std::size_t begin = token().begin;
  std::int64_t position = 0, first_at = -1, second_at = -1;
  std::vector<std::int64_t> spatial;
  ASSAY_CHECK_OK(ParseList("[", "]", [&]() -> Status {
    const std::int64_t here = position++;
    const std::size_t label_begin = token().begin;
    if (first_at < 0 && Is(MlirTokenKind::kWord) && token().text == first.substr(0, 1)) {
      first_at = here;
    } else if (second_at < 0 && Is(MlirTokenKind::kWord) && token().text == second.substr(0, 1)) {
      second_at = here;
    } else if (!At("?")) {
      if (Is(MlirTokenKind::kWord)) return Expected(fmt::format("one {:.1}, one {:.1} and numbers", first, second));
      ASSAY_TRY(const std::int64_t index, ParseInteger());
      if (index < 0 || index > 1000) return FailAt(label_begin, "a spatial dimension of a convolution is out of range");
      if (static_cast<std::size_t>(index) >= spatial.size()) spatial.resize(index + 1, -1);
      if (spatial[index] >= 0) return FailAt(label_begin, fmt::format("dimension {} is given twice", index));
      spatial[index] = here;
      return {};
    }
    Next();
    return {};
  }));
  if (first_at < 0 || second_at < 0 || std::ranges::find(spatial, -1) != spatial.end()) {
    return FailAt(begin, fmt::format("expected {:.1}, {:.1} and each spatial dimension once", first, second));
  }
  const auto add = [&](std::string_view dimension, Attribute value) {
    fields.entries.push_back({fmt::format("{}_{}", role, dimension), std::move(value)});
  };
  add(first.substr(2), {IntegerAttribute{first_at, S64}});
  add(second.substr(2), {IntegerAttribute{second_at, S64}});
  add("spatial_dimensions", {DenseArray{S64, std::move(spatial)}});
  return {};
}

// Parses [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f].
Result<Attribute> MlirParser::ParseConvolutionNumbers() {
  DialectAttribute numbers{"stablehlo.conv", {}};
  ASSAY_CHECK_OK(ParseDimensionLabels("input", "b batch_dimension", "f feature_dimension", numbers.fields));
  ASSAY_CHECK_OK(Expect("x"));
  ASSAY_CHECK_OK(
      ParseDimensionLabels("kernel", "i input_feature_dimension", "o output_feature_dimension", numbers.fields));
  ASSAY_CHECK_OK(Expect("->"));
  ASSAY_CHECK_OK(ParseDimensionLabels("output", "b batch_dimension", "f feature_dimension", numbers.fields));
  SortByName(numbers.fields);
  return Attribute{std::move(numbers)};
}

}  // namespace assay::stablehlo
