// Attributes and types of a bytecode file, decoded at the first reference to them.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "interpreter/stablehlo/bytecode_cursor.h"
#include "interpreter/stablehlo/bytecode_tables.h"
#include "interpreter/stablehlo/operation.h"

namespace assay::stablehlo {

class BytecodeValues {
 public:
  // The file and the tables must outlive this object.
  BytecodeValues(BytecodeFile& file, const BytecodeTables& tables);

  // Returns an attribute or a type by its index. Locations are not attributes (bytecode_locations.h).
  Attribute AttributeAt(std::size_t index);
  Type TypeAt(std::size_t index);

  // Reads an index and returns its attribute or type.
  Attribute ReadAttribute(Cursor& cursor);
  Type ReadType(Cursor& cursor);
  // Returns none if the flag is not set.
  std::optional<Attribute> ReadOptionalAttribute(Cursor& cursor);
  std::string ReadString(Cursor& cursor);
  std::vector<Attribute> ReadAttributes(Cursor& cursor);
  std::vector<Type> ReadTypes(Cursor& cursor);
  std::string_view ReadResource(Cursor& cursor);

 private:
  template <class T>
  struct Slot {
    std::optional<T> value;
    std::size_t charge = 0;  // of a copy
    bool is_open = false;    // is being read: an entry must not contain itself
  };
  // Most attributes are locations, which have no slot.
  template <class T>
  using Slots = std::vector<std::unique_ptr<Slot<T>>>;
  template <class T, class F>
  T Memoized(Slots<T>& slots, const std::vector<BytecodeEntry>& entries, std::size_t index, F read);
  Attribute DecodeAttribute(const BytecodeEntry& entry, Cursor& cursor);
  Type DecodeType(const BytecodeEntry& entry, Cursor& cursor);

  BytecodeFile& file_;
  const BytecodeTables& tables_;
  Slots<Attribute> attributes_;
  Slots<Type> types_;
  int depth_ = 0;
};

// Decodes attributes and types in the encoding of each dialect.
Attribute DecodeBuiltinAttribute(Cursor& cursor, BytecodeValues& values);
Type DecodeBuiltinType(Cursor& cursor, BytecodeValues& values);
Attribute DecodeVhloAttribute(Cursor& cursor, BytecodeValues& values);
Type DecodeVhloType(Cursor& cursor, BytecodeValues& values);
Type DecodeQuantType(Cursor& cursor, BytecodeValues& values);
Attribute DecodeShardyAttribute(Cursor& cursor, BytecodeValues& values);

// Functions that the encodings share.
//
// Reads the fields of a uniform quantized type. VHLO has the first two forms; the numbers are the codes of the dialect
// quant.
enum class QuantizedForm : std::uint64_t { kPerTensor = 4, kPerAxis = 5, kSubChannel = 6 };
Type ReadQuantizedType(Cursor& cursor, BytecodeValues& values, QuantizedForm form);
// Returns the type of a word in MLIR, such as "f8E4M3FN" or "ui8"; other words are types without an HLO equivalent.
Type TypeOfWord(std::string_view word);
// Returns a tensor, or a type without an HLO equivalent if its elements are of such a type.
Type TensorOf(std::vector<std::int64_t> dimensions, const Type& element, const std::optional<Attribute>& encoding,
              Cursor& cursor);
Type ComplexOf(const Type& element);
// Fails unless the type is that of a number.
PrimitiveType NumberTypeOf(const Type& type, Cursor& cursor);
Attribute IntegerOf(const Type& type, Cursor& cursor);
Attribute FloatOf(const Type& type, Cursor& cursor);
// Returns elements from the bytes of MLIR's attribute: one for a splat, a bit or a byte for an i1.
Attribute ElementsOf(const Type& type, std::string_view bytes, Cursor& cursor);
// Returns the type without parameters that has this code: `words` lists them by code, and "-" is none. Nothing for a
// code without such a type.
std::optional<Type> TypeOfCode(std::uint64_t code, std::string_view words);
// Reads the fields of an attribute, each of which is a word "NAME:KIND": a string, an attribute, attributes, an
// integer, integers, a flag of a byte, or a real. A field "NAME:KIND?" is omitted if it is empty or 0, and an attribute
// if it is not there.
std::vector<NamedAttribute> ReadFields(Cursor& cursor, BytecodeValues& values, std::string_view fields);
// An attribute that is its fields, by its code.
struct EncodedFields {
  std::uint64_t code;
  std::string_view name, fields;
};
// The containers and tensors that builtin and VHLO encode alike.
Attribute ReadDictionary(Cursor& cursor, BytecodeValues& values);
Type ReadFunctionType(Cursor& cursor, BytecodeValues& values);
Type ReadTensorType(Cursor& cursor, BytecodeValues& values, bool has_encoding);

}  // namespace assay::stablehlo
