#include "interpreter/types/shape.h"

#include <fmt/format.h>

#include <algorithm>

#include "interpreter/types/small_array.h"

namespace assay {
namespace {

// The default layouts up to this rank are shared; those of higher ranks are made on demand.
constexpr std::int64_t kMostSharedRank = 16;

}  // namespace

std::int64_t Shape::TrueRank() const {
  std::int64_t count = 0;
  for (std::int64_t size : dimensions()) count += size > 1;
  return count;
}

Shape::Shape(PrimitiveType element_type, Dimensions dimensions, const std::vector<bool>& dynamic_dimensions)
    : element_type_(element_type) {
  if (!dimensions.empty()) {
    parts_ = std::make_shared<Parts>();
    parts_->dimensions = std::move(dimensions);
  }
  for (std::int64_t i = 0; i < rank(); ++i) {
    const bool is_dynamic = i < std::ssize(dynamic_dimensions) && dynamic_dimensions[i];
    if (is_dynamic || is_unbounded_dynamic_dimension(i)) set_dynamic_dimension(i, true);
  }
  if (IsArray()) set_default_layout();
}

Shape::Shape(const Shape&) = default;
Shape& Shape::operator=(const Shape&) = default;
Shape& Shape::operator=(Shape&&) noexcept = default;
Shape::~Shape() = default;

const Shape::Parts& Shape::NoParts() {
  static const Parts kNone;
  return kNone;
}

Shape::Parts& Shape::mutable_parts() {
  if (parts_.use_count() != 1) parts_ = std::make_shared<Parts>(parts());
  return *parts_;
}

void Shape::add_dimension(std::int64_t size, bool is_dynamic) {
  KeepLayout();
  Parts& parts = mutable_parts();
  parts.dimensions.push_back(size);
  if (!parts.dynamic_dimensions.empty()) parts.dynamic_dimensions.push_back(false);
  set_dynamic_dimension(rank() - 1, is_dynamic || size == kUnboundedSize);
}

void Shape::delete_dimension(std::int64_t index) {
  KeepLayout();
  Parts& parts = mutable_parts();
  parts.dimensions.erase(parts.dimensions.begin() + index);
  if (!parts.dynamic_dimensions.empty()) parts.dynamic_dimensions.erase(parts.dynamic_dimensions.begin() + index);
}

void Shape::set_dynamic_dimension(std::int64_t index, bool is_dynamic) {
  if (is_dynamic == is_dynamic_dimension(index)) return;
  std::vector<bool>& flags = mutable_parts().dynamic_dimensions;
  flags.resize(dimensions().size());
  flags[index] = is_dynamic;
}

const Layout& Shape::layout() const {
  static const std::vector<Layout> kDefaultLayouts = [] {
    std::vector<Layout> layouts;
    for (std::int64_t rank = 0; rank <= kMostSharedRank; ++rank) {
      layouts.push_back(LayoutUtil::GetDefaultLayoutForRank(rank));
    }
    return layouts;
  }();
  return has_default_layout_ ? kDefaultLayouts[dimensions().size()] : *parts_->layout;
}

Layout& Shape::mutable_layout() {
  KeepLayout();
  std::shared_ptr<Layout>& layout = mutable_parts().layout;
  if (layout.use_count() != 1) layout = std::make_shared<Layout>(*layout);
  return *layout;
}

void Shape::set_layout(Layout layout) {
  clear_layout();
  has_default_layout_ = rank() <= kMostSharedRank && layout == LayoutUtil::GetDefaultLayoutForRank(rank());
  if (!has_default_layout_) mutable_parts().layout = std::make_shared<Layout>(std::move(layout));
}

void Shape::set_default_layout() {
  clear_layout();
  has_default_layout_ = rank() <= kMostSharedRank;
  if (!has_default_layout_) {
    mutable_parts().layout = std::make_shared<Layout>(LayoutUtil::GetDefaultLayoutForRank(rank()));
  }
}

void Shape::clear_layout() {
  has_default_layout_ = false;
  if (parts().layout != nullptr) mutable_parts().layout.reset();
}

void Shape::KeepLayout() {
  if (!has_default_layout_) return;
  mutable_parts().layout = std::make_shared<Layout>(layout());
  has_default_layout_ = false;
}

bool Shape::IsDynamic() const {
  const std::vector<bool>& flags = parts().dynamic_dimensions;
  return std::ranges::find(flags, true) != flags.end() || std::ranges::any_of(tuple_shapes(), &Shape::IsDynamic);
}

bool Shape::IsUnboundedDynamic() const {
  return std::ranges::find(dimensions(), kUnboundedSize) != dimensions().end() ||
         std::ranges::any_of(tuple_shapes(), &Shape::IsUnboundedDynamic);
}

bool Shape::operator==(const Shape& other) const {
  if (element_type_ != other.element_type_ || has_layout() != other.has_layout()) return false;
  if (parts_ == other.parts_ && has_default_layout_ == other.has_default_layout_) return true;
  if (dimensions() != other.dimensions()) return false;
  for (std::int64_t i = 0; i < rank(); ++i) {
    if (is_dynamic_dimension(i) != other.is_dynamic_dimension(i)) return false;
  }
  if (has_layout() && layout() != other.layout()) return false;
  return tuple_shapes() == other.tuple_shapes();
}

namespace {

void AppendShape(const Shape& shape, bool with_layout, std::string& text) {
  if (shape.IsTuple() || shape.IsBuffer()) {
    text += shape.IsBuffer() ? "b(" : "(";
    for (std::size_t i = 0; i < shape.tuple_shapes().size(); ++i) {
      if (i > 0) text += ", ";
      if (i > 0 && i % 5 == 0) text += fmt::format("/*index={}*/", i);
      AppendShape(shape.tuple_shapes(i), with_layout, text);
    }
    text += ")";
    return;
  }
  text += PrimitiveTypeName(shape.element_type());
  text += "[";
  for (std::int64_t i = 0; i < shape.rank(); ++i) {
    if (i > 0) text += ",";
    if (shape.is_unbounded_dynamic_dimension(i)) {
      text += "?";
    } else {
      if (shape.is_dynamic_dimension(i)) text += "<=";
      text += fmt::format_int(shape.dimensions(i)).str();
    }
  }
  text += "]";
  if (!with_layout || !shape.IsArray() || !shape.has_layout()) return;
  if (shape.rank() > 0 || shape.layout().has_properties()) text += LayoutUtil::ToString(shape.layout());
}

}  // namespace

std::string Shape::ToString() const {
  std::string text;
  AppendShape(*this, /*with_layout=*/true, text);
  return text;
}

std::string Shape::ToStringWithoutLayout() const {
  std::string text;
  AppendShape(*this, /*with_layout=*/false, text);
  return text;
}

Shape MakeShapeOfKind(PrimitiveType kind, std::vector<Shape> elements) {
  Shape shape;
  shape.element_type_ = kind;
  if (!elements.empty()) shape.mutable_parts().tuple_shapes = std::move(elements);
  return shape;
}

namespace ShapeUtil {

Shape MakeShape(PrimitiveType element_type, Dimensions dimensions) {
  return MakeShape(element_type, std::move(dimensions), {});
}

Shape MakeShape(PrimitiveType element_type, Dimensions dimensions, const std::vector<bool>& dynamic_dimensions) {
  return Shape(element_type, std::move(dimensions), dynamic_dimensions);
}

Shape MakeShapeWithLayout(PrimitiveType element_type, Dimensions dimensions, std::vector<std::int64_t> minor_to_major) {
  Shape shape = MakeShape(element_type, std::move(dimensions));
  shape.set_layout(LayoutUtil::MakeLayout(std::move(minor_to_major)));
  return shape;
}

Shape MakeScalarShape(PrimitiveType element_type) { return MakeShape(element_type, {}); }
Shape MakeTupleShape(std::vector<Shape> elements) { return MakeShapeOfKind(TUPLE, std::move(elements)); }
Shape MakeTokenShape() { return MakeShapeOfKind(TOKEN, {}); }
Shape MakeOpaqueShape() { return MakeShapeOfKind(OPAQUE_TYPE, {}); }
Shape MakeBufferShape(Shape element) {
  std::vector<Shape> elements;
  elements.push_back(std::move(element));
  return MakeShapeOfKind(BUFFER, std::move(elements));
}

Shape ChangeElementType(Shape shape, PrimitiveType type) {
  shape.set_element_type(type);
  // A packed element size, E(4), does not carry over to a type of whole bytes.
  const bool is_packed = shape.has_layout() && shape.layout().element_size_in_bits != 0;
  if (is_packed && BitWidth(type) >= 8) shape.mutable_layout().element_size_in_bits = 0;
  return shape;
}

std::int64_t ElementsIn(const Shape& shape) {
  // The other sizes of an empty array may have any product.
  if (std::ranges::count(shape.dimensions(), 0) > 0) return 0;
  std::int64_t count = 1;
  for (std::int64_t size : shape.dimensions()) count *= size;
  return count;
}

Result<std::int64_t> CheckedElementsIn(const Shape& shape) {
  std::int64_t count = 1;
  bool overflow = false, is_empty = false;
  for (std::int64_t i = 0; i < shape.rank(); ++i) {
    if (shape.dimensions(i) < 0) {
      return Error{ErrorCode::kIllegal,
                   fmt::format("{} has a dimension without a size: dimension {}", shape.ToStringWithoutLayout(), i)};
    }
    is_empty |= shape.dimensions(i) == 0;
    overflow |= __builtin_mul_overflow(count, shape.dimensions(i), &count);
  }
  if (is_empty) return std::int64_t{0};
  if (overflow) {
    return Error{ErrorCode::kLimit,
                 fmt::format("the number of elements of {} does not fit 63 bits", shape.ToStringWithoutLayout())};
  }
  return count;
}

bool HasInexactLeaf(const Shape& shape) {
  if (shape.IsTuple()) return std::ranges::any_of(shape.tuple_shapes(), HasInexactLeaf);
  return IsInexactType(shape.element_type());
}

Result<std::int64_t> CheckedByteSizeOf(const Shape& shape) {
  if (IsSmallArray(shape)) return ElementsIn(shape) * StorageBytes(shape.element_type());
  std::int64_t total = 0;
  if (shape.IsArray()) {
    ASSAY_TRY(total, CheckedElementsIn(shape));
    if (!__builtin_mul_overflow(total, std::int64_t{StorageBytes(shape.element_type())}, &total)) return total;
  } else {
    bool overflow = false;
    for (const Shape& element : shape.tuple_shapes()) {
      ASSAY_TRY(const std::int64_t bytes, CheckedByteSizeOf(element));
      overflow |= __builtin_add_overflow(total, bytes, &total);
    }
    if (!overflow) return total;
  }
  return Error{ErrorCode::kLimit,
               fmt::format("the byte size of {} does not fit 63 bits", shape.ToStringWithoutLayout())};
}

bool SameDimensions(const Shape& lhs, const Shape& rhs) {
  if (lhs.rank() != rhs.rank()) return false;
  for (std::int64_t i = 0; i < lhs.rank(); ++i) {
    const bool unbounded = lhs.is_unbounded_dynamic_dimension(i) || rhs.is_unbounded_dynamic_dimension(i);
    if (!unbounded && lhs.dimensions(i) != rhs.dimensions(i)) return false;
  }
  return true;
}

bool SameElementTypeIgnoringFpPrecision(const Shape& lhs, const Shape& rhs) {
  return lhs.element_type() == rhs.element_type() ||
         (IsFloatingPointType(lhs.element_type()) && IsFloatingPointType(rhs.element_type()));
}

namespace {

template <class SameType>
bool CompatibleWith(const Shape& lhs, const Shape& rhs, SameType same_type) {
  if (lhs.IsArray() != rhs.IsArray()) return false;
  if (lhs.IsArray()) return same_type(lhs, rhs) && SameDimensions(lhs, rhs);
  if (lhs.SharesTupleShapes(rhs) && lhs.element_type() == rhs.element_type()) return true;
  if (lhs.element_type() != rhs.element_type() || lhs.tuple_shapes().size() != rhs.tuple_shapes().size()) return false;
  for (std::size_t i = 0; i < lhs.tuple_shapes().size(); ++i) {
    if (!CompatibleWith(lhs.tuple_shapes(i), rhs.tuple_shapes(i), same_type)) return false;
  }
  return true;
}

}  // namespace

bool Compatible(const Shape& lhs, const Shape& rhs) {
  return CompatibleWith(lhs, rhs, [](const Shape& a, const Shape& b) { return a.element_type() == b.element_type(); });
}
bool CompatibleIgnoringElementType(const Shape& lhs, const Shape& rhs) {
  return CompatibleWith(lhs, rhs, [](const Shape&, const Shape&) { return true; });
}

std::int64_t TrueRank(const Shape& shape) { return shape.TrueRank(); }

Result<std::int64_t> GetDimensionNumber(const Shape& shape, std::int64_t dimension_number) {
  const std::int64_t number = dimension_number < 0 ? dimension_number + shape.rank() : dimension_number;
  if (number < 0 || number >= shape.rank()) {
    return Error{ErrorCode::kUsage, fmt::format("dimension number {} is outside [{}, {}) of {}", dimension_number,
                                                -shape.rank(), shape.rank(), shape.ToStringWithoutLayout())};
  }
  return number;
}

Result<std::int64_t> GetDimension(const Shape& shape, std::int64_t dimension_number) {
  ASSAY_TRY(const std::int64_t number, GetDimensionNumber(shape, dimension_number));
  return shape.dimensions(number);
}

std::int64_t LeafCount(const Shape& shape) {
  if (!shape.IsTuple()) return 1;
  std::int64_t count = 0;
  for (const Shape& element : shape.tuple_shapes()) count += LeafCount(element);
  return count;
}

std::int64_t PartCount(const Shape& shape, std::int64_t most) {
  std::int64_t count = 1;
  for (const Shape& element : shape.tuple_shapes()) {
    if (count >= most) return most;
    count += PartCount(element, most - count);
  }
  return count;
}

Result<Shape> GetSubshape(const Shape& shape, std::span<const std::int64_t> index) {
  const Shape* current = &shape;
  for (std::int64_t i : index) {
    if (!current->IsTuple() || i < 0 || i >= static_cast<std::int64_t>(current->tuple_shapes().size())) {
      return Error{ErrorCode::kUsage, fmt::format("{} has no element {}", current->ToStringWithoutLayout(), i)};
    }
    current = &current->tuple_shapes(i);
  }
  return *current;
}

}  // namespace ShapeUtil
}  // namespace assay
