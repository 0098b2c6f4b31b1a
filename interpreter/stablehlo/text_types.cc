#include <fmt/format.h>

#include <charconv>

#include "interpreter/stablehlo/element_types.h"
#include "interpreter/stablehlo/text_parser.h"

namespace assay::stablehlo {
namespace {

bool IsDigitOfSize(char c) { return c >= '0' && c <= '9'; }

}  // namespace

std::optional<PrimitiveType> MlirParser::ElementType(std::string_view word) {
  if (word.starts_with("si")) word.remove_prefix(1);
  return TypeOfMlirName(word);
}

Result<Type> MlirParser::ParseType() {
  const Nesting nesting(*this);
  if (nesting.is_too_deep()) return TooDeep();
  ++nodes_;
  if (Is(MlirTokenKind::kBang)) return ParseBangType();
  if (Is(MlirTokenKind::kWord)) return ParseWordType();
  if (!At("(")) return Expected("a type");
  ASSAY_TRY(FunctionType function, ParseFunctionType());
  return Type{std::move(function)};
}

Result<std::vector<Type>> MlirParser::ParseTypes() {
  std::vector<Type> types;
  do {
    ASSAY_TRY(types.emplace_back(), ParseType());
  } while (Take(","));
  return types;
}

Result<std::vector<Type>> MlirParser::ParseTypeOrTypes() {
  std::vector<Type> types;
  if (!At("(")) {
    ASSAY_TRY(types.emplace_back(), ParseType());
    return types;
  }
  ASSAY_CHECK_OK(ParseItems("(", ")", types, [&] { return ParseType(); }));
  return types;
}

Result<FunctionType> MlirParser::ParseFunctionType() {
  FunctionType function;
  if (!At("(")) return Expected("the type of a function, such as (tensor<f32>) -> tensor<f32>");
  ASSAY_TRY(function.inputs, ParseTypeOrTypes());
  ASSAY_CHECK_OK(Expect("->"));
  ASSAY_TRY(function.results, ParseTypeOrTypes());
  return function;
}

Result<Type> MlirParser::ParseWordType() {
  const std::size_t begin = token().begin;
  const std::string_view word = token().text;
  if (word == "tensor" || word == "memref") return ParseTensorType();
  if (word == "tuple") return ParseTupleType();
  if (word == "complex") return ParseComplexType();
  if (const auto element_type = ElementType(word)) {
    Next();
    return Type{ScalarType{*element_type}};
  }
  const bool is_other_number = word == "tf32" || word == "f80" || word == "f128" ||
                               ((word[0] == 'i' || word[0] == 'u' || word[0] == 's') && IsDigitOfSize(word.back()));
  if (!is_other_number && word != "none" && word != "vector") return Expected("a type");
  Next();
  return OtherTypeFrom(begin);
}

Result<Type> MlirParser::OtherTypeFrom(std::size_t begin) {
  if (At("<")) {
    const std::size_t end = lexer_.SkipBrackets(token().begin);
    if (end == std::string_view::npos) return Fail("the brackets of this type do not match");
    lexer_.MoveTo(end);
    return Type{OtherType{std::string(lexer_.text().substr(begin, end - begin))}};
  }
  return Type{OtherType{std::string(lexer_.text().substr(begin, lexer_.last_end() - begin))}};
}

// Parses the alias !t, or a type of a dialect: !stablehlo.token, !quant.uniform<...>.
Result<Type> MlirParser::ParseBangType() {
  const std::size_t begin = token().begin;
  if (token().text.find('.') == std::string_view::npos && !IsBefore("<")) {
    ASSAY_TRY(const Type* const type, UseAlias(&Alias::type, [&] { return ParseType(); }));
    Next();
    return *type;
  }
  const bool is_token = (At("!stablehlo.token") || At("!mhlo.token"));
  if (At("!quant.uniform")) return ParseQuantizedType();
  Next();
  if (is_token) return Type{TokenType{}};
  return OtherTypeFrom(begin);
}

Result<Type> MlirParser::ParseTupleType() {
  TupleType tuple;
  Next();
  ASSAY_CHECK_OK(ParseItems("<", ">", tuple.elements, [&] { return ParseType(); }));
  return Type{std::move(tuple)};
}

Result<Type> MlirParser::ParseComplexType() {
  const std::size_t begin = token().begin;
  Next();
  ASSAY_CHECK_OK(Expect("<"));
  const auto component = ElementType(token().text);
  ASSAY_TRY(const Type part, ParseType());
  ASSAY_CHECK_OK(Expect(">"));
  const PrimitiveType type = component ? ComplexTypeOf(*component) : PRIMITIVE_TYPE_INVALID;
  if (type != PRIMITIVE_TYPE_INVALID) return Type{ScalarType{type}};
  return Type{OtherType{std::string(lexer_.text().substr(begin, lexer_.last_end() - begin))}};
}

// Reads "4x?x", which blanks may separate: the lexer would read 0x4 and x5xf32 as one token each.
Status MlirParser::ParseDimensions(TensorType& type, bool& is_ranked) {
  const std::string_view text = lexer_.text();
  std::size_t at = token().begin;
  is_ranked = !text.substr(at).starts_with("*");
  if (!is_ranked) return {};
  while (at < text.size() && (IsDigitOfSize(text[at]) || text[at] == '?')) {
    std::int64_t size = kDynamicSize;
    std::size_t end = at + 1;
    if (text[at] != '?') {
      while (end < text.size() && IsDigitOfSize(text[end])) ++end;
      const auto read = std::from_chars(text.data() + at, text.data() + end, size);
      if (read.ec != std::errc()) {
        return FailAt(at, fmt::format("the size {} is out of range", text.substr(at, end - at)));
      }
    }
    end = lexer_.SkipBlanks(end);
    if (text.substr(end, 1) != "x") return FailAt(end, "expected 'x' behind the size of a dimension");
    type.dimensions.push_back(size);
    at = lexer_.SkipBlanks(end + 1);
  }
  lexer_.MoveTo(at);
  return {};
}

// True at the bounds of a type: the newer form, or that of MHLO and older StableHLO.
bool MlirParser::AtBounds() const {
  return At("#stablehlo.bounds") || At("#stablehlo.type_extensions") || At("#mhlo.type_extensions");
}

// Parses #stablehlo.bounds<?, 8>, and its older form #stablehlo.type_extensions<bounds = [?, 8]>.
Status MlirParser::ParseBounds(TensorType& type) {
  if (!AtBounds()) return Expected("#stablehlo.bounds");
  const bool is_older = !At("#stablehlo.bounds");
  const std::size_t begin = token().begin;
  Next();
  const auto bound = [&]() -> Status {
    if (Take("?")) {
      type.bounds.push_back(kDynamicSize);
      return {};
    }
    ASSAY_TRY(type.bounds.emplace_back(), ParseInteger());
    return {};
  };
  if (is_older) {
    ASSAY_CHECK_OK(ExpectAll({"<", "bounds", "="}));
    ASSAY_CHECK_OK(ParseList("[", "]", bound));
    ASSAY_CHECK_OK(Expect(">"));
  } else {
    ASSAY_CHECK_OK(ParseList("<", ">", bound));
  }
  if (type.bounds.size() == type.dimensions.size()) return {};
  return FailAt(begin, fmt::format("expected a bound for each of the {} dimensions, found {}", type.dimensions.size(),
                                   type.bounds.size()));
}

Result<Type> MlirParser::ParseTensorType() {
  const std::size_t begin = token().begin;
  TensorType tensor;
  tensor.is_buffer = At("memref");
  Next();
  const std::size_t brackets = token().begin;
  ASSAY_CHECK_OK(Expect("<"));
  bool is_ranked = true;
  bool is_other = false;
  ASSAY_CHECK_OK(ParseDimensions(tensor, is_ranked));
  if (is_ranked) {
    ASSAY_TRY(const Type element, ParseType());
    is_other = !SetElementType(element, tensor);
  }
  if (is_ranked && !is_other && Take(",")) {
    is_other = !AtBounds();
    if (!is_other) ASSAY_CHECK_OK(ParseBounds(tensor));
  }
  if (is_ranked && !is_other) {
    ASSAY_CHECK_OK(Expect(">"));
    return Type{std::move(tensor)};
  }
  lexer_.MoveTo(brackets);
  return OtherTypeFrom(begin);
}

}  // namespace assay::stablehlo
