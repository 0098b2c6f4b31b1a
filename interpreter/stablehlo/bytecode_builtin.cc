// The encoding of MLIR's builtin dialect: mlir/include/mlir/IR/BuiltinDialectBytecode.td.
#include <fmt/format.h>

#include <utility>

#include "interpreter/stablehlo/bytecode_values.h"

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

enum BuiltinTypeCode {
  kIntegerType = 0,
  kIndexType = 1,
  kFunctionType = 2,
  kBf16Type = 3,
  kF16Type = 4,
  kF32Type = 5,
  kF64Type = 6,
  kComplexType = 9,
  kNoneType = 12,
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
  DenseArray array = {NumberTypeOf(element, cursor), {}};
  const std::uint64_t count = cursor.Varint();
  const std::string_view bytes = cursor.Blob();
  if (!cursor.ok()) return {};
  const std::size_t size = StorageBytes(array.type);
  if (bytes.size() / size != count || bytes.size() % size != 0) {
    cursor.Fail(
        fmt::format("an array of {} elements must take {} bytes each, found {} bytes", count, size, bytes.size()));
    return {};
  }
  for (std::size_t i = 0; i < bytes.size(); i += size) {
    std::uint64_t bits = 0;
    for (std::size_t byte = size; byte-- > 0;) bits = bits << 8 | static_cast<std::uint8_t>(bytes[i + byte]);
    const int shift = 64 - 8 * static_cast<int>(size);
    const bool is_signed = IsSignedIntegralType(array.type);
    array.values.push_back(is_signed ? static_cast<std::int64_t>(bits << shift) >> shift
                                     : static_cast<std::int64_t>(bits));
  }
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
    case kIndexType:
      return {ScalarType{S64}};
    case kFunctionType:
      return ReadFunctionType(cursor, values);
    case kBf16Type:
      return {ScalarType{BF16}};
    case kF16Type:
      return {ScalarType{F16}};
    case kF32Type:
      return {ScalarType{F32}};
    case kF64Type:
      return {ScalarType{F64}};
    case kComplexType:
      return ComplexOf(values.ReadType(cursor));
    case kNoneType:
      return {OtherType{"none"}};
    case kTensorType:
    case kTensorTypeWithEncoding:
      return ReadTensorType(cursor, values, code == kTensorTypeWithEncoding);
    case kTupleType:
      return {TupleType{values.ReadTypes(cursor)}};
    default:
      cursor.Fail(fmt::format("type {} of builtin is not supported", code), ErrorCode::kUnsupported);
      return {};
  }
}

}  // namespace assay::stablehlo
