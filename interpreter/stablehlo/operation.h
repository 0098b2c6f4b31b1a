// StableHLO programs in memory: operations with operands, attributes and regions, as in MLIR. The readers of bytecode
// and of text build them, and the translator converts them to an HloModule. Names are those of the newest version of
// StableHLO: "stablehlo.add", "func.func", "sdy.mesh".
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "interpreter/types/primitive_type.h"
#include "interpreter/types/result.h"

namespace assay::stablehlo {

struct Type;
struct Attribute;
struct Operation;

inline constexpr std::int64_t kDynamicSize = -1;

// The blocks of {1:2}, {{0.5, 0.25:3}}, a sub-channel type of MLIR's dialect quant: each has a scale and a zero point.
struct QuantizationBlocks {
  // The dimensions that are divided, with the size of a block; a block has all elements of the other dimensions.
  std::vector<std::pair<std::int64_t, std::int64_t>> sizes;
  std::vector<std::int64_t> counts;  // how many blocks each dimension of the tensor has: the shape of the scales

  bool operator==(const QuantizationBlocks&) const = default;
};
// !quant.uniform<i8<-127:127>:f32:1, {0.5, 0.25:3}>: the integer q represents (q - zero_point) * scale, a number of the
// expressed type. quantized_types.h has the rules of these types.
struct Quantization {
  PrimitiveType storage_type = PrimitiveType::S8;
  std::int64_t storage_min = 0, storage_max = 0;
  PrimitiveType expressed_type = PrimitiveType::F32;
  std::optional<std::int64_t> dimension;  // its slices have a scale and a zero point each
  std::optional<QuantizationBlocks> blocks;
  std::vector<double> scales;             // one for all elements without a dimension and blocks
  std::vector<std::int64_t> zero_points;  // as many as scales

  bool operator==(const Quantization&) const = default;
};
// A type of quantized elements; copies share it. Null in the type of a tensor that is not quantized.
struct QuantizedType {
  std::shared_ptr<const Quantization> value;

  bool operator==(const QuantizedType& other) const;
};

// A ranked tensor of elements. `bounds` has a size for each dimension that #stablehlo.bounds bounds, kDynamicSize for
// other dimensions, and is empty without bounds. A memref is a buffer. The element type of a quantized tensor is its
// storage type.
struct TensorType {
  PrimitiveType element_type = PrimitiveType::F32;
  std::vector<std::int64_t> dimensions;
  std::vector<std::int64_t> bounds;
  bool is_buffer = false;
  QuantizedType quantized = {};

  bool operator==(const TensorType&) const = default;
};
struct TupleType {
  std::vector<Type> elements;

  bool operator==(const TupleType&) const = default;
};
struct TokenType {
  bool operator==(const TokenType&) const = default;
};
struct FunctionType {
  std::vector<Type> inputs, results;

  bool operator==(const FunctionType&) const = default;
};
// A type that has no equivalent in HLO, such as tensor<*xf32>: the translator rejects it with its text.
struct OtherType {
  std::string text;

  bool operator==(const OtherType&) const = default;
};
// The type of an attribute's number: i64, f32, index (as 64 bits).
struct ScalarType {
  PrimitiveType element_type = PrimitiveType::F32;

  bool operator==(const ScalarType&) const = default;
};

struct Type {
  std::variant<TensorType, TupleType, TokenType, FunctionType, ScalarType, OtherType, QuantizedType> value;

