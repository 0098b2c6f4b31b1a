// The shape of a value: an array's element type, dimensions and layout; a tuple of shapes; a token.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "interpreter/types/layout.h"
#include "interpreter/types/primitive_type.h"
#include "interpreter/types/result.h"

namespace assay {

using Dimensions = std::vector<std::int64_t>;

class Shape {
 public:
  // The size of an unbounded dynamic dimension, "?" in text.
  static constexpr std::int64_t kUnboundedSize = INT64_MIN;

  Shape() = default;
  // Makes a shape; an array has the default layout. `dynamic_dimensions` may be shorter than `dimensions`.
  Shape(PrimitiveType element_type, Dimensions dimensions, const std::vector<bool>& dynamic_dimensions);
  // Out of line: most files copy shapes, and inlining the copies would take a tenth of the build time of those files.
  Shape(const Shape&);
  Shape(Shape&&) noexcept = default;
  Shape& operator=(const Shape&);
  Shape& operator=(Shape&&) noexcept;
  ~Shape();

  PrimitiveType element_type() const { return element_type_; }
  void set_element_type(PrimitiveType type) { element_type_ = type; }

  bool IsArray() const { return IsArrayType(element_type_); }
  bool IsTuple() const { return element_type_ == TUPLE; }
  bool IsToken() const { return element_type_ == TOKEN; }
  bool IsOpaque() const { return element_type_ == OPAQUE_TYPE; }
  bool IsBuffer() const { return element_type_ == BUFFER; }
  bool IsScalar() const { return IsArray() && rank() == 0; }

  std::int64_t rank() const { return static_cast<std::int64_t>(parts_ == nullptr ? 0 : parts_->dimensions.size()); }
  // Returns the number of dimensions larger than 1.
  std::int64_t TrueRank() const;

  const Dimensions& dimensions() const { return parts().dimensions; }
  // Returns the size of one dimension (the bound of a dynamic one); 0 <= index < rank.
  std::int64_t dimensions(std::int64_t index) const { return parts_->dimensions[index]; }
  void set_dimensions(std::int64_t index, std::int64_t size) { mutable_parts().dimensions[index] = size; }
  void add_dimension(std::int64_t size, bool is_dynamic = false);
  void delete_dimension(std::int64_t index);

  bool is_dynamic_dimension(std::int64_t index) const {
    return !parts().dynamic_dimensions.empty() && parts().dynamic_dimensions[index];
  }
  void set_dynamic_dimension(std::int64_t index, bool is_dynamic);
  bool is_unbounded_dynamic_dimension(std::int64_t index) const { return dimensions(index) == kUnboundedSize; }
  // True if any dimension, or one of any tuple element, is dynamic.
  bool IsDynamic() const;
  bool IsUnboundedDynamic() const;
  bool IsFixedArray() const { return IsArray() && !IsDynamic(); }

  bool has_layout() const { return has_default_layout_ || parts().layout != nullptr; }
  // Returns the layout, which the shape must have.
  const Layout& layout() const;
  Layout& mutable_layout();
  void set_layout(Layout layout);
  // True if the layout is stored as the default one: the dimensions from the last to the first, and no other property.
  // A layout may equal the default one even if false.
  bool has_default_layout() const { return has_default_layout_; }
  void set_default_layout();
  void clear_layout();

  // Returns the elements of a tuple, or the one element of a buffer. Copies of a shape share them until one of them
  // writes.
  const std::vector<Shape>& tuple_shapes() const { return parts().tuple_shapes; }
  const Shape& tuple_shapes(std::int64_t index) const { return tuple_shapes()[index]; }
  std::vector<Shape>& mutable_tuple_shapes() { return mutable_parts().tuple_shapes; }
  bool SharesTupleShapes(const Shape& other) const { return !tuple_shapes().empty() && parts_ == other.parts_; }

  // True if everything is equal, layouts included.
  bool operator==(const Shape& other) const;

  // Returns the form of HLO text, with layouts: "f32[2,3]{1,0}", "(f32[], /*index=5*/...)".
  std::string ToString() const;
  // Returns the form without layouts: "f32[2,3]".
  std::string ToStringWithoutLayout() const;

