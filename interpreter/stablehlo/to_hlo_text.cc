// Types and attributes in the text of MLIR: of messages, and of the dictionaries that custom calls and composites
// carry.
#include <fmt/format.h>

#include <bit>
#include <charconv>
#include <cmath>
#include <cstring>

#include "interpreter/stablehlo/to_hlo_attributes.h"
#include "interpreter/stablehlo/to_hlo_shardings.h"
#include "interpreter/types/join_text.h"

namespace assay::stablehlo {
namespace {

std::string ElementTypeText(PrimitiveType type) {
  if (type == PRED) return "i1";
  if (IsComplexType(type)) return fmt::format("complex<{}>", ElementTypeText(ComplexComponentType(type)));
  std::string name(PrimitiveTypeName(type));
  if (IsSignedIntegralType(type)) return "i" + name.substr(1);
  if (IsUnsignedIntegralType(type)) return "u" + ("i" + name.substr(1));
  if (name.starts_with("f8e") || name.starts_with("f4e") || name.starts_with("f6e")) {  // f8E4M3FN
    for (char& c : name) c = c == 'f' && &c == name.data() ? c : static_cast<char>(std::toupper(c));
  }
  return name;
}

std::string TensorText(const TensorType& type) {
  std::string text = "tensor<";
  for (const std::int64_t size : type.dimensions) {
    text += size == kDynamicSize ? "?x" : fmt::format("{}x", size);
  }
  text += ElementTypeText(type.element_type);
  if (!type.bounds.empty()) {
    std::vector<std::string> bounds;
    for (const std::int64_t bound : type.bounds) bounds.push_back(bound == kDynamicSize ? "?" : std::to_string(bound));
    text += fmt::format(", #stablehlo.bounds<{}>", JoinText(bounds, ", "));
  }
  return text + ">";
}

std::string TypesText(const std::vector<Type>& types) {
  std::vector<std::string> texts;
  for (const Type& type : types) texts.push_back(TypeText(type));
  return JoinText(texts, ", ");
}

std::string QuotedText(std::string_view text) {
  std::string quoted = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '\\') {
      quoted += "\\\\";
    } else if (c == '"' || byte < 0x20 || byte >= 0x7f) {
      quoted += fmt::format("\\{:02X}", byte);
    } else {
      quoted += c;
    }
  }
  return quoted + "\"";
}

// Six digits where they read back to the same number, else as many as that takes.
std::string FloatText(double value, PrimitiveType type) {
  if (!std::isfinite(value)) {
    const bool is_wide = type == F64;
    return is_wide ? fmt::format("0x{:016X}", std::bit_cast<std::uint64_t>(value))
                   : fmt::format("0x{:08X}", std::bit_cast<std::uint32_t>(static_cast<float>(value)));
  }
  const std::string six = fmt::format("{:.6e}", value);
  const double read_back = std::strtod(six.c_str(), nullptr);
  const bool is_same = type == F64 ? read_back == value : static_cast<float>(read_back) == static_cast<float>(value);
  if (is_same) return six;
  std::string shortest = type == F64 ? fmt::format("{}", value) : fmt::format("{}", static_cast<float>(value));
  if (const std::size_t exponent = shortest.find('e'); exponent != shortest.npos) shortest[exponent] = 'E';
  return shortest;
}

std::string EntriesText(const Dictionary& dictionary) {
  std::vector<std::string> entries;
  for (const NamedAttribute& entry : dictionary.entries) {
    const bool is_unit = entry.value.As<Unit>() != nullptr;
    entries.push_back(is_unit ? entry.name : fmt::format("{} = {}", entry.name, AttributeText(entry.value)));
  }
  return JoinText(entries, ", ");
}

std::string NumberText(std::int64_t value, PrimitiveType type) {
  if (type == PRED) return value != 0 ? "true" : "false";
  return type == U64 ? std::to_string(static_cast<std::uint64_t>(value)) : std::to_string(value);
}

