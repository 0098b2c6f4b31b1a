// Numbers, tensors and elements, which the encodings of all dialects have in common.
#include <fmt/format.h>

#include <utility>

#include "interpreter/numerics/round.h"
#include "interpreter/stablehlo/bytecode_values.h"
#include "interpreter/stablehlo/element_types.h"
#include "interpreter/stablehlo/print.h"
#include "interpreter/stablehlo/quantized_types.h"
#include "interpreter/stablehlo/text_forms.h"
#include "interpreter/stablehlo/to_hlo_attributes.h"

namespace assay::stablehlo {
namespace {

// Unpacks elements of i1, a bit or a byte each; a splat is one byte of ones or zeros.
std::string UnpackBools(std::string_view bytes, std::uint64_t count) {
  if (bytes.size() == (count + 7) / 8 && bytes.size() != count) return UnpackBits(bytes, count);
  std::string bools(bytes);
  for (char& value : bools) value = value != 0;
  return bools;
}

}  // namespace

Type TypeOfWord(std::string_view word) {
  if (const auto type = TypeOfMlirName(word)) return {ScalarType{*type}};
  if (word == "!stablehlo.token") return {TokenType()};
  return {OtherType{std::string(word)}};
}

std::optional<Type> TypeOfCode(std::uint64_t code, std::string_view words) {
  const std::vector<std::string_view> by_code = WordsOf(words);
  if (code >= by_code.size() || by_code[code] == "-") return std::nullopt;
  return TypeOfWord(by_code[code]);
}

Type ComplexOf(const Type& element) {
  const auto* scalar = std::get_if<ScalarType>(&element.value);
  const PrimitiveType type = scalar == nullptr ? PRIMITIVE_TYPE_INVALID : ComplexTypeOf(scalar->element_type);
  if (type != PRIMITIVE_TYPE_INVALID) return {ScalarType{type}};
  return {OtherType{fmt::format("complex<{}>", ToText(element))}};
}

Type TensorOf(std::vector<std::int64_t> dimensions, const Type& element, const std::optional<Attribute>& encoding,
              Cursor& cursor) {
  TensorType tensor;
  for (std::int64_t& size : dimensions) {
    if (size < 0) size = kDynamicSize;
  }
  tensor.dimensions = std::move(dimensions);
  const auto* bounds = encoding ? encoding->As<DialectAttribute>() : nullptr;
  if (bounds != nullptr && bounds->name == "stablehlo.bounds") {
    const Attribute* sizes = bounds->fields.Find("value");
    if (sizes != nullptr && sizes->As<DenseArray>() != nullptr) tensor.bounds = sizes->As<DenseArray>()->values;
    if (tensor.bounds.size() != tensor.dimensions.size()) {
      cursor.Fail(fmt::format("a tensor of rank {} must have as many bounds, found {}", tensor.dimensions.size(),
                              tensor.bounds.size()));
    }
    for (std::int64_t& size : tensor.bounds) {
      if (size < 0) size = kDynamicSize;
    }
  }
  if (SetElementType(element, tensor)) return {std::move(tensor)};
  std::string text = "tensor<";
  for (const std::int64_t size : tensor.dimensions) text += size < 0 ? "?x" : fmt::format("{}x", size);
  return {OtherType{text + ToText(element) + ">"}};
}

PrimitiveType NumberTypeOf(const Type& type, Cursor& cursor) {
  const auto* scalar = std::get_if<ScalarType>(&type.value);
  if (scalar != nullptr) return scalar->element_type;
  cursor.Fail(fmt::format("the type of a number must be an integer or a float of HLO, found {}", ToText(type)));
  return F32;
}

Attribute IntegerOf(const Type& type, Cursor& cursor) {
  const PrimitiveType number_type = NumberTypeOf(type, cursor);
  if (cursor.ok() && number_type != PRED && !IsIntegralType(number_type)) {
    cursor.Fail(fmt::format("the type of an integer must be an integer type, found {}", ToText(type)));
  }
  if (!cursor.ok()) return {};
  const int width = number_type == PRED ? 1 : BitWidth(number_type);
  const std::uint64_t bits = cursor.Bits(width);
  if (number_type == PRED) return {bits != 0};
  const int shift = 64 - width;
  const bool is_signed = IsSignedIntegralType(number_type);
  const auto value = is_signed ? static_cast<std::int64_t>(bits << shift) >> shift : static_cast<std::int64_t>(bits);
  return {IntegerAttribute{value, number_type}};
}

Attribute FloatOf(const Type& type, Cursor& cursor) {
  const PrimitiveType number_type = NumberTypeOf(type, cursor);
  if (cursor.ok() && !IsFloatingPointType(number_type)) {
    cursor.Fail(fmt::format("the type of a float must be a floating type, found {}", ToText(type)));
  }
  if (!cursor.ok()) return {};
  return {FloatAttribute{ToDouble(FloatFormatOf(number_type), cursor.Bits(BitWidth(number_type))), number_type}};
}

Attribute ElementsOf(const Type& type, std::string_view bytes, Cursor& cursor) {
  const auto* tensor = std::get_if<TensorType>(&type.value);
  const std::optional<std::int64_t> count = tensor == nullptr ? std::nullopt : CountOf(*tensor);
  if (!count) {
    cursor.Fail(fmt::format("elements must have a tensor type of known sizes, found {}", ToText(type)));
    return {};
  }
  DenseElements elements = {*tensor, {}, false};
  if (*count == 0) return {std::move(elements)};
  elements.bytes = tensor->element_type == PRED ? UnpackBools(bytes, *count) : std::string(bytes);
  if (BitWidth(tensor->element_type) < 8) ExtendSigns(tensor->element_type, elements.bytes);
  const std::size_t size = StorageBytes(tensor->element_type);
  if (elements.bytes.size() != size &&
      (elements.bytes.size() / size != static_cast<std::size_t>(*count) || elements.bytes.size() % size != 0)) {
    cursor.Fail(
        fmt::format("the elements of {} must take {} bytes each, found {} bytes", ToText(type), size, bytes.size()));
    return {};
  }
  JoinEqualElements(elements);
  cursor.file().Charge(elements.bytes.size(), cursor.offset());
  return {std::move(elements)};
}

namespace {

Attribute ReadField(Cursor& cursor, BytecodeValues& values, std::string_view kind) {
  if (kind == "string") return {values.ReadString(cursor)};
  if (kind == "attributes") return {values.ReadAttributes(cursor)};
  if (kind == "integer") return {IntegerAttribute{cursor.SignedVarint(), S64}};
  if (kind == "integers") return IntegerList(cursor.SignedVarints());
  if (kind == "flag") return {cursor.Byte() != 0};
  if (kind == "real") return {FloatAttribute{cursor.Double(), F64}};
  return values.ReadAttribute(cursor);
}

bool IsZeroOrEmpty(const Attribute& attribute) {
  const auto* list = attribute.As<std::vector<Attribute>>();
  const auto* numbers = attribute.As<DenseArray>();
  const auto* whole = attribute.As<IntegerAttribute>();
  const auto* real = attribute.As<FloatAttribute>();
  return (list != nullptr && list->empty()) || (numbers != nullptr && numbers->values.empty()) ||
         (whole != nullptr && whole->value == 0) || (real != nullptr && real->value == 0);
}

}  // namespace

std::vector<NamedAttribute> ReadFields(Cursor& cursor, BytecodeValues& values, std::string_view fields) {
  std::vector<NamedAttribute> read;
  for (const std::string_view word : WordsOf(fields)) {
    const std::size_t colon = word.find(':');
    const std::string name(word.substr(0, colon));
    std::string_view kind = word.substr(colon + 1);
    const bool is_optional = kind.ends_with('?');
    if (is_optional) kind.remove_suffix(1);
    if (is_optional && kind == "attribute") {
      if (std::optional<Attribute> value = values.ReadOptionalAttribute(cursor))
        read.push_back({name, *std::move(value)});
      continue;
    }
    Attribute value = ReadField(cursor, values, kind);
    if (!is_optional || !IsZeroOrEmpty(value)) read.push_back({name, std::move(value)});
  }
  return read;
}

Attribute ReadDictionary(Cursor& cursor, BytecodeValues& values) {
  Dictionary dictionary;
  dictionary.entries.resize(cursor.Count());
  for (NamedAttribute& entry : dictionary.entries) {
    Attribute name = values.ReadAttribute(cursor);
    auto* text = std::get_if<std::string>(&name.value);
    if (text == nullptr) cursor.Fail("the name in a dictionary must be a string");
    if (!cursor.ok()) return {};
    entry.name = std::move(*text);
    entry.value = values.ReadAttribute(cursor);
  }
  SortByName(dictionary);
  return {std::move(dictionary)};
}

Type ReadFunctionType(Cursor& cursor, BytecodeValues& values) {
  FunctionType function;
  function.inputs = values.ReadTypes(cursor);
  function.results = values.ReadTypes(cursor);
  return {std::move(function)};
}

Type ReadTensorType(Cursor& cursor, BytecodeValues& values, bool has_encoding) {
  std::optional<Attribute> encoding;
  if (has_encoding) encoding = values.ReadAttribute(cursor);
  std::vector<std::int64_t> dimensions = cursor.SignedVarints();
  return TensorOf(std::move(dimensions), values.ReadType(cursor), encoding, cursor);
}

}  // namespace assay::stablehlo
