// The encoding of MLIR's builtin dialect: mlir/include/mlir/IR/BuiltinDialectBytecode.td.
#include <fmt/format.h>

#include <utility>

#include "interpreter/stablehlo/bytecode_values.h"
#include "interpreter/stablehlo/to_hlo_attributes.h"

namespace assay::stablehlo {
namespace {

enum BuiltinAttributeCode {
  kBuiltinArray = 0,
  kBuiltinDictionary = 1,
  kBuiltinString = 2,
  kBuiltinStringOfType = 3,
  kBuiltinSymbol = 4,
  kBuiltinNestedSymbol = 5,
  kBuiltinType = 6,
  kBuiltinUnit = 7,
  kBuiltinInteger = 8,
  kBuiltinFloat = 9,
  kBuiltinResource = 16,
  kBuiltinDenseArray = 17,
  kBuiltinElements = 18,
};

// The types without parameters, by their code.
constexpr std::string_view kBuiltinTypeWords = "- index - bf16 f16 f32 f64 - - - - - none";
enum BuiltinTypeCode {
  kIntegerType = 0,
  kFunctionType = 2,
  kComplexType = 9,
  kTensorType = 13,
  kTensorTypeWithEncoding = 14,
  kTupleType = 15,
};

std::string ReadStringAttribute(Cursor& cursor, BytecodeValues& values) {
  const Attribute attribute = values.ReadAttribute(cursor);
  const auto* text = attribute.As<std::string>();
  if (text != nullptr) return *text;
  cursor.Fail("expected the index of a string attribute");
  return {};
}

Attribute ReadSymbol(Cursor& cursor, BytecodeValues& values, bool is_nested) {
  SymbolReference symbol = {ReadStringAttribute(cursor, values), {}};
  const std::size_t count = is_nested ? cursor.Count() : 0;
  for (std::size_t i = 0; i < count && cursor.ok(); ++i) {
    const Attribute nested = values.ReadAttribute(cursor);
    if (nested.As<SymbolReference>() == nullptr) cursor.Fail("expected the index of a symbol");
    if (cursor.ok()) symbol.nested.push_back(nested.As<SymbolReference>()->name);
  }
  return {std::move(symbol)};
}

Attribute ReadDenseArray(Cursor& cursor, BytecodeValues& values) {
  const Type element = values.ReadType(cursor);
  const PrimitiveType type = NumberTypeOf(element, cursor);
  const std::uint64_t count = cursor.Varint();
  const std::string_view bytes = cursor.Blob();
  if (!cursor.ok()) return {};
  const std::size_t size = StorageBytes(type);
  if (bytes.size() / size != count || bytes.size() % size != 0) {
    cursor.Fail(
        fmt::format("an array of {} elements must take {} bytes each, found {} bytes", count, size, bytes.size()));
    return {};
  }
  DenseArray array = {type, {}};
  const DenseElements elements = {{type, {static_cast<std::int64_t>(count)}, {}}, std::string(bytes)};
  for (std::size_t i = 0; i < count; ++i) array.values.push_back(IntegerAt(elements, i));
  cursor.file().Charge(8 * array.values.size(), cursor.offset());
  return {std::move(array)};
}

Type ReadIntegerType(Cursor& cursor) {
  const std::uint64_t encoded = cursor.Varint();  // the width, and two bits: 0 signless, 1 signed, 2 unsigned
  constexpr std::string_view kPrefixes[] = {"i", "si", "ui", "?"};
  return TypeOfWord(fmt::format("{}{}", kPrefixes[encoded & 3], encoded >> 2));
}

Attribute DecodeBuiltinContainer(std::uint64_t code, Cursor& cursor, BytecodeValues& values) {
  switch (code) {
    case kBuiltinArray:
      return {values.ReadAttributes(cursor)};
    case kBuiltinDictionary:
      return ReadDictionary(cursor, values);
    case kBuiltinSymbol:
      return ReadSymbol(cursor, values, /*is_nested=*/false);
    case kBuiltinNestedSymbol:
      return ReadSymbol(cursor, values, /*is_nested=*/true);
    case kBuiltinDenseArray:
      return ReadDenseArray(cursor, values);
    case kBuiltinElements: {
      const Type type = values.ReadType(cursor);
      return ElementsOf(type, cursor.Blob(), cursor);
    }
    case kBuiltinResource: {
      const Type type = values.ReadType(cursor);
      return ElementsOf(type, values.ReadResource(cursor), cursor);
    }
    default:
      cursor.Fail(fmt::format("attribute {} of builtin is not supported", code), ErrorCode::kUnsupported);
      return {};
  }
}

}  // namespace

Attribute DecodeBuiltinAttribute(Cursor& cursor, BytecodeValues& values) {
  const std::uint64_t code = cursor.Varint();
  switch (code) {
    case kBuiltinString:
    case kBuiltinStringOfType:
      return {values.ReadString(cursor)};
    case kBuiltinType:
      return {values.ReadType(cursor)};
    case kBuiltinUnit:
      return {Unit()};
    case kBuiltinInteger:
      return IntegerOf(values.ReadType(cursor), cursor);
    case kBuiltinFloat:
      return FloatOf(values.ReadType(cursor), cursor);
    default:
      return DecodeBuiltinContainer(code, cursor, values);
  }
}

Type DecodeBuiltinType(Cursor& cursor, BytecodeValues& values) {
  const std::uint64_t code = cursor.Varint();
  switch (code) {
    case kIntegerType:
      return ReadIntegerType(cursor);
    case kFunctionType:
      return ReadFunctionType(cursor, values);
    case kComplexType:
      return ComplexOf(values.ReadType(cursor));
    case kTensorType:
    case kTensorTypeWithEncoding:
      return ReadTensorType(cursor, values, code == kTensorTypeWithEncoding);
    case kTupleType:
      return {TupleType{values.ReadTypes(cursor)}};
    default:
      if (std::optional<Type> type = TypeOfCode(code, kBuiltinTypeWords)) return *std::move(type);
      cursor.Fail(fmt::format("type {} of builtin is not supported", code), ErrorCode::kUnsupported);
      return {};
  }
}

}  // namespace assay::stablehlo
