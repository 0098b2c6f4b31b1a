#include <fmt/format.h>

#include <algorithm>

#include "interpreter/proto/values.h"

namespace assay::proto {
namespace {

constexpr std::size_t kMostDimensions = 1000;

Error WrongShape(std::string message) { return {ErrorCode::kParse, "the shape: " + std::move(message)}; }

Result<PrimitiveType> ReadLayoutType(const Message& layout, const Field& field) {
  ASSAY_TRY(const PrimitiveType type, TypeOfNumber(layout.Integer(field)));
  if (type == PRIMITIVE_TYPE_INVALID || IsUnsignedIntegralType(type)) return type;
  return WrongShape(fmt::format("{} must be an unsigned integer type, found {}", field.name, PrimitiveTypeName(type)));
}

Result<Layout> ReadLayout(const Message& message, std::int64_t rank) {
  Layout layout;
  layout.minor_to_major = message.Integers(fields::LayoutProto::minor_to_major);
  if (std::ssize(layout.minor_to_major) != rank) {
    return WrongShape(
        fmt::format("the layout must list {} dimension(s), found {}", rank, layout.minor_to_major.size()));
  }
  for (const Message& tile : message.Messages(fields::LayoutProto::tiles)) {
    layout.tiles.push_back({tile.Integers(fields::TileProto::dimensions)});
  }
  // The field is absent in messages that are older than it.
  layout.tail_padding_alignment_in_elements =
      std::max<std::int64_t>(message.Integer(fields::LayoutProto::tail_padding_alignment_in_elements), 1);
  ASSAY_TRY(layout.index_primitive_type, ReadLayoutType(message, fields::LayoutProto::index_primitive_type));
  ASSAY_TRY(layout.pointer_primitive_type, ReadLayoutType(message, fields::LayoutProto::pointer_primitive_type));
  layout.element_size_in_bits = message.Integer(fields::LayoutProto::element_size_in_bits);
  layout.memory_space = message.Integer(fields::LayoutProto::memory_space);
  for (const Message& config : message.Messages(fields::LayoutProto::split_configs)) {
    layout.split_configs.push_back({config.Integer(fields::SplitConfigProto::dimension),
                                    config.Integers(fields::SplitConfigProto::split_indices)});
  }
  layout.dynamic_shape_metadata_prefix_bytes =
      message.Integer(fields::LayoutProto::dynamic_shape_metadata_prefix_bytes);
  return layout;
}

bool IsRowMajor(const Layout& layout) {
  return !layout.has_properties() && LayoutUtil::IsMonotonicWithDim0Major(layout);
}

Result<Shape> ReadArrayShape(const Message& message, PrimitiveType type) {
  Dimensions sizes = message.Integers(fields::ShapeProto::dimensions);
  if (sizes.size() > kMostDimensions) return WrongShape(fmt::format("more than {} dimensions", kMostDimensions));
  std::vector<bool> is_dynamic(sizes.size(), false);
  std::size_t flags = 0;
  message.ForEachInteger(fields::ShapeProto::is_dynamic_dimension, [&](std::uint64_t flag) {
    if (flags < is_dynamic.size()) is_dynamic[flags++] = flag != 0;
  });
  for (std::size_t d = 0; d < sizes.size(); ++d) {
    if (sizes[d] == Shape::kUnboundedSize) is_dynamic[d] = true;
    if (sizes[d] < 0 && sizes[d] != Shape::kUnboundedSize) {
      return WrongShape(fmt::format("the size of dimension {} must not be negative, found {}", d, sizes[d]));
    }
  }
  Shape shape(type, std::move(sizes), is_dynamic);
  if (!message.Has(fields::ShapeProto::layout)) return shape;
  ASSAY_TRY(Layout layout, ReadLayout(message.Sub(fields::ShapeProto::layout), shape.rank()));
  if (!IsRowMajor(layout)) shape.set_layout(std::move(layout));
  return shape;
}

MessageWriter WriteLayout(const Layout& layout) {
  MessageWriter message;
  message.Integers(fields::LayoutProto::minor_to_major, layout.minor_to_major);
  for (const Tile& tile : layout.tiles) {
    MessageWriter dimensions;
    dimensions.Integers(fields::TileProto::dimensions, tile.dimensions);
    message.Sub(fields::LayoutProto::tiles, dimensions);
  }
  message.Integer(fields::LayoutProto::element_size_in_bits, layout.element_size_in_bits);
  message.Integer(fields::LayoutProto::memory_space, layout.memory_space);
  message.Integer(fields::LayoutProto::index_primitive_type, layout.index_primitive_type);
  message.Integer(fields::LayoutProto::pointer_primitive_type, layout.pointer_primitive_type);
  message.Integer(fields::LayoutProto::dynamic_shape_metadata_prefix_bytes, layout.dynamic_shape_metadata_prefix_bytes);
  message.Integer(fields::LayoutProto::tail_padding_alignment_in_elements, layout.tail_padding_alignment_in_elements);
  for (const SplitConfig& config : layout.split_configs) {
    MessageWriter split;
    split.Integer(fields::SplitConfigProto::dimension, config.dimension);
    split.Integers(fields::SplitConfigProto::split_indices, config.split_indices);
    message.Sub(fields::LayoutProto::split_configs, split);
  }
  return message;
}

}  // namespace

Result<PrimitiveType> TypeOfNumber(std::int64_t number) {
  if (number >= 0 && number < kPrimitiveTypeCount) return static_cast<PrimitiveType>(number);
  return Error{ErrorCode::kParse,
               fmt::format("there is no element type {}: expected a number below {}", number, kPrimitiveTypeCount)};
}

Result<Shape> ReadShape(const Message& message) {
  ASSAY_TRY(const PrimitiveType type, TypeOfNumber(message.Integer(fields::ShapeProto::element_type)));
  if (IsArrayType(type)) return ReadArrayShape(message, type);
  if (type != TUPLE && type != BUFFER) {
    if (type == PRIMITIVE_TYPE_INVALID) return WrongShape("it has no element type");
    Shape shape;
    shape.set_element_type(type);
    return shape;
  }
  std::vector<Shape> elements;
  for (const std::string_view bytes : message.Texts(fields::ShapeProto::tuple_shapes)) {
    ASSAY_TRY(elements.emplace_back(), ReadShape(Message(bytes)));
  }
  if (type == TUPLE) return ShapeUtil::MakeTupleShape(std::move(elements));
  if (elements.size() == 1) return ShapeUtil::MakeBufferShape(std::move(elements[0]));
  return WrongShape(fmt::format("a buffer must hold one shape, found {}", elements.size()));
}

MessageWriter WriteShape(const Shape& shape) {
  MessageWriter message;
  message.Integer(fields::ShapeProto::element_type, shape.element_type());
  message.Integers(fields::ShapeProto::dimensions, shape.dimensions());
  for (const Shape& element : shape.tuple_shapes()) message.Sub(fields::ShapeProto::tuple_shapes, WriteShape(element));
  if (shape.IsArray() && shape.has_layout()) message.Sub(fields::ShapeProto::layout, WriteLayout(shape.layout()));
  std::vector<std::int64_t> is_dynamic;
  for (std::int64_t d = 0; d < shape.rank(); ++d) is_dynamic.push_back(shape.is_dynamic_dimension(d) ? 1 : 0);
  message.Integers(fields::ShapeProto::is_dynamic_dimension, is_dynamic);
  return message;
}

}  // namespace assay::proto