  bool operator==(const Type&) const = default;
};

struct NamedAttribute;

struct Unit {};
struct IntegerAttribute {
  std::int64_t value = 0;  // the bits of an unsigned number of 64 bits
  PrimitiveType type = PrimitiveType::S64;
};
struct FloatAttribute {
  double value = 0;
  PrimitiveType type = PrimitiveType::F32;
};
struct SymbolReference {
  std::string name;                 // without @
  std::vector<std::string> nested;  // b in @a::@b
};
// The elements in row-major order, each as little-endian bytes of StorageBytes(type), as in a Literal. A splat has only
// one element. Elements of less than a byte are unpacked.
struct DenseElements {
  TensorType type;
  std::string bytes;
  bool is_splat = false;
  bool is_elided = false;  // dense_resource<__elided__>: one zero stands for elements that the text does not have
};
// array<i64: 1, 2>, array<i1: true>, and dense<...> : tensor<NxMxi64> for an attribute of whole numbers.
struct DenseArray {
  PrimitiveType type = PrimitiveType::S64;
  std::vector<std::int64_t> values;  // the bits of floats
};
struct Dictionary {
  std::vector<NamedAttribute> entries;

  // Returns null if there is no attribute of this name.
  const Attribute* Find(std::string_view name) const;
  // Returns the value of that attribute; null if there is none, or if it is of another kind.
  template <class T>
  const T* FindAs(std::string_view name) const;
};
// #stablehlo.gather<offset_dims = [0], ...>: name is "stablehlo.gather", fields are named as in the text. An
// enumeration is one too, with the field "value" as a String: #stablehlo<comparison_direction EQ> is
// {"stablehlo.comparison_direction", value = "EQ"}.
struct DialectAttribute {
  std::string name;
  Dictionary fields;
};

struct Attribute {
  std::variant<Unit, bool, IntegerAttribute, FloatAttribute, std::string, SymbolReference, Type, std::vector<Attribute>,
               DenseElements, DenseArray, Dictionary, DialectAttribute>
      value;

  template <class T>
  const T* As() const {
    return std::get_if<T>(&value);
  }
};

template <class T>
const T* Dictionary::FindAs(std::string_view name) const {
  const Attribute* attribute = Find(name);
  return attribute == nullptr ? nullptr : attribute->As<T>();
}

struct NamedAttribute {
  std::string name;
  Attribute value;
};

void SortByName(Dictionary& dictionary);
// Returns a dialect's attribute; the fields are sorted by name.
Attribute DialectAttributeOf(std::string_view name, std::vector<NamedAttribute> fields);
// Returns {"stablehlo.precision", value = "HIGH"}.
Attribute EnumerationOf(std::string_view name, std::string_view word);
inline Attribute IntegerList(std::vector<std::int64_t> values) {
  return {DenseArray{PrimitiveType::S64, std::move(values)}};
}

// A result of an operation, or an argument of a block. Ids are unique in a program.
using ValueId = std::int32_t;

struct Value {
  ValueId id = 0;
  Type type;
};

// A range in the user's source; a location has them innermost first: a stack of calls, or one frame.
struct SourceFrame {
  std::string function, file;
  int line = 0, column = 0;
  int end_line = 0, end_column = 0;  // those of the begin if the source is a point
};
struct Location {
  std::string name;  // of loc("jit(f)/add"(...)): jit(f)/add
  std::vector<SourceFrame> frames;
};

struct Block {
  std::vector<Value> arguments;
  std::vector<Operation> operations;
};
struct Region {
  std::vector<Block> blocks;
};

struct Operation {
  std::string name;
  std::vector<ValueId> operands;
  std::vector<Value> results;
  Dictionary attributes;  // properties as well
  std::vector<Region> regions;
  Location location;
  SourceLocation place;      // in the text; {0, 0} of a bytecode
  std::uint64_t offset = 0;  // in the bytecode
};

// A builtin.module: `module.regions[0].blocks[0].operations` are functions, meshes and so on.
struct Program {
  Operation module;
  std::string producer;  // of a bytecode: "StableHLO_v1.15.0"
};

// Reads MLIR bytecode of any version of VHLO, or of the dialects themselves. Errors are kParse with the offset, the
// operation and its version, or kUnsupported for a version that is newer than this reader.
Result<Program> ReadBytecode(std::string_view bytes);
// Parses the text of a program, in the pretty or the generic form. Errors are kParse with line and column.
Result<Program> ParseText(std::string_view text);

}  // namespace assay::stablehlo
