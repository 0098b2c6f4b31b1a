#include "interpreter/stablehlo/print.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <unordered_map>
#include <utility>

#include "interpreter/stablehlo/print_shardy.h"
#include "interpreter/types/float_format.h"
#include "interpreter/types/join_text.h"

namespace assay::stablehlo {
namespace {

constexpr std::array<std::string_view, kPrimitiveTypeCount> kTypeNames = {
    "invalid",    "i1",         "i8",           "i16",      "i32",      "i64",    "ui8",    "ui16",
    "ui32",       "ui64",       "f16",          "f32",      "f64",      "tuple",  "opaque", "complex<f32>",
    "bf16",       "token",      "complex<f64>", "f8E5M2",   "f8E4M3FN", "i4",     "ui4",    "f8E4M3B11FNUZ",
    "f8E5M2FNUZ", "f8E4M3FNUZ", "i2",           "ui2",      "f8E4M3",   "f8E3M4", "si1",    "ui1",
    "f4E2M1FN",   "f8E8M0FNU",  "buffer",       "f6E3M2FN", "f6E2M3FN",
};

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

class Printer {
 public:
  std::string Take() { return std::move(text_); }

  void Print(const Operation& operation, int indent);
  void Print(const Type& type);
  void Print(const Attribute& attribute);

 private:
  template <class... T>
  void Write(fmt::format_string<T...> format, T&&... values) {
    text_ += fmt::format(format, std::forward<T>(values)...);
  }
  template <class List, class F>
  void Join(const List& list, F print) {
    bool is_first = true;
    for (const auto& item : list) {
      if (!is_first) text_ += ", ";
      is_first = false;
      print(item);
    }
  }

  void Print(const TensorType& type);
  void PrintFunctionType(const std::vector<Type>& inputs, const std::vector<Type>& results);
  void PrintQuoted(std::string_view text);
  void PrintSymbol(std::string_view name);
  void Print(const Dictionary& dictionary);
  void Print(const FloatAttribute& number);
  void Print(const DenseElements& elements);
  void PrintElements(const DenseElements& elements, std::size_t dimension, std::size_t& index);
  void PrintInteger(const DenseElements& elements, std::size_t index);
  void Print(const DialectAttribute& attribute);
  void PrintField(const Attribute& attribute);
  void PrintNestedAttribute(const DialectAttribute& attribute);
  void PrintBounds(const std::vector<std::int64_t>& bounds);
  void Print(const Region& region, int indent);
  void Define(const Value& value);

