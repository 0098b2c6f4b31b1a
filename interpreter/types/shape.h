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
  // With the default layout where it is an array's. `dynamic_dimensions` may be shorter.
  Shape(PrimitiveType element_type, Dimensions dimensions, const std::vector<bool>& dynamic_dimensions);
  // Out of line: most files copy shapes, and inlining these there would take a tenth of their build time.
  Shape(const Shape&);
  Shape(Shape&&) noexcept;
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
  bool IsScalar() const { return IsArray() && dimensions_.empty(); }

  // Number of dimensions.
  std::int64_t rank() const { return static_cast<std::int64_t>(dimensions_.size()); }
  // Number of dimensions larger than 1 (seed 003).
  std::int64_t TrueRank() const;

  const Dimensions& dimensions() const { return dimensions_; }
  // The size (for a dynamic dimension the bound) of one dimension, 0 <= index < rank.
  std::int64_t dimensions(std::int64_t index) const { return dimensions_[index]; }
  void set_dimensions(std::int64_t index, std::int64_t size) { dimensions_[index] = size; }
  void add_dimension(std::int64_t size, bool is_dynamic = false);
  void delete_dimension(std::int64_t index);

  bool is_dynamic_dimension(std::int64_t index) const {
    return !dynamic_dimensions_.empty() && dynamic_dimensions_[index];
  }
  void set_dynamic_dimension(std::int64_t index, bool is_dynamic);
  bool is_unbounded_dynamic_dimension(std::int64_t index) const { return dimensions_[index] == kUnboundedSize; }
  // Whether any dimension, in a tuple of any element, is dynamic.
  bool IsDynamic() const;
  bool IsUnboundedDynamic() const;
  bool IsFixedArray() const { return IsArray() && !IsDynamic(); }

  bool has_layout() const { return has_default_layout_ || layout_ != nullptr; }
  // Of a shape that has one.
  const Layout& layout() const;
  Layout& mutable_layout();
  void set_layout(Layout layout);
  // True: the layout is the dimensions from the last to the first, without another property. False says nothing.
  bool has_default_layout() const { return has_default_layout_; }
  void set_default_layout();
  void clear_layout();

  // Elements of a tuple; the one element of a buffer. Copies of a shape share them until one of them writes.
  const std::vector<Shape>& tuple_shapes() const;
  const Shape& tuple_shapes(std::int64_t index) const { return tuple_shapes()[index]; }
  std::vector<Shape>& mutable_tuple_shapes();
  bool SharesTupleShapes(const Shape& other) const {
    return tuple_shapes_ != nullptr && tuple_shapes_ == other.tuple_shapes_;
  }

  // Everything equal, layouts included.
  bool operator==(const Shape& other) const;

  // With layout, "f32[2,3]{1,0}", "(f32[], /*index=5*/...)": the form of HLO text.
  std::string ToString() const;
  // Without layouts: "f32[2,3]".
  std::string ToStringWithoutLayout() const;

 private:
  friend Shape MakeShapeOfKind(PrimitiveType kind, std::vector<Shape> elements);
  // Before the dimensions change: a layout does not follow them.
  void KeepLayout();

  // Nearly all shapes are fixed and row-major: these are copied without a layout and without flags.
  PrimitiveType element_type_ = PRIMITIVE_TYPE_INVALID;
  bool has_default_layout_ = false;
  Dimensions dimensions_;
  std::vector<bool> dynamic_dimensions_;              // empty: none is dynamic
  std::shared_ptr<Layout> layout_;                    // any other one; shared until somebody writes
  std::shared_ptr<std::vector<Shape>> tuple_shapes_;  // null: none
};

// The functions of XLA's ShapeUtil, with its names.
namespace ShapeUtil {

// An array shape with the default layout. MakeShape(F32, {A, B}) lists dimension 0 first.
Shape MakeShape(PrimitiveType element_type, Dimensions dimensions);
Shape MakeShape(PrimitiveType element_type, Dimensions dimensions, const std::vector<bool>& dynamic_dimensions);
Shape MakeShapeWithLayout(PrimitiveType element_type, Dimensions dimensions, std::vector<std::int64_t> minor_to_major);
Shape MakeScalarShape(PrimitiveType element_type);
Shape MakeTupleShape(std::vector<Shape> elements);
Shape MakeTokenShape();
Shape MakeOpaqueShape();
Shape MakeBufferShape(Shape element);
// The same shape with another element type; the layout stays.
Shape ChangeElementType(Shape shape, PrimitiveType type);

// True for an array of a floating or complex type, and for a tuple with such an array at any depth.
bool HasInexactLeaf(const Shape& shape);

// Number of elements of an array; 1 for a scalar, 0 as soon as one dimension is 0. Bounds count for dynamic dimensions.
std::int64_t ElementsIn(const Shape& shape);
// As ElementsIn, but an error when the product does not fit 63 bits or a dimension is negative or unbounded.
Result<std::int64_t> CheckedElementsIn(const Shape& shape);
// Bytes of the unpadded elements in memory, tuples summed.
Result<std::int64_t> CheckedByteSizeOf(const Shape& shape);

// Whether the shape is one that a value can have: dimensions not negative, element and byte counts that fit 63 bits,
// a layout that fits the rank. Layout rules: minor_to_major is a permutation of 0..rank-1; padded_dimensions has one
// width a dimension, none below the dimension; tiles are positive, a combined dimension is not a tile's last. An
// unbounded dimension is an error too.
Status ValidateShape(const Shape& shape);

// Same element types and dimensions all through; layouts ignored, a dynamic dimension counts as its bound.
bool Compatible(const Shape& lhs, const Shape& rhs);
bool CompatibleIgnoringElementType(const Shape& lhs, const Shape& rhs);
bool SameDimensions(const Shape& lhs, const Shape& rhs);
bool SameElementTypeIgnoringFpPrecision(const Shape& lhs, const Shape& rhs);

// Number of dimensions larger than 1 (seed 003).
std::int64_t TrueRank(const Shape& shape);
// The size of a dimension; negative numbers count from the end, -1 is the last (seed 003).
Result<std::int64_t> GetDimension(const Shape& shape, std::int64_t dimension_number);
// The non-negative number of a dimension given like that.
Result<std::int64_t> GetDimensionNumber(const Shape& shape, std::int64_t dimension_number);

// Number of arrays and tokens at the leaves.
std::int64_t LeafCount(const Shape& shape);
// Number of shapes, the shape itself and all inside it, each as often as it occurs; not counted beyond `most`.
std::int64_t PartCount(const Shape& shape, std::int64_t most);
// The shape at an index path such as {1, 0}.
Result<Shape> GetSubshape(const Shape& shape, std::span<const std::int64_t> index);

}  // namespace ShapeUtil

// Parameters and result of a computation.
struct ProgramShape {
  std::vector<Shape> parameters;
  std::vector<std::string> parameter_names;
  Shape result;
};

}  // namespace assay