 private:
  friend Shape MakeShapeOfKind(PrimitiveType kind, std::vector<Shape> elements);
  // Nearly all arrays are static and row-major: they have dimensions alone.
  struct Parts {
    Dimensions dimensions;
    std::vector<bool> dynamic_dimensions;  // empty: all are static
    std::shared_ptr<Layout> layout;        // not the default one; shared until a copy writes
    std::vector<Shape> tuple_shapes;
  };
  static const Parts& NoParts();
  const Parts& parts() const { return parts_ == nullptr ? NoParts() : *parts_; }
  // Copies the parts first if another shape shares them.
  Parts& mutable_parts();
  // Makes the default layout explicit before the dimensions change: a layout does not follow them.
  void KeepLayout();

  PrimitiveType element_type_ = PRIMITIVE_TYPE_INVALID;
  bool has_default_layout_ = false;
  std::shared_ptr<Parts> parts_;  // null for a scalar; copies share them until one of them writes
};

// The functions of XLA's ShapeUtil, with its names.
namespace ShapeUtil {

// Makes an array shape with the default layout. MakeShape(F32, {A, B}) lists dimension 0 first.
Shape MakeShape(PrimitiveType element_type, Dimensions dimensions);
Shape MakeShape(PrimitiveType element_type, Dimensions dimensions, const std::vector<bool>& dynamic_dimensions);
Shape MakeShapeWithLayout(PrimitiveType element_type, Dimensions dimensions, std::vector<std::int64_t> minor_to_major);
Shape MakeScalarShape(PrimitiveType element_type);
Shape MakeTupleShape(std::vector<Shape> elements);
Shape MakeTokenShape();
Shape MakeOpaqueShape();
Shape MakeBufferShape(Shape element);
// Returns the same shape with another element type and the same layout, except that a type of whole bytes drops a
// packed element size.
Shape ChangeElementType(Shape shape, PrimitiveType type);

// True for an array of a floating or complex type, and for a tuple with such an array at any depth.
bool HasInexactLeaf(const Shape& shape);

// Returns the number of elements of an array: 1 for a scalar, 0 if any dimension is 0. A dynamic dimension counts as
// its bound.
std::int64_t ElementsIn(const Shape& shape);
// Returns ElementsIn. Fails if the product does not fit 63 bits or a dimension is negative or unbounded.
Result<std::int64_t> CheckedElementsIn(const Shape& shape);
// Returns the bytes of the unpadded elements in memory, summed over a tuple.
Result<std::int64_t> CheckedByteSizeOf(const Shape& shape);

// Checks that a value can have the shape: dimensions are neither negative nor unbounded, element and byte counts fit 63
// bits, the layout fits the rank. Layout rules: minor_to_major is a permutation of 0..rank-1; padded_dimensions has one
// width per dimension, none below the dimension; tile sizes are positive; a tile's last dimension is not combined.
Status ValidateShape(const Shape& shape);

// True if element types and dimensions are equal at every leaf. Ignores layouts; a dynamic dimension counts as its
// bound.
bool Compatible(const Shape& lhs, const Shape& rhs);
bool CompatibleIgnoringElementType(const Shape& lhs, const Shape& rhs);
bool SameDimensions(const Shape& lhs, const Shape& rhs);
bool SameElementTypeIgnoringFpPrecision(const Shape& lhs, const Shape& rhs);

// Returns the number of dimensions larger than 1.
std::int64_t TrueRank(const Shape& shape);
// Returns the size of a dimension; negative numbers count from the end, -1 is the last (XLA, Shapes and Layout:
// dimension numbers).
Result<std::int64_t> GetDimension(const Shape& shape, std::int64_t dimension_number);
// Returns the non-negative number of a dimension that may be numbered from the end.
Result<std::int64_t> GetDimensionNumber(const Shape& shape, std::int64_t dimension_number);

// Returns the number of arrays and tokens at the leaves.
std::int64_t LeafCount(const Shape& shape);
// Returns the number of shapes: the shape itself and all inside it, each as often as it occurs. Stops counting beyond
// `most`.
std::int64_t PartCount(const Shape& shape, std::int64_t most);
// Returns the shape at an index path such as {1, 0}.
Result<Shape> GetSubshape(const Shape& shape, std::span<const std::int64_t> index);

}  // namespace ShapeUtil

// Parameters and result of a computation.
struct ProgramShape {
  std::vector<Shape> parameters;
  std::vector<std::string> parameter_names;
  Shape result;
};

}  // namespace assay
