// The forms are those that MLIR prints: frontend attributes and custom calls carry them into HLO.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "interpreter/hlo/text_parser.h"
#include "interpreter/numerics/round.h"
#include "interpreter/stablehlo/element_types.h"
#include "interpreter/stablehlo/print.h"
#include "interpreter/stablehlo/quantized_types.h"
#include "interpreter/stablehlo/shardy_attributes.h"
#include "interpreter/stablehlo/to_hlo_attributes.h"
#include "interpreter/types/ascii.h"
#include "interpreter/types/float_format.h"
#include "interpreter/types/join_text.h"

namespace assay::stablehlo {
namespace {

// Attributes whose fields MLIR reads in this order only.
struct FieldOrder {
  std::string_view attribute;
  std::array<std::string_view, 7> fields;
};
constexpr FieldOrder kFieldOrders[] = {
    {"stablehlo.dot_algorithm",
     {"lhs_precision_type", "rhs_precision_type", "accumulation_type", "lhs_component_count", "rhs_component_count",
      "num_primitive_operations", "allow_imprecise_accumulation"}},
    {"stablehlo.result_accuracy", {"atol", "rtol", "ulps", "mode"}},
    {"stablehlo.output_operand_alias", {"output_tuple_indices", "operand_index", "operand_tuple_indices"}},
};

std::vector<const NamedAttribute*> FieldsInOrder(const DialectAttribute& attribute) {
  std::vector<const NamedAttribute*> fields;
  for (const NamedAttribute& field : attribute.fields.entries) fields.push_back(&field);
  for (const FieldOrder& order : kFieldOrders) {
    if (order.attribute != attribute.name) continue;
    std::ranges::stable_sort(fields, {}, [&](const NamedAttribute* field) {
      return std::ranges::find(order.fields, field->name) - order.fields.begin();
    });
  }
  return fields;
}

// Returns the texts of the items between commas.
template <class List, class F>
std::string Joined(const List& list, F text) {
  std::vector<std::string> texts;
  for (const auto& item : list) texts.push_back(text(item));
  return JoinText(texts, ", ");
}

std::string SizeText(std::int64_t size) { return size == kDynamicSize ? "?" : std::to_string(size); }

std::string BoundsText(const std::vector<std::int64_t>& bounds) {
  return fmt::format("#stablehlo.bounds<{}>", Joined(bounds, SizeText));
}

std::string TensorText(const TensorType& type, std::string_view element_type) {
  std::string text = type.is_buffer ? "memref<" : "tensor<";
  for (const std::int64_t size : type.dimensions) text += SizeText(size) + "x";
  text += element_type;
  if (!type.bounds.empty()) text += ", " + BoundsText(type.bounds);
  return text + ">";
}

std::string TypeText(const Type& type) { return ToText(type); }

struct TypeTextOf {
  std::string operator()(const TensorType& type) const {
    if (const Quantization* quantization = type.quantized.value.get()) return TensorText(type, ToText(*quantization));
    return TensorText(type, MlirTypeName(type.element_type));
  }
  std::string operator()(const TupleType& type) const {
    return fmt::format("tuple<{}>", Joined(type.elements, TypeText));
  }
  std::string operator()(const TokenType&) const { return "!stablehlo.token"; }
  std::string operator()(const FunctionType& type) const {
    return fmt::format("({}) -> ({})", Joined(type.inputs, TypeText), Joined(type.results, TypeText));
  }
  std::string operator()(const OtherType& type) const { return type.text; }
  std::string operator()(const ScalarType& type) const { return std::string(MlirTypeName(type.element_type)); }
  std::string operator()(const QuantizedType& type) const { return ToText(*type.value); }
};

std::string QuotedText(std::string_view text) {
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '\\') {
      quoted += "\\\\";
    } else if (c == '"' || c < 32 || c > 126) {
      quoted += fmt::format("\\{:02X}", static_cast<unsigned char>(c));
    } else {
      quoted += c;
    }
  }
  return quoted + "\"";
}

// Quotes a name unless it is an identifier.
std::string NameText(std::string_view name) {
  const auto is_letter = [](char c) { return IsAsciiLetter(c) || c == '_'; };
  const bool is_identifier = !name.empty() && is_letter(name[0]) && std::ranges::all_of(name, [&](char c) {
    return is_letter(c) || (c >= '0' && c <= '9') || c == '$' || c == '.';
  });
  return is_identifier ? std::string(name) : QuotedText(name);
}

