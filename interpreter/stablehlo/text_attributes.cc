#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <charconv>

#include "interpreter/hlo/text_parser.h"
#include "interpreter/numerics/round.h"
#include "interpreter/stablehlo/text_parser.h"
#include "interpreter/stablehlo/to_hlo_attributes.h"

namespace assay::stablehlo {
namespace {

std::optional<std::uint64_t> ReadDigits(std::string_view text) {
  const bool is_hex = text.starts_with("0x");
  if (is_hex) text.remove_prefix(2);
  std::uint64_t bits = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), bits, is_hex ? 16 : 10);
  if (read.ec != std::errc()) return std::nullopt;
  return bits;
}

}  // namespace

bool SortEntries(Dictionary& dictionary, std::string_view& twice) {
  SortByName(dictionary);
  const auto same = std::ranges::adjacent_find(dictionary.entries, {}, &NamedAttribute::name);
  if (same == dictionary.entries.end()) return true;
  twice = same->name;
  return false;
}

std::optional<std::uint64_t> ReadInteger(bool is_negative, std::string_view digits, PrimitiveType type) {
  const auto magnitude = ReadDigits(digits);
  if (!magnitude) return std::nullopt;
  const int width = type == PRED ? 1 : BitWidth(type);
  const std::uint64_t limit = std::uint64_t{1} << (width - 1);
  const std::uint64_t bits = is_negative ? ~*magnitude + 1 : *magnitude;
  if (is_negative && (*magnitude > limit || (IsUnsignedIntegralType(type) && *magnitude != 0))) return std::nullopt;
  if (!is_negative && width < 64 && *magnitude >> width != 0) return std::nullopt;
  if (!IsSignedIntegralType(type) || width == 64) return bits;
  // Types without a sign accept the bits of a negative number: 255 : i8 is -1.
  return static_cast<std::uint64_t>(static_cast<std::int64_t>(bits << (64 - width)) >> (64 - width));
}

std::optional<std::uint64_t> ReadReal(bool is_negative, const MlirToken& number, PrimitiveType type) {
  const FloatFormat& format = FloatFormatOf(type);
  if (number.kind == MlirTokenKind::kFloat) {
    const double magnitude = DecimalToDouble(number.text);
    return RoundDouble(format, is_negative ? -magnitude : magnitude);
  }
  if (is_negative || !number.text.starts_with("0x")) return std::nullopt;
  const auto bits = ReadDigits(number.text);
  if (!bits || (BitWidth(type) < 64 && *bits >> BitWidth(type) != 0)) return std::nullopt;
  return bits;
}

Result<Attribute> MlirParser::ParseAttribute() {
  const Nesting nesting(*this);
  if (nesting.is_too_deep()) return TooDeep();
  ++nodes_;
  switch (token().kind) {
    case MlirTokenKind::kWord:
      return ParseWordAttribute();
    case MlirTokenKind::kString: {
      ASSAY_TRY(std::string characters, ParseString());
      if (Take(":")) ASSAY_CHECK_OK(ParseType());
      return Attribute{std::move(characters)};
    }
    case MlirTokenKind::kInteger:
    case MlirTokenKind::kFloat:
      return ParseNumber();
    case MlirTokenKind::kSymbol:
      return ParseSymbol();
    case MlirTokenKind::kHash:
      return ParseHash();
    default:
      break;
  }
  if (At("-")) return ParseNumber();
  if (At("{")) {
    Dictionary dictionary;
    ASSAY_CHECK_OK(ParseDictionary(dictionary));
    return Attribute{std::move(dictionary)};
  }
  if (At("[")) {
    std::vector<Attribute> elements;
    ASSAY_CHECK_OK(ParseItems("[", "]", elements, [&] { return ParseAttribute(); }));
    return Attribute{std::move(elements)};
  }
  if (!At("(") && !Is(MlirTokenKind::kBang)) return Expected("an attribute");
  ASSAY_TRY(Type type, ParseType());
  return Attribute{std::move(type)};
}

Result<Attribute> MlirParser::ParseWordAttribute() {
  const std::string word(token().text);
  if (word == "true" || word == "false" || word == "unit") {
    Next();
    if (word == "unit") return Attribute{Unit{}};
    return Attribute{word == "true"};
  }
  if (word == "dense") return ParseDense();
  if (word == "dense_resource") return ParseDenseResource();
  if (word == "array") return ParseDenseArray();
  if (word == "loc" && IsBefore("(")) {
    Next();
    Next();
    return TextOfBody("builtin.loc");
  }
  for (const std::string_view other : {"affine_map", "affine_set", "strided", "sparse", "opaque"}) {
    if (word == other && IsBefore("<")) {
      Next();
      Next();
      return TextOfBody(word);
    }
  }
  ASSAY_TRY(Type type, ParseType());
  return Attribute{std::move(type)};
}

// Parses a number. Without a type it is an i64 or an f64; hexadecimal digits with a floating type are its bits. A
// tensor type after the colon is that of an operand.
Result<Attribute> MlirParser::ParseNumber() {
  const bool is_negative = Take("-");
  const MlirToken number = token();
  if (number.kind != MlirTokenKind::kInteger && number.kind != MlirTokenKind::kFloat) return Expected("a number");
  Next();
  PrimitiveType type = number.kind == MlirTokenKind::kFloat ? F64 : S64;
  if (!IsBefore("tensor") && Take(":")) {
    const std::size_t begin = token().begin;
    ASSAY_TRY(const Type written, ParseType());
    const auto* scalar = std::get_if<ScalarType>(&written.value);
    if (scalar == nullptr) return FailAt(begin, "expected the type of a number, such as i64 or f32");
    type = scalar->element_type;
  }
  return NumberOfType(is_negative, number, type);
}

