// Readers of the attributes of an operation, which report errors in them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "interpreter/hlo/attributes.h"
#include "interpreter/stablehlo/operation.h"
#include "interpreter/types/literal.h"
#include "interpreter/types/result.h"
#include "interpreter/types/shape.h"

namespace assay::stablehlo {

// Returns "stablehlo.add: MESSAGE", with the operation's place in the text or the bytecode.
Error ErrorAt(const Operation& operation, ErrorCode code, std::string_view message);
Error IllegalAt(const Operation& operation, std::string_view message);
Error UnsupportedAt(const Operation& operation, std::string_view message);

// Returns the number of elements; none if it does not fit in 63 bits or a size is unknown.
std::optional<std::int64_t> CountOf(const TensorType& type);
// Returns an element that is an integer or a truth value; for other types its bits.
std::int64_t IntegerAt(const DenseElements& elements, std::size_t index);
// Returns integers in any of their forms. Null for an attribute of another kind, or with more numbers than an attribute
// of an operation can have.
std::optional<Int64List> IntegersOf(const Attribute& attribute);
// Returns the word of an enumeration: EQ. Null for an attribute of another kind.
const std::string* WordOf(const Attribute& attribute);

// The functions below return the default if the operation does not have the attribute, and fail if it is of another
// kind. `Required...` fail if it is absent.
class AttributeReader {
 public:
  explicit AttributeReader(const Operation& operation) : operation_(operation), attributes_(operation.attributes) {}
  // Reads the fields of an attribute of the operation.
  AttributeReader(const Operation& operation, const Dictionary& fields) : operation_(operation), attributes_(fields) {}

  const Attribute* Find(std::string_view name) const { return attributes_.Find(name); }
  template <class T>
  const T* FindAs(std::string_view name) const {
    return attributes_.FindAs<T>(name);
  }

  Result<Int64List> Integers(std::string_view name) const;
  Result<Int64List> RequiredIntegers(std::string_view name) const;
  // Returns pairs, row by row: dense<[[1, 2], [0, 0]]>.
  Result<std::vector<Int64List>> Rows(std::string_view name) const;
  Result<std::int64_t> Integer(std::string_view name, std::int64_t if_absent) const;
  Result<std::int64_t> RequiredInteger(std::string_view name) const;
  // Returns true for a unit attribute.
  Result<bool> Bool(std::string_view name) const;
  Result<double> Float(std::string_view name, double if_absent) const;
  Result<std::string> String(std::string_view name) const;
  // Returns the word of an enumeration, or a string; empty if absent.
  Result<std::string> Word(std::string_view name) const;
  Result<std::vector<std::string>> Words(std::string_view name) const;
  // Returns names of functions: @f, or [@f, @g].
  Result<std::vector<std::string>> Symbols(std::string_view name) const;
  // Returns null if absent.
  Result<const Dictionary*> Fields(std::string_view name) const;
  Result<AttributeReader> RequiredFields(std::string_view name) const;

 private:
  Error Missing(std::string_view name, std::string_view expected) const;
  Error WrongKind(std::string_view name, std::string_view expected) const;

  const Operation& operation_;
  const Dictionary& attributes_;
};

// Returns the declared type of a func.func, or null.
const FunctionType* TypeOfFunction(const Operation& function);
// Returns the HLO shape of a type, with Shape::kUnboundedSize for dimensions of unknown size. The elements of a
// quantized tensor are those of its storage type. Fails for types that HLO lacks, and for those that break a rule of
// quantized types.
Result<Shape> ShapeOf(const Operation& operation, const Type& type);
// Returns the elements of a constant. A splat has one element, of a scalar shape.
Result<Literal> LiteralOf(const Operation& operation, const DenseElements& elements);

}  // namespace assay::stablehlo