std::string NumberText(std::int64_t value, PrimitiveType type) {
  if (type == PRED) return value != 0 ? "true" : "false";
  return IsUnsignedIntegralType(type) ? std::to_string(static_cast<std::uint64_t>(value)) : std::to_string(value);
}

// Prints the integer, or the truth value, at `index`.
std::string ElementText(const DenseElements& elements, std::size_t index) {
  return NumberText(IntegerAt(elements, index), elements.type.element_type);
}

// Prints the elements from `index` on, in brackets by dimension.
std::string NestedText(const DenseElements& elements, std::size_t dimension, std::size_t& index) {
  if (dimension == elements.type.dimensions.size()) return ElementText(elements, index++);
  std::vector<std::string> parts;
  for (std::int64_t i = 0; i < elements.type.dimensions[dimension]; ++i) {
    parts.push_back(NestedText(elements, dimension + 1, index));
  }
  return fmt::format("[{}]", JoinText(parts, ", "));
}

std::string DenseText(const DenseElements& elements, std::string_view element_type) {
  constexpr std::size_t kMostWritten = 100;  // elements; MLIR prints the bytes of more
  const PrimitiveType type = elements.type.element_type;
  const bool has_words = type == PRED || IsIntegralType(type);
  std::string body;
  if (elements.bytes.empty()) {
  } else if (has_words && elements.is_splat) {
    body = ElementText(elements, 0);
  } else if (has_words && (type == PRED || elements.bytes.size() / StorageBytes(type) <= kMostWritten)) {
    std::size_t index = 0;
    body = NestedText(elements, 0, index);
  } else {
    body = "\"0x";
    for (const char byte : elements.bytes) body += fmt::format("{:02X}", static_cast<unsigned char>(byte));
    body += '"';
  }
  return fmt::format("dense<{}> : {}", body, TensorText(elements.type, element_type));
}

// Prints layouts, whose elements have MLIR's type index, unlike those of any other attribute.
std::string LayoutsText(const std::vector<Attribute>& layouts) {
  return fmt::format("[{}]", Joined(layouts, [](const Attribute& layout) {
                       const auto* elements = layout.As<DenseElements>();
                       return elements == nullptr ? ToText(layout) : DenseText(*elements, "index");
                     }));
}

std::string EntryText(const NamedAttribute& entry) {
  if (entry.value.As<Unit>() != nullptr) return NameText(entry.name);
  const bool is_layouts = entry.name == "operand_layouts" || entry.name == "result_layouts";
  const auto* list = is_layouts ? entry.value.As<std::vector<Attribute>>() : nullptr;
  return fmt::format("{} = {}", NameText(entry.name), list == nullptr ? ToText(entry.value) : LayoutsText(*list));
}

// Prints an item of a list, without the type for i64 and f64.
std::string ItemText(const Attribute& item) {
  const auto* whole = item.As<IntegerAttribute>();
  if (whole != nullptr && whole->type == S64) return NumberText(whole->value, S64);
  const auto* real = item.As<FloatAttribute>();
  return real != nullptr && real->type == F64 ? FloatText(real->value, F64) : ToText(item);
}

std::string FieldText(const Attribute& attribute);

// Prints an enumeration inside of another attribute as #stablehlo.result_accuracy_mode<DEFAULT>, and a part of an axis
// as (1)2.
std::string NestedAttributeText(const DialectAttribute& attribute) {
  const Attribute* value = attribute.fields.Find("value");
  const Attribute* pre_size = attribute.fields.Find("pre_size");
  const Attribute* size = attribute.fields.Find("size");
  if (value != nullptr && value->As<std::string>() != nullptr) {
    return fmt::format("#{}<{}>", attribute.name, *value->As<std::string>());
  }
  if (pre_size != nullptr && size != nullptr) return fmt::format("({}){}", FieldText(*pre_size), FieldText(*size));
  return ToText(Attribute{attribute});
}

// Prints a field of a dialect's attribute, numbers without their type.
std::string FieldText(const Attribute& attribute) {
  if (const auto* whole = attribute.As<IntegerAttribute>()) return NumberText(whole->value, whole->type);
  if (const auto* real = attribute.As<FloatAttribute>()) return FloatText(real->value, real->type);
  if (const auto* array = attribute.As<DenseArray>()) return fmt::format("[{}]", JoinText(array->values, ", "));
  const auto* dialect = attribute.As<DialectAttribute>();
  return dialect == nullptr ? ToText(attribute) : NestedAttributeText(*dialect);
}