  std::string text_;
  // The number and the type of each value: numbers follow the order of the definitions.
  std::unordered_map<ValueId, std::pair<std::size_t, const Type*>> values_;
  bool wants_index_ = false;  // layouts have elements of MLIR's type index
};

void Printer::Print(const TensorType& type) {
  text_ += "tensor<";
  for (const std::int64_t size : type.dimensions) {
    if (size < 0) {
      text_ += "?x";
    } else {
      Write("{}x", size);
    }
  }
  text_ += wants_index_ && type.element_type == S64 ? "index" : kTypeNames[type.element_type];
  if (!type.bounds.empty()) {
    text_ += ", ";
    PrintBounds(type.bounds);
  }
  text_ += ">";
}

void Printer::PrintBounds(const std::vector<std::int64_t>& bounds) {
  text_ += "#stablehlo.bounds<";
  Join(bounds, [&](std::int64_t bound) { text_ += bound < 0 ? "?" : fmt::format("{}", bound); });
  text_ += ">";
}

void Printer::PrintFunctionType(const std::vector<Type>& inputs, const std::vector<Type>& results) {
  text_ += "(";
  Join(inputs, [&](const Type& type) { Print(type); });
  text_ += ") -> (";
  Join(results, [&](const Type& type) { Print(type); });
  text_ += ")";
}

void Printer::Print(const Type& type) {
  if (const auto* tensor = std::get_if<TensorType>(&type.value)) {
    Print(*tensor);
  } else if (const auto* tuple = std::get_if<TupleType>(&type.value)) {
    text_ += "tuple<";
    Join(tuple->elements, [&](const Type& element) { Print(element); });
    text_ += ">";
  } else if (const auto* function = std::get_if<FunctionType>(&type.value)) {
    PrintFunctionType(function->inputs, function->results);
  } else if (const auto* scalar = std::get_if<ScalarType>(&type.value)) {
    text_ += kTypeNames[scalar->element_type];
  } else if (const auto* other = std::get_if<OtherType>(&type.value)) {
    text_ += other->text;
  } else {
    text_ += "!stablehlo.token";
  }
}

void Printer::PrintQuoted(std::string_view text) {
  text_ += '"';
  for (const char c : text) {
    if (c == '"' || c == '\\' || c < 32 || c > 126) {
      Write("\\{:02X}", static_cast<unsigned char>(c));
    } else {
      text_ += c;
    }
  }
  text_ += '"';
}

void Printer::PrintSymbol(std::string_view name) {
  text_ += '@';
  PrintQuoted(name);
}

void Printer::Print(const Dictionary& dictionary) {
  text_ += "{";
  Join(dictionary.entries, [&](const NamedAttribute& entry) {
    PrintQuoted(entry.name);
    if (entry.value.As<Unit>() != nullptr) return;
    text_ += " = ";
    wants_index_ = entry.name == "operand_layouts" || entry.name == "result_layouts";
    Print(entry.value);
    wants_index_ = false;
  });
  text_ += "}";
}

void Printer::Print(const FloatAttribute& number) {
  if (std::isfinite(number.value)) {
    Write("{:.17e}", number.value);
  } else {
    const FloatFormat& format = FloatFormatOf(number.type);
    const bool is_negative = std::signbit(number.value);
    const std::uint64_t bits = std::isnan(number.value) ? format.nan_bits(false) : format.overflow_bits(is_negative);
    Write("0x{:0{}X}", bits, (format.bits() + 3) / 4);
  }
}

void Printer::PrintInteger(const DenseElements& elements, std::size_t index) {
  const PrimitiveType type = elements.type.element_type;
  const std::size_t size = StorageBytes(type);
  std::uint64_t bits = 0;
  std::memcpy(&bits, elements.bytes.data() + index * size, size);
  const int shift = 64 - BitWidth(type);
  if (type == PRED) {
    text_ += bits != 0 ? "true" : "false";
  } else if (IsSignedIntegralType(type)) {
    Write("{}", static_cast<std::int64_t>(bits << shift) >> shift);
  } else {
    Write("{}", bits << shift >> shift);
  }
}

void Printer::PrintElements(const DenseElements& elements, std::size_t dimension, std::size_t& index) {
  if (dimension == elements.type.dimensions.size()) return PrintInteger(elements, index++);
  text_ += "[";
  for (std::int64_t i = 0; i < elements.type.dimensions[dimension]; ++i) {
    if (i > 0) text_ += ", ";
    PrintElements(elements, dimension + 1, index);
  }
  text_ += "]";
}

void Printer::Print(const DenseElements& elements) {
  text_ += "dense<";
  const PrimitiveType type = elements.type.element_type;
  if (elements.bytes.empty()) {
  } else if (type == PRED || (IsIntegralType(type) && elements.bytes.size() <= 256)) {
    std::size_t index = 0;
    if (elements.is_splat) {
      PrintInteger(elements, 0);
    } else {
      PrintElements(elements, 0, index);
    }
  } else {
    text_ += "\"0x";
    for (const char byte : elements.bytes) Write("{:02X}", static_cast<unsigned char>(byte));
    text_ += '"';
  }
  text_ += "> : ";
  Print(elements.type);
}

void Printer::Print(const Attribute& attribute) {
  if (attribute.As<Unit>() != nullptr) {
    text_ += "unit";
  } else if (const auto* boolean = attribute.As<bool>()) {
    text_ += *boolean ? "true" : "false";
  } else if (const auto* integer = attribute.As<IntegerAttribute>()) {
    PrintField(attribute);
    Write(" : {}", kTypeNames[integer->type]);
  } else if (const auto* number = attribute.As<FloatAttribute>()) {
    Print(*number);
    Write(" : {}", kTypeNames[number->type]);
  } else if (const auto* text = attribute.As<std::string>()) {
    PrintQuoted(*text);
  } else if (const auto* symbol = attribute.As<SymbolReference>()) {
    PrintSymbol(symbol->name);
    for (const std::string& nested : symbol->nested) {
      text_ += "::";
      PrintSymbol(nested);
    }
  } else if (const auto* type = attribute.As<Type>()) {
    Print(*type);
  } else if (const auto* list = attribute.As<std::vector<Attribute>>()) {
    text_ += "[";
    Join(*list, [&](const Attribute& item) { Print(item); });
    text_ += "]";
  } else if (const auto* elements = attribute.As<DenseElements>()) {
    Print(*elements);
  } else if (const auto* array = attribute.As<DenseArray>()) {
    Write("array<{}{}", kTypeNames[array->type], array->values.empty() ? "" : ": ");
    Join(array->values, [&](std::int64_t value) {
      text_ += array->type != PRED ? fmt::format("{}", value) : value != 0 ? "true" : "false";
    });
    text_ += ">";
  } else if (const auto* dictionary = attribute.As<Dictionary>()) {
    Print(*dictionary);
  } else {
    Print(*attribute.As<DialectAttribute>());
  }
}

// A field of a dialect's attribute: numbers have no type there.
void Printer::PrintField(const Attribute& attribute) {
  if (const auto* integer = attribute.As<IntegerAttribute>()) {
    const bool is_unsigned = IsUnsignedIntegralType(integer->type);
    text_ +=
        is_unsigned ? fmt::format("{}", static_cast<std::uint64_t>(integer->value)) : fmt::format("{}", integer->value);
  } else if (const auto* number = attribute.As<FloatAttribute>()) {
    Print(*number);
  } else if (const auto* array = attribute.As<DenseArray>()) {
    Write("[{}]", JoinText(array->values, ", "));
  } else if (const auto* dialect = attribute.As<DialectAttribute>()) {
    PrintNestedAttribute(*dialect);
  } else {
    Print(attribute);
  }
}

// Inside of another attribute an enumeration is #stablehlo.result_accuracy_mode<DEFAULT>, and a part of an axis (1)2.
void Printer::PrintNestedAttribute(const DialectAttribute& attribute) {
  const Attribute* value = attribute.fields.Find("value");
  const Attribute* pre_size = attribute.fields.Find("pre_size");
  const Attribute* size = attribute.fields.Find("size");
  if (value != nullptr && value->As<std::string>() != nullptr) {
    Write("#{}<{}>", attribute.name, *value->As<std::string>());
  } else if (pre_size != nullptr && size != nullptr) {
    text_ += "(";
    PrintField(*pre_size);
    text_ += ")";
    PrintField(*size);
  } else {
    Print(attribute);
  }
}

void Printer::Print(const DialectAttribute& attribute) {
  if (attribute.name.starts_with("sdy.")) {
    text_ += ShardyText(attribute);
    return;
  }
  const Attribute* value = attribute.fields.Find("value");
  if (value != nullptr && attribute.fields.entries.size() == 1) {
    if (const auto* bounds = value->As<DenseArray>()) return PrintBounds(bounds->values);
    if (const auto* word = value->As<std::string>()) {
      const std::size_t dot = attribute.name.find('.');
      return Write("#{}<{} {}>", attribute.name.substr(0, dot), attribute.name.substr(dot + 1), *word);
    }
  }
  Write("#{}<{}", attribute.name, attribute.name == "stablehlo.conv" ? "raw " : "");
  Join(FieldsInOrder(attribute), [&](const NamedAttribute* field) {
    Write("{} = ", field->name);
    PrintField(field->value);
  });
  text_ += ">";
}

void Printer::Print(const Region& region, int indent) {
  text_ += "{\n";
  for (std::size_t i = 0; i < region.blocks.size(); ++i) {
    const Block& block = region.blocks[i];
    Write("{:{}}^bb{}(", "", indent, i);
    Join(block.arguments, [&](const Value& argument) {
      Define(argument);
      text_ += ": ";
      Print(argument.type);
    });
    text_ += "):\n";
    for (const Operation& operation : block.operations) Print(operation, indent + 2);
  }
  Write("{:{}}}}", "", indent);
}

void Printer::Define(const Value& value) {
  const std::size_t number = values_.size();
  values_[value.id] = {number, &value.type};
  Write("%{}", number);
}

void Printer::Print(const Operation& operation, int indent) {
  Write("{:{}}", "", indent);
  Join(operation.results, [&](const Value& result) { Define(result); });
  Write("{}\"{}\"(", operation.results.empty() ? "" : " = ", operation.name);
  Join(operation.operands, [&](ValueId operand) {
    const auto value = values_.find(operand);
    text_ += value == values_.end() ? "%undefined" : fmt::format("%{}", value->second.first);
  });
  text_ += ")";
  if (!operation.regions.empty()) {
    text_ += " (";
    Join(operation.regions, [&](const Region& region) { Print(region, indent); });
    text_ += ")";
  }
  if (!operation.attributes.entries.empty()) {
    text_ += " ";
    Print(operation.attributes);
  }
  text_ += " : (";
  Join(operation.operands, [&](ValueId operand) {
    const auto value = values_.find(operand);
    if (value != values_.end()) Print(*value->second.second);
  });
  text_ += ") -> (";
  Join(operation.results, [&](const Value& result) { Print(result.type); });
  text_ += ")\n";
}

template <class T>
std::string PrintAlone(const T& value) {
  Printer printer;
  printer.Print(value);
  return printer.Take();
}

}  // namespace

std::string ToText(const Program& program) {
  Printer printer;
  printer.Print(program.module, 0);
  return printer.Take();
}

std::string ToText(const Type& type) { return PrintAlone(type); }

std::string ToText(const Attribute& attribute) { return PrintAlone(attribute); }

}  // namespace assay::stablehlo