// The numbers of `at` and so on, in brackets by dimension.
std::string NestedText(const Int64List& numbers, const TensorType& type, std::size_t dimension, std::size_t& at) {
  if (dimension == type.dimensions.size()) return NumberText(numbers[at++], type.element_type);
  std::vector<std::string> parts;
  for (std::int64_t i = 0; i < type.dimensions[dimension]; ++i) {
    parts.push_back(NestedText(numbers, type, dimension + 1, at));
  }
  return fmt::format("[{}]", JoinText(parts, ", "));
}

std::string DenseText(const DenseElements& elements) {
  const std::optional<Int64List> numbers = IntegersOf({elements});
  std::string body;
  if (numbers && !numbers->empty()) {
    std::size_t at = 0;
    body = elements.is_splat ? NumberText((*numbers)[0], elements.type.element_type)
                             : NestedText(*numbers, elements.type, 0, at);
  } else if (!elements.bytes.empty()) {
    body = "\"0x";
    for (const char c : elements.bytes) body += fmt::format("{:02X}", static_cast<unsigned char>(c));
    body += "\"";
  }
  return fmt::format("dense<{}> : {}", body, TensorText(elements.type));
}

// In a list, i64 and f64 go without saying.
std::string ItemText(const Attribute& item) {
  const auto* whole = item.As<IntegerAttribute>();
  if (whole != nullptr && whole->type == S64) return NumberText(whole->value, S64);
  const auto* real = item.As<FloatAttribute>();
  return real != nullptr && real->type == F64 ? FloatText(real->value, F64) : AttributeText(item);
}

struct AttributeTextOf {
  std::string operator()(const Unit&) const { return "unit"; }
  std::string operator()(bool value) const { return value ? "true" : "false"; }
  std::string operator()(const IntegerAttribute& number) const {
    const std::string text = NumberText(number.value, number.type);
    return number.type == PRED ? text : fmt::format("{} : {}", text, ElementTypeText(number.type));
  }
  std::string operator()(const FloatAttribute& number) const {
    return fmt::format("{} : {}", FloatText(number.value, number.type), ElementTypeText(number.type));
  }
  std::string operator()(const std::string& text) const { return QuotedText(text); }
  std::string operator()(const SymbolReference& symbol) const {
    std::string text = "@" + symbol.name;
    for (const std::string& nested : symbol.nested) text += "::@" + nested;
    return text;
  }
  std::string operator()(const Type& type) const { return TypeText(type); }
  std::string operator()(const std::vector<Attribute>& list) const {
    std::vector<std::string> texts;
    for (const Attribute& item : list) texts.push_back(ItemText(item));
    return fmt::format("[{}]", JoinText(texts, ", "));
  }
  std::string operator()(const DenseElements& elements) const { return DenseText(elements); }
  std::string operator()(const DenseArray& array) const {
    std::vector<std::string> texts;
    for (const std::int64_t value : array.values) texts.push_back(NumberText(value, array.type));
    return fmt::format("array<{}{}{}>", ElementTypeText(array.type), texts.empty() ? "" : ": ", JoinText(texts, ", "));
  }
  std::string operator()(const Dictionary& dictionary) const { return fmt::format("{{{}}}", EntriesText(dictionary)); }
  std::string operator()(const DialectAttribute& attribute) const {
    if (attribute.name.starts_with("sdy.")) return TextOfShardy(attribute);
    return fmt::format("#{}<{}>", attribute.name, EntriesText(attribute.fields));
  }
};

struct TypeTextOf {
  std::string operator()(const TensorType& type) const { return TensorText(type); }
  std::string operator()(const TupleType& type) const { return fmt::format("tuple<{}>", TypesText(type.elements)); }
  std::string operator()(const TokenType&) const { return "!stablehlo.token"; }
  std::string operator()(const FunctionType& type) const {
    return fmt::format("({}) -> ({})", TypesText(type.inputs), TypesText(type.results));
  }
  std::string operator()(const OtherType& type) const { return type.text; }
  std::string operator()(const ScalarType& type) const { return ElementTypeText(type.element_type); }
};

}  // namespace

std::string TypeText(const Type& type) { return std::visit(TypeTextOf(), type.value); }
std::string AttributeText(const Attribute& attribute) { return std::visit(AttributeTextOf(), attribute.value); }

}  // namespace assay::stablehlo
