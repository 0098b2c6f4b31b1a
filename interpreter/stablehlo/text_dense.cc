#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "interpreter/stablehlo/element_types.h"
#include "interpreter/stablehlo/text_parser.h"

namespace assay::stablehlo {
namespace {

int HexDigit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  const char lower = static_cast<char>(c | 0x20);
  return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

// Returns the bytes of "0x0123" with its quotes; none for any other text.
std::optional<std::string> BytesOfHex(std::string_view quoted) {
  const std::string_view digits = quoted.substr(1, quoted.size() - 2);
  if (!digits.starts_with("0x") || digits.size() % 2 != 0) return std::nullopt;
  std::string bytes(digits.size() / 2 - 1, '\0');
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    const int high = HexDigit(digits[2 * i + 2]), low = HexDigit(digits[2 * i + 3]);
    if (high < 0 || low < 0) return std::nullopt;
    bytes[i] = static_cast<char>(high << 4 | low);
  }
  return bytes;
}

// Returns the number of elements, at most `most`.
std::size_t ElementCount(const TensorType& type, std::size_t most) {
  std::size_t count = 1;
  for (const std::int64_t size : type.dimensions) {
    if (size == 0) return 0;
    count = static_cast<std::size_t>(size) > most / count ? most : count * static_cast<std::size_t>(size);
  }
  return count;
}

}  // namespace

std::string UnpackBits(std::string_view packed, std::size_t count) {
  std::string bytes(count, '\0');
  for (std::size_t i = 0; i < count; ++i) bytes[i] = static_cast<char>(packed[i / 8] >> i % 8 & 1);
  return bytes;
}

void JoinEqualElements(DenseElements& dense) {
  const std::size_t width = StorageBytes(dense.type.element_type);
  if (dense.bytes.size() < width) return;
  dense.is_splat = std::memcmp(dense.bytes.data(), dense.bytes.data() + width, dense.bytes.size() - width) == 0;
  if (dense.is_splat) dense.bytes.resize(width);
}

void AppendElement(std::uint64_t bits, PrimitiveType type, std::string& bytes) {
  for (int i = 0; i < StorageBytes(type); ++i) bytes += static_cast<char>(bits >> 8 * i & 0xFF);
}

Result<TensorType> MlirParser::ParseStaticTensorType() {
  const std::size_t begin = token().begin;
  ASSAY_TRY(Type type, ParseType());
  auto* tensor = std::get_if<TensorType>(&type.value);
  if (tensor == nullptr) return FailAt(begin, "expected the type of a tensor whose element type HLO has");
  if (std::ranges::find(tensor->dimensions, kDynamicSize) == tensor->dimensions.end()) return std::move(*tensor);
  return FailAt(begin, "expected the type of a tensor of static shape");
}

// Parses the elements and their type. The elements precede the type that determines how to read them.
Result<Attribute> MlirParser::ParseDense() {
  Next();
  if (!At("<")) return Expected("'<'");
  const std::size_t end = lexer_.SkipBrackets(token().begin);
  if (end == std::string_view::npos) return Fail("the brackets of these elements do not match");
  const std::size_t body = token().begin + 1;
  lexer_.MoveTo(end);
  ASSAY_CHECK_OK(Expect(":"));
  DenseElements dense;
  ASSAY_TRY(dense.type, ParseStaticTensorType());
  const std::size_t type_end = token().begin;
  lexer_.MoveTo(body);
  ASSAY_CHECK_OK(ParseDenseBody(dense));
  if (!At(">") || token().begin + 1 != end) return Expected("'>'");
  JoinEqualElements(dense);
  nodes_ += static_cast<std::int64_t>(dense.bytes.size() / sizeof(Attribute));
  lexer_.MoveTo(type_end);
  return Attribute{std::move(dense)};
}

Status MlirParser::ParseDenseBody(DenseElements& dense) {
  const std::size_t begin = token().begin;
  const std::size_t most = lexer_.text().size() + 1;
  if (At(">")) {
    if (ElementCount(dense.type, most) == 0) return {};
    return Expected("elements");
  }
  if (Is(MlirTokenKind::kString)) return ParseDenseHex(dense);
  const bool is_list = At("[");
  ASSAY_CHECK_OK(ParseDenseList(dense, 0));
  const std::size_t width = StorageBytes(dense.type.element_type);
  const std::size_t count = ElementCount(dense.type, most);
  if (!is_list) {  // one element for all
    if (count == 0) dense.bytes.clear();
    return {};
  }
  if (dense.bytes.size() / width == count) return {};
  return FailAt(begin, fmt::format("expected {} elements, found {}", count, dense.bytes.size() / width));
}

// Parses "0x...": the bytes of all elements, or of one splat element.
Status MlirParser::ParseDenseHex(DenseElements& dense) {
  const PrimitiveType type = dense.type.element_type;
  auto bytes = BytesOfHex(token().text);
  if (!bytes) return Fail("expected 0x and pairs of hexadecimal digits");
  const std::size_t width = StorageBytes(type);
  const std::size_t count = ElementCount(dense.type, lexer_.text().size() * 8 + 1);
  const bool is_packed = type == PRED && bytes->size() != count && bytes->size() == (count + 7) / 8;
  if (is_packed) {
    const bool is_one = bytes->size() == 1 && (*bytes == "\xFF" || *bytes == std::string(1, '\0'));
    bytes = is_one ? std::string(1, static_cast<char>((*bytes)[0] & 1)) : UnpackBits(*bytes, count);
  } else if (bytes->size() != count * width && (bytes->size() != width || count == 0)) {
    return Fail(fmt::format("expected {} bytes of {} elements, found {}", count * width, count, bytes->size()));
  }
  dense.bytes = std::move(*bytes);
  if (type == PRED) {
    for (char& byte : dense.bytes) byte = static_cast<char>(byte & 1);
  } else if (BitWidth(type) < 8) {
    ExtendSigns(type, dense.bytes);
  }
  Next();
  return {};
}

