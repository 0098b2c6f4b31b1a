#include "interpreter/stablehlo/to_hlo_attributes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "interpreter/hlo/literal_text.h"
#include "interpreter/stablehlo/print.h"
#include "interpreter/stablehlo/quantized_types.h"

namespace assay::stablehlo {
namespace {

// An upper bound of the dimensions, groups or pairs of an operation.
constexpr std::int64_t kMostNumbers = 1 << 20;

std::optional<Int64List> DenseIntegers(const DenseElements& elements) {
  const PrimitiveType type = elements.type.element_type;
  const std::optional<std::int64_t> count = CountOf(elements.type);
  if ((!IsIntegralType(type) && type != PRED) || !count || *count > kMostNumbers) return std::nullopt;
  const std::size_t held = elements.is_splat ? std::min<std::int64_t>(*count, 1) : *count;
  if (elements.bytes.size() < held * StorageBytes(type)) return std::nullopt;
  Int64List numbers;
  for (std::int64_t i = 0; i < *count; ++i) numbers.push_back(IntegerAt(elements, elements.is_splat ? 0 : i));
  return numbers;
}

std::string PlaceOf(const Operation& operation) {
  if (operation.place.line != 0 || operation.offset == 0) return "";
  return fmt::format(" (at byte {})", operation.offset);
}

}  // namespace

Error ErrorAt(const Operation& operation, ErrorCode code, std::string_view message) {
  return {code, fmt::format("{}: {}{}", operation.name, message, PlaceOf(operation)), operation.place};
}
Error IllegalAt(const Operation& operation, std::string_view message) {
  return ErrorAt(operation, ErrorCode::kIllegal, message);
}
Error UnsupportedAt(const Operation& operation, std::string_view message) {
  return ErrorAt(operation, ErrorCode::kUnsupported, message);
}

std::optional<std::int64_t> CountOf(const TensorType& type) {
  std::int64_t count = 1;
  for (const std::int64_t size : type.dimensions) {
    if (size < 0 || __builtin_mul_overflow(count, size, &count)) return std::nullopt;
  }
  return count;
}

std::int64_t IntegerAt(const DenseElements& elements, std::size_t index) {
  const std::size_t size = StorageBytes(elements.type.element_type);
  std::uint64_t bits = 0;
  std::memcpy(&bits, elements.bytes.data() + index * size, size);
  if (!IsSignedIntegralType(elements.type.element_type)) return static_cast<std::int64_t>(bits);
  const int shift = 64 - 8 * static_cast<int>(size);
  return static_cast<std::int64_t>(bits << shift) >> shift;
}

std::optional<Int64List> IntegersOf(const Attribute& attribute) {
  if (const auto* array = attribute.As<DenseArray>()) return array->values;
  if (const auto* elements = attribute.As<DenseElements>()) return DenseIntegers(*elements);
  const auto* list = attribute.As<std::vector<Attribute>>();
  if (list == nullptr) return std::nullopt;
  Int64List numbers;
  for (const Attribute& item : *list) {
    const auto* number = item.As<IntegerAttribute>();
    if (number == nullptr) return std::nullopt;
    numbers.push_back(number->value);
  }
  return numbers;
}

const std::string* WordOf(const Attribute& attribute) {
  if (const auto* text = attribute.As<std::string>()) return text;
  const auto* enumeration = attribute.As<DialectAttribute>();
  return enumeration == nullptr ? nullptr : enumeration->fields.FindAs<std::string>("value");
}

Error AttributeReader::Missing(std::string_view name, std::string_view expected) const {
  return IllegalAt(operation_, fmt::format("the attribute {} is missing: expected {}", name, expected));
}
Error AttributeReader::WrongKind(std::string_view name, std::string_view expected) const {
  return IllegalAt(operation_,
                   fmt::format("the attribute {} must be {}, found {}", name, expected, ToText(*Find(name))));
}

Result<Int64List> AttributeReader::Integers(std::string_view name) const {
  const Attribute* attribute = Find(name);
  if (attribute == nullptr) return Int64List();
  std::optional<Int64List> numbers = IntegersOf(*attribute);
  const auto* elements = attribute->As<DenseElements>();
  if (elements != nullptr && elements->type.dimensions.size() > 1) return WrongKind(name, "a list of whole numbers");
  if (!numbers) return WrongKind(name, "whole numbers");
  return *std::move(numbers);
}

Result<Int64List> AttributeReader::RequiredIntegers(std::string_view name) const {
  if (Find(name) == nullptr) return Missing(name, "whole numbers");
  return Integers(name);
}

Result<std::vector<Int64List>> AttributeReader::Rows(std::string_view name) const {
  std::vector<Int64List> rows;
  const Attribute* attribute = Find(name);
  if (attribute == nullptr) return rows;
  const auto* elements = attribute->As<DenseElements>();
  const std::optional<Int64List> numbers = elements == nullptr ? std::nullopt : DenseIntegers(*elements);
  if (numbers && elements->type.dimensions == Int64List{0}) return rows;
  if (!numbers || elements->type.dimensions.size() != 2) return WrongKind(name, "rows of whole numbers");
  const std::int64_t width = elements->type.dimensions[1];
  if (elements->type.dimensions[0] > kMostNumbers) return WrongKind(name, "rows of whole numbers");
  for (std::int64_t row = 0; row < elements->type.dimensions[0]; ++row) {
    rows.emplace_back(numbers->begin() + row * width, numbers->begin() + (row + 1) * width);
  }
  return rows;
}

Result<std::int64_t> AttributeReader::Integer(std::string_view name, std::int64_t if_absent) const {
  const Attribute* attribute = Find(name);
  if (attribute == nullptr) return if_absent;
  const auto* number = attribute->As<IntegerAttribute>();
  if (number == nullptr) return WrongKind(name, "a whole number");
  return number->value;
}

Result<std::int64_t> AttributeReader::RequiredInteger(std::string_view name) const {
  if (Find(name) == nullptr) return Missing(name, "a whole number");
  return Integer(name, 0);
}

Result<bool> AttributeReader::Bool(std::string_view name) const {
  const Attribute* attribute = Find(name);
  if (attribute == nullptr) return false;
  if (attribute->As<Unit>() != nullptr) return true;
  if (const auto* value = attribute->As<bool>()) return *value;
  const auto* number = attribute->As<IntegerAttribute>();
  if (number == nullptr || number->type != PRED) return WrongKind(name, "true or false");
  return number->value != 0;
}

Result<double> AttributeReader::Float(std::string_view name, double if_absent) const {
  const Attribute* attribute = Find(name);
  if (attribute == nullptr) return if_absent;
  const auto* number = attribute->As<FloatAttribute>();
  if (number == nullptr) return WrongKind(name, "a number");
  return number->value;
}

Result<std::string> AttributeReader::String(std::string_view name) const {
  const Attribute* attribute = Find(name);
  if (attribute == nullptr) return std::string();
  const auto* text = attribute->As<std::string>();
  if (text == nullptr) return WrongKind(name, "a string");
  return *text;
}

Result<std::string> AttributeReader::Word(std::string_view name) const {
  const Attribute* attribute = Find(name);
  if (attribute == nullptr) return std::string();
  const std::string* word = WordOf(*attribute);
  if (word == nullptr) return WrongKind(name, "one of an enumeration");
  return *word;
}

Result<std::vector<std::string>> AttributeReader::Words(std::string_view name) const {
  std::vector<std::string> words;
  const Attribute* attribute = Find(name);
  if (attribute == nullptr) return words;
  const auto* list = attribute->As<std::vector<Attribute>>();
  if (list == nullptr) return WrongKind(name, "a list");
  for (const Attribute& item : *list) {
    const std::string* word = WordOf(item);
    if (word == nullptr) return WrongKind(name, "a list of an enumeration");
    words.push_back(*word);
  }
  return words;
}

Result<std::vector<std::string>> AttributeReader::Symbols(std::string_view name) const {
  std::vector<std::string> names;
  const Attribute* attribute = Find(name);
  if (attribute == nullptr) return names;
  if (const auto* symbol = attribute->As<SymbolReference>()) return std::vector<std::string>{symbol->name};
  const auto* list = attribute->As<std::vector<Attribute>>();
  if (list == nullptr) return WrongKind(name, "names of functions");
  for (const Attribute& item : *list) {
    const auto* symbol = item.As<SymbolReference>();
    if (symbol == nullptr) return WrongKind(name, "names of functions");
    names.push_back(symbol->name);
  }
  return names;
}

Result<const Dictionary*> AttributeReader::Fields(std::string_view name) const {
  const Attribute* attribute = Find(name);
  const Dictionary* none = nullptr;
  if (attribute == nullptr) return none;
  if (const auto* dictionary = attribute->As<Dictionary>()) return dictionary;
  const auto* fields = attribute->As<DialectAttribute>();
  if (fields == nullptr) return WrongKind(name, "an attribute with fields");
  return &fields->fields;
}

Result<AttributeReader> AttributeReader::RequiredFields(std::string_view name) const {
  ASSAY_TRY(const Dictionary* fields, Fields(name));
  if (fields == nullptr) return Missing(name, "an attribute with fields");
  return AttributeReader(operation_, *fields);
}

namespace {

Shape ShapeOfTensor(const TensorType& type) {
  Dimensions sizes = type.dimensions;
  std::vector<bool> is_dynamic;
  for (std::size_t d = 0; d < sizes.size(); ++d) {
    if (sizes[d] != kDynamicSize) continue;
    const std::int64_t bound = d < type.bounds.size() ? type.bounds[d] : kDynamicSize;
    is_dynamic.resize(sizes.size(), false);
    is_dynamic[d] = true;
    sizes[d] = bound == kDynamicSize ? Shape::kUnboundedSize : bound;
  }
  if (type.is_buffer) return ShapeUtil::MakeBufferShape(ShapeUtil::MakeShape(type.element_type, std::move(sizes)));
  if (is_dynamic.empty()) return ShapeUtil::MakeShape(type.element_type, std::move(sizes));
  return ShapeUtil::MakeShape(type.element_type, std::move(sizes), is_dynamic);
}

}  // namespace

const FunctionType* TypeOfFunction(const Operation& function) {
  const auto* type = function.attributes.FindAs<Type>("function_type");
  return type == nullptr ? nullptr : std::get_if<FunctionType>(&type->value);
}

Result<Shape> ShapeOf(const Operation& operation, const Type& type) {
  if (const auto* tensor = std::get_if<TensorType>(&type.value)) {
    if (tensor->quantized.value != nullptr) ASSAY_CHECK_OK(CheckQuantization(operation, *tensor));
    return ShapeOfTensor(*tensor);
  }
  if (std::holds_alternative<TokenType>(type.value)) return ShapeUtil::MakeTokenShape();
  if (const auto* tuple = std::get_if<TupleType>(&type.value)) {
    std::vector<Shape> elements;
    for (const Type& element : tuple->elements) {
      ASSAY_TRY(elements.emplace_back(), ShapeOf(operation, element));
    }
    return ShapeUtil::MakeTupleShape(std::move(elements));
  }
  return UnsupportedAt(operation, fmt::format("HLO has no type {}", ToText(type)));
}

Result<Literal> LiteralOf(const Operation& operation, const DenseElements& elements) {
  const std::optional<std::int64_t> count = CountOf(elements.type);
  if (!count)
    return IllegalAt(operation, fmt::format("a constant must have sizes, found {}", ToText(Type{elements.type})));
  const bool is_scalar = elements.is_splat && *count != 0;
  const Shape shape =
      ShapeUtil::MakeShape(elements.type.element_type, is_scalar ? Dimensions() : elements.type.dimensions);
  if (const Status empty = CheckEmptyArrays(shape); !empty) return UnsupportedAt(operation, empty.error().message);
  const auto held = static_cast<std::size_t>(is_scalar ? 1 : *count), size = elements.bytes.size();
  const std::size_t element_size = StorageBytes(elements.type.element_type);
  if (*count != 0 && (size / element_size != held || size % element_size != 0)) {
    return IllegalAt(operation,
                     fmt::format("{} elements of {} bytes are expected, found {} bytes", held, element_size, size));
  }
  Literal literal = Literal::Uninitialized(shape);
  if (*count != 0) std::memcpy(literal.mutable_data(), elements.bytes.data(), size);
  return literal;
}

}  // namespace assay::stablehlo
