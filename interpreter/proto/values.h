// Shapes and literals as messages.
#pragma once

#include "interpreter/proto/message.h"
#include "interpreter/types/literal.h"
#include "interpreter/types/result.h"
#include "interpreter/types/shape.h"

namespace assay::proto {

// Reads a ShapeProto. An array without a layout has the default one. Dimension level types and physical shapes are
// skipped. Errors (kParse) say what is wrong in the shape; the caller adds the place.
Result<Shape> ReadShape(const Message& message);
MessageWriter WriteShape(const Shape& shape);

// Reads a LiteralProto, whose elements are in the order of its layout, as a literal of its shape. The number of
// elements is checked against the available bytes before memory is allocated.
Result<Literal> ReadLiteral(const Message& message);
MessageWriter WriteLiteral(const Literal& literal);

// Returns the type with a number of xla_data.proto. Fails for other numbers.
Result<PrimitiveType> TypeOfNumber(std::int64_t number);

// Returns an array of `shape` from the elements in `stored`, in the order of the shape's layout: each in StorageBytes,
// or densely packed if the type is narrower than a byte and `is_packed`. Bits above a narrow type's own are ignored.
Result<Literal> LiteralOfBytes(const Shape& shape, std::string_view stored, bool is_packed);

}  // namespace assay::proto