Status MlirParser::ParseDenseList(DenseElements& dense, std::size_t dimension) {
  const Nesting nesting(*this);
  if (nesting.is_too_deep()) return TooDeep();
  if (!At("[")) {
    if (dimension > 0 && dimension < dense.type.dimensions.size()) return Expected("'['");
    return ParseElement(dense.type.element_type, dense.bytes);
  }
  const std::size_t begin = token().begin;
  if (dimension >= dense.type.dimensions.size()) {
    return Fail(fmt::format("this list nests deeper than the {} dimensions of the type", dense.type.dimensions.size()));
  }
  std::int64_t count = 0;
  ASSAY_CHECK_OK(ParseList("[", "]", [&] {
    ++count;
    return dimension + 1 == dense.type.dimensions.size() ? ParseElement(dense.type.element_type, dense.bytes)
                                                         : ParseDenseList(dense, dimension + 1);
  }));
  if (count == dense.type.dimensions[dimension]) return {};
  return FailAt(begin, fmt::format("expected {} elements in dimension {}, found {}", dense.type.dimensions[dimension],
                                   dimension, count));
}

// Parses an element; a complex number is a pair in parentheses.
Status MlirParser::ParseElement(PrimitiveType type, std::string& bytes) {
  if (!IsComplexType(type)) return ParseComponent(type, bytes);
  ASSAY_CHECK_OK(Expect("("));
  ASSAY_CHECK_OK(ParseComponent(ComplexComponentType(type), bytes));
  ASSAY_CHECK_OK(Expect(","));
  ASSAY_CHECK_OK(ParseComponent(ComplexComponentType(type), bytes));
  return Expect(")");
}

Status MlirParser::ParseComponent(PrimitiveType type, std::string& bytes) {
  if (type == PRED && (At("true") || At("false"))) {
    bytes += At("true") ? '\1' : '\0';
    Next();
    return {};
  }
  const std::size_t begin = token().begin;
  const bool is_negative = Take("-");
  const MlirToken number = token();
  const bool is_integer = number.kind == MlirTokenKind::kInteger;
  if (!is_integer && number.kind != MlirTokenKind::kFloat) return Expected("a number");
  std::optional<std::uint64_t> bits;
  if (IsFloatingPointType(type)) {
    bits = ReadReal(is_negative, number, type);
  } else if (is_integer) {
    bits = ReadInteger(is_negative, number.text, type);
  }
  if (!bits) {
    const std::string_view hint =
        IsFloatingPointType(type) && is_integer ? ": expected a decimal such as 1.0, or the bits after 0x" : "";
    return FailAt(begin, fmt::format("cannot read {}{} as an element of {}{}", is_negative ? "-" : "", number.text,
                                     PrimitiveTypeName(type), hint));
  }
  AppendElement(type == PRED ? *bits & 1 : *bits, type, bytes);
  Next();
  return {};
}

// Parses dense_resource<key> : tensor<...>; the first 4 bytes of the blob are its alignment.
Result<Attribute> MlirParser::ParseDenseResource() {
  Next();
  ASSAY_CHECK_OK(Expect("<"));
  const std::size_t begin = token().begin;
  ASSAY_TRY(const std::string key, ParseResourceKey());
  ASSAY_CHECK_OK(ExpectAll({">", ":"}));
  DenseElements dense;
  ASSAY_TRY(dense.type, ParseStaticTensorType());
  const auto found = resources_.find(key);
  if (found == resources_.end() && key == "__elided__") {
    dense.bytes = std::string(StorageBytes(dense.type.element_type), '\0');
    dense.is_splat = dense.is_elided = true;
    return Attribute{std::move(dense)};
  }
  if (found == resources_.end()) {
    return FailAt(begin, fmt::format("the section {{-# dialect_resources #-}} has no resource {}", key));
  }
  const auto bytes = BytesOfHex(found->second);
  const std::size_t size = ElementCount(dense.type, lexer_.text().size()) * StorageBytes(dense.type.element_type);
  if (!bytes || bytes->size() != size + 4) {
    return FailAt(begin,
                  fmt::format("expected 0x and {} bytes in the resource {}, of which 4 are the alignment, found {}",
                              size + 4, key, bytes ? fmt::format("{}", bytes->size()) : found->second.substr(0, 40)));
  }
  dense.bytes = bytes->substr(4);
  if (BitWidth(dense.type.element_type) < 8) ExtendSigns(dense.type.element_type, dense.bytes);
  ASSAY_CHECK_OK(Expand(static_cast<std::int64_t>(dense.bytes.size() / sizeof(Attribute))));
  JoinEqualElements(dense);
  return Attribute{std::move(dense)};
}

}  // namespace assay::stablehlo
