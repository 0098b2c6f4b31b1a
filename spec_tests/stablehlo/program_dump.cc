#include "spec_tests/stablehlo/program_dump.h"

#include <fmt/format.h>

#include <bit>

#include "interpreter/stablehlo/quantized_types.h"

namespace assay::stablehlo {
namespace {

template <class T, class F>
std::string JoinedText(const std::vector<T>& items, F text) {
  std::string all;
  for (const T& item : items) all += (all.empty() ? "" : ", ") + text(item);
  return all;
}

std::string DumpTypes(const std::vector<Type>& types) { return "(" + JoinedText(types, DumpType) + ")"; }

std::string DumpIntegers(const std::vector<std::int64_t>& integers) {
  return "[" + JoinedText(integers, [](std::int64_t value) { return fmt::format("{}", value); }) + "]";
}

std::string DumpTensor(const TensorType& tensor) {
  std::string text =
      fmt::format("tensor {}{}", PrimitiveTypeName(tensor.element_type), DumpIntegers(tensor.dimensions));
  if (tensor.quantized.value != nullptr) text += " of " + ToText(*tensor.quantized.value);
  if (!tensor.bounds.empty()) text += " bounds " + DumpIntegers(tensor.bounds);
  return text;
}

struct TypeDumper {
  std::string operator()(const TensorType& tensor) const { return DumpTensor(tensor); }
  std::string operator()(const TupleType& tuple) const { return "tuple" + DumpTypes(tuple.elements); }
  std::string operator()(const TokenType&) const { return "token"; }
  std::string operator()(const FunctionType& function) const {
    return DumpTypes(function.inputs) + " -> " + DumpTypes(function.results);
  }
  std::string operator()(const ScalarType& scalar) const { return std::string(PrimitiveTypeName(scalar.element_type)); }
  std::string operator()(const OtherType& other) const { return "other <" + other.text + ">"; }
  std::string operator()(const QuantizedType& type) const { return ToText(*type.value); }
};

std::string DumpDictionary(const Dictionary& dictionary) {
  return "{" +
         JoinedText(dictionary.entries,
                    [](const NamedAttribute& entry) { return entry.name + " = " + DumpAttribute(entry.value); }) +
         "}";
}

std::string DumpBytes(const std::string& bytes) {
  std::string text;
  for (const char byte : bytes) text += fmt::format("{:02x}", static_cast<unsigned char>(byte));
  return text;
}

struct AttributeDumper {
  std::string operator()(const Unit&) const { return "unit"; }
  std::string operator()(bool value) const { return value ? "true" : "false"; }
  std::string operator()(const IntegerAttribute& integer) const {
    return fmt::format("{} {}", PrimitiveTypeName(integer.type), integer.value);
  }
  std::string operator()(const FloatAttribute& number) const {
    return fmt::format("{} bits {:x}", PrimitiveTypeName(number.type), std::bit_cast<std::uint64_t>(number.value));
  }
  std::string operator()(const std::string& characters) const { return "\"" + characters + "\""; }
  std::string operator()(const SymbolReference& symbol) const {
    return "@" + symbol.name + JoinedText(symbol.nested, [](const std::string& name) { return "::@" + name; });
  }
  std::string operator()(const Type& type) const { return DumpType(type); }
  std::string operator()(const std::vector<Attribute>& elements) const {
    return "[" + JoinedText(elements, DumpAttribute) + "]";
  }
  std::string operator()(const DenseElements& dense) const {
    return fmt::format("dense {} {}{}", DumpTensor(dense.type), dense.is_splat ? "splat " : "", DumpBytes(dense.bytes));
  }
  std::string operator()(const DenseArray& array) const {
    return fmt::format("array {} {}", PrimitiveTypeName(array.type), DumpIntegers(array.values));
  }
  std::string operator()(const Dictionary& dictionary) const { return DumpDictionary(dictionary); }
  std::string operator()(const DialectAttribute& attribute) const {
    return "#" + attribute.name + DumpDictionary(attribute.fields);
  }
};

std::string DumpLocation(const Location& location) {
  return fmt::format("\"{}\" [{}]", location.name, JoinedText(location.frames, [](const SourceFrame& frame) {
                       return fmt::format("{}@{}:{}:{}", frame.function, frame.file, frame.line, frame.column);
                     }));
}

std::string DumpValue(const Value& value) { return fmt::format("{}: {}", value.id, DumpType(value.type)); }

void DumpOperation(const Operation& operation, int depth, std::string& text) {
  const std::string indent(depth, ' ');
  text += fmt::format("{}{} = {}({}) {} {}\n", indent, JoinedText(operation.results, DumpValue), operation.name,
                      JoinedText(operation.operands, [](ValueId id) { return fmt::format("{}", id); }),
                      DumpDictionary(operation.attributes), DumpLocation(operation.location));
  for (const Region& region : operation.regions) {
    text += indent + " region\n";
    for (const Block& block : region.blocks) {
      text += fmt::format("{}  block {}\n", indent, JoinedText(block.arguments, DumpValue));
      for (const Operation& inner : block.operations) DumpOperation(inner, depth + 3, text);
    }
  }
}

}  // namespace

std::string DumpType(const Type& type) { return std::visit(TypeDumper{}, type.value); }
std::string DumpAttribute(const Attribute& attribute) { return std::visit(AttributeDumper{}, attribute.value); }

std::string DumpProgram(const Program& program) {
  std::string text;
  DumpOperation(program.module, 0, text);
  return text;
}

}  // namespace assay::stablehlo
