// Shapes and literals as messages.
#pragma once

#include "interpreter/proto/message.h"
#include "interpreter/types/literal.h"
#include "interpreter/types/result.h"
#include "interpreter/types/shape.h"

namespace assay::proto {

// Reads a ShapeProto. An array without a layout gets the default one. Dimension level types and physical shapes are
// skipped. Errors (kParse) say what is wrong in the shape; the caller names the place.
Result<Shape> ReadShape(const Message& message);
MessageWriter WriteShape(const Shape& shape);

// Reads a LiteralProto, whose elements stand in the order of its layout, as a literal of its shape. The number of
// elements is checked against the bytes that are there before any memory is taken.
Result<Literal> ReadLiteral(const Message& message);
MessageWriter WriteLiteral(const Literal& literal);

// The type with a number of xla_data.proto; an error for a number that none has.
Result<PrimitiveType> TypeOfNumber(std::int64_t number);

// The elements of an array of `shape` from `stored`, which has them in the order of the shape's layout: each in
// StorageBytes, or densely packed if the type is narrower than a byte and `is_packed`. Bits above a narrow type's own
// are ignored.
Result<Literal> LiteralOfBytes(const Shape& shape, std::string_view stored, bool is_packed);

}  // namespace assay::proto