Result<Attribute> MlirParser::NumberOfType(bool is_negative, const MlirToken& number, PrimitiveType type) {
  const auto cannot_read = [&] {
    return FailAt(number.begin, fmt::format("cannot read {}{} as a number of {}", is_negative ? "-" : "", number.text,
                                            PrimitiveTypeName(type)));
  };
  if (IsFloatingPointType(type)) {
    const auto bits = ReadReal(is_negative, number, type);
    if (!bits) return cannot_read();
    return Attribute{FloatAttribute{ToDouble(FloatFormatOf(type), *bits), type}};
  }
  if (number.kind != MlirTokenKind::kInteger || IsComplexType(type)) return cannot_read();
  const auto bits = ReadInteger(is_negative, number.text, type);
  if (!bits) return cannot_read();
  if (type == PRED) return Attribute{*bits % 2 == 1};
  return Attribute{IntegerAttribute{static_cast<std::int64_t>(*bits), type}};
}

Result<Attribute> MlirParser::ParseSymbol() {
  SymbolReference reference;
  ASSAY_TRY(reference.name, ParseSymbolName());
  while (Take("::")) {
    ASSAY_TRY(reference.nested.emplace_back(), ParseSymbolName());
  }
  return Attribute{std::move(reference)};
}

Status MlirParser::ParseEntry(Dictionary& dictionary) {
  NamedAttribute& entry = dictionary.entries.emplace_back();
  if (Is(MlirTokenKind::kString)) {
    ASSAY_TRY(entry.name, ParseString());
  } else if (Is(MlirTokenKind::kWord)) {
    entry.name = token().text;
    Next();
  } else {
    return Expected("the name of an attribute");
  }
  if (!Take("=")) return {};
  ASSAY_TRY(entry.value, ParseAttribute());
  return {};
}

Status MlirParser::ParseDictionary(Dictionary& dictionary) {
  const std::size_t begin = token().begin;
  ASSAY_CHECK_OK(ParseList("{", "}", [&] { return ParseEntry(dictionary); }));
  std::string_view twice;
  if (SortEntries(dictionary, twice)) return {};
  return FailAt(begin, fmt::format("the attribute {} is given twice", twice));
}

Status MlirParser::ParseOptionalDictionary(Dictionary& dictionary) {
  if (!At("{")) return {};
  return ParseDictionary(dictionary);
}

Result<std::vector<std::int64_t>> MlirParser::ParseIntegers() {
  std::vector<std::int64_t> integers;
  ASSAY_CHECK_OK(ParseItems("[", "]", integers, [&] { return ParseInteger(); }));
  return integers;
}

// Parses array<i64: 1, 2>, array<i64>.
Result<Attribute> MlirParser::ParseDenseArray() {
  DenseArray array;
  Next();
  ASSAY_CHECK_OK(Expect("<"));
  const auto type = ElementType(token().text);
  if (!type || IsComplexType(*type)) return Expected("the type of the elements, such as i64");
  array.type = *type;
  Next();
  if (Take(">")) return Attribute{std::move(array)};
  ASSAY_CHECK_OK(Expect(":"));
  do {
    DenseElements element{{array.type, {}, {}}, {}};
    ASSAY_CHECK_OK(ParseComponent(array.type, element.bytes));
    array.values.push_back(IntegerAt(element, 0));
  } while (Take(","));
  ASSAY_CHECK_OK(Expect(">"));
  return Attribute{std::move(array)};
}

// Parses the alias #map, or an attribute of a dialect: #stablehlo.gather<...>, #stablehlo<precision HIGH>.
Result<Attribute> MlirParser::ParseHash() {
  std::string name(token().text.substr(1));
  if (name == "mhlo" || name.starts_with("mhlo.")) name.insert(0, "stable").erase(6, 1);
  if (!IsBefore("<")) {
    if (aliases_.contains(token().text)) {
      ASSAY_TRY(const Attribute* const attribute, UseAlias(&Alias::attribute, [&] { return ParseAttribute(); }));
      Next();
      return *attribute;
    }
    if (name.find('.') == name.npos) return Fail(fmt::format("the alias {} has no definition", token().text));
    Next();
    return Attribute{DialectAttribute{std::move(name), {}}};
  }
  Next();
  Next();
  if (name.find('.') != name.npos) return ParseDialectBody(name);
  if (!Is(MlirTokenKind::kWord)) return Expected(fmt::format("the name of an attribute of the dialect {}", name));
  const std::size_t bracket = lexer_.last_end() - 1;
  name += fmt::format(".{}", token().text);
  Next();
  if (!Take("<")) {
    if (IsShardyList(name) || (Is(MlirTokenKind::kWord) && IsBefore(">"))) return ParseDialectBody(name);
    const std::size_t begin = lexer_.last_end();
    const std::size_t end = lexer_.SkipBrackets(bracket);
    if (end == std::string_view::npos) return Fail("the brackets of this attribute do not match");
    lexer_.MoveTo(end);
    return DialectAttributeOf(name, {{"text", {std::string(lexer_.text().substr(begin, end - 1 - begin))}}});
  }
  ASSAY_TRY(Attribute attribute, ParseDialectBody(name));
  ASSAY_CHECK_OK(Expect(">"));
  return attribute;
}

}  // namespace assay::stablehlo