struct AttributeTextOf {
  std::string operator()(const Unit&) const { return "unit"; }
  std::string operator()(bool value) const { return value ? "true" : "false"; }
  std::string operator()(const IntegerAttribute& number) const {
    const std::string text = NumberText(number.value, number.type);
    return number.type == PRED ? text : fmt::format("{} : {}", text, MlirTypeName(number.type));
  }
  std::string operator()(const FloatAttribute& number) const {
    return fmt::format("{} : {}", FloatText(number.value, number.type), MlirTypeName(number.type));
  }
  std::string operator()(const std::string& text) const { return QuotedText(text); }
  std::string operator()(const SymbolReference& symbol) const {
    std::string text = "@" + NameText(symbol.name);
    for (const std::string& nested : symbol.nested) text += "::@" + NameText(nested);
    return text;
  }
  std::string operator()(const Type& type) const { return ToText(type); }
  std::string operator()(const std::vector<Attribute>& list) const {
    return fmt::format("[{}]", Joined(list, ItemText));
  }
  std::string operator()(const DenseElements& elements) const {
    return DenseText(elements, MlirTypeName(elements.type.element_type));
  }
  std::string operator()(const DenseArray& array) const {
    const auto text = [&](std::int64_t value) {
      if (!IsFloatingPointType(array.type)) return NumberText(value, array.type);
      return FloatText(ToDouble(FloatFormatOf(array.type), static_cast<std::uint64_t>(value)), array.type);
    };
    return fmt::format("array<{}{}{}>", MlirTypeName(array.type), array.values.empty() ? "" : ": ",
                       Joined(array.values, text));
  }
  std::string operator()(const Dictionary& dictionary) const { return ToText(dictionary); }
  std::string operator()(const DialectAttribute& attribute) const {
    if (attribute.name.starts_with("sdy.")) return ShardyText(attribute);
    const Attribute* value = attribute.fields.Find("value");
    if (value != nullptr && attribute.fields.entries.size() == 1) {
      if (const auto* bounds = value->As<DenseArray>()) return BoundsText(bounds->values);
      if (const auto* word = value->As<std::string>()) {
        const std::size_t dot = attribute.name.find('.');
        return fmt::format("#{}<{} {}>", attribute.name.substr(0, dot), attribute.name.substr(dot + 1), *word);
      }
    }
    const auto text = [](const NamedAttribute* field) {
      return fmt::format("{} = {}", field->name, FieldText(field->value));
    };
    const bool is_convolution = attribute.name == "stablehlo.conv";  // whose other form draws the dimensions
    return fmt::format("#{}<{}{}>", attribute.name, is_convolution ? "raw " : "",
                       Joined(FieldsInOrder(attribute), text));
  }
};

}  // namespace

std::string FloatText(double value, PrimitiveType type) {
  if (!std::isfinite(value)) {
    const FloatFormat& format = FloatFormatOf(type);
    const bool is_negative = std::signbit(value);
    const std::uint64_t bits = std::isnan(value) ? format.nan_bits(false) : format.overflow_bits(is_negative);
    return fmt::format("0x{:0{}X}", bits, (format.bits() + 3) / 4);
  }
  const std::string six = fmt::format("{:.6e}", value);
  const double read_back = DecimalToDouble(six);
  const bool is_same = type == F64 ? read_back == value : static_cast<float>(read_back) == static_cast<float>(value);
  if (is_same) return six;
  std::string shortest = type == F64 ? fmt::format("{}", value) : fmt::format("{}", static_cast<float>(value));
  if (const std::size_t exponent = shortest.find('e'); exponent != shortest.npos) shortest[exponent] = 'E';
  return shortest;
}

std::string ToText(const Type& type) { return std::visit(TypeTextOf(), type.value); }
std::string ToText(const Attribute& attribute) { return std::visit(AttributeTextOf(), attribute.value); }
std::string ToText(const Dictionary& dictionary) {
  return fmt::format("{{{}}}", Joined(dictionary.entries, EntryText));
}

}  // namespace assay::stablehlo
