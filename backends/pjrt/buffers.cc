#include "backends/pjrt/buffers.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <string>

#include "backends/pjrt/buffer_types.h"
#include "backends/pjrt/compile_options.h"
#include "interpreter/proto/values.h"

namespace assay::pjrt {
namespace {

PJRT_Buffer_MemoryLayout LayoutForPlugin(const std::vector<std::int64_t>& minor_to_major) {
  PJRT_Buffer_MemoryLayout layout;
  layout.type = PJRT_Buffer_MemoryLayout_Type_Tiled;
  layout.tiled.minor_to_major = minor_to_major.data();
  layout.tiled.minor_to_major_size = minor_to_major.size();
  return layout;
}

// More dimensions than an array has; a list of so many is not read.
constexpr std::size_t kTooManyDimensions = 1 << 10;

Error WrongBuffer(const Shape& shape, const std::string& found) {
  return {ErrorCode::kBackend,
          fmt::format("the plugin's result is no value of the module's shape: expected {}, found {}",
                      shape.ToStringWithoutLayout(), found)};
}

struct BufferShape {
  PJRT_Buffer_Type type;
  std::span<const std::int64_t> dimensions;
};

// Returns the element type and the dimensions that the plugin reports for a buffer. The error for impossible dimensions
// describes them.
Result<BufferShape> DescribeBuffer(const Host& host, PJRT_Buffer* buffer) {
  PJRT_Buffer_ElementType_Args type = {.buffer = buffer};
  ASSAY_CHECK_OK(ASSAY_PJRT_CALL(host.plugin, PJRT_Buffer_ElementType, type));
  PJRT_Buffer_Dimensions_Args dimensions = {.buffer = buffer};
  ASSAY_CHECK_OK(ASSAY_PJRT_CALL(host.plugin, PJRT_Buffer_Dimensions, dimensions));
  if (dimensions.num_dims >= kTooManyDimensions || (dimensions.num_dims > 0 && dimensions.dims == nullptr)) {
    return Error{ErrorCode::kBackend, fmt::format("{} dimensions{}", dimensions.num_dims,
                                                  dimensions.dims == nullptr ? " without an address" : "")};
  }
  return BufferShape{type.type, {dimensions.dims, dimensions.num_dims}};
}

// kBackend unless the plugin says that the buffer has the type and the dimensions of the shape.
Status CheckBuffer(const Host& host, PJRT_Buffer* buffer, const Shape& shape) {
  const Result<BufferShape> found = DescribeBuffer(host, buffer);
  if (!found)
    return found.error().code == ErrorCode::kBackend ? WrongBuffer(shape, found.error().message) : found.error();
  const PJRT_Buffer_Type expected = BufferTypeOf(shape.element_type());
  if (found->type == expected && std::ranges::equal(found->dimensions, shape.dimensions())) return {};
  return WrongBuffer(shape, fmt::format("{}[{}]", NameOf(found->type), fmt::join(found->dimensions, ",")));
}

// The order in which a buffer of this rank holds its elements.
Result<std::vector<std::int64_t>> MinorToMajorOf(const Host& host, PJRT_Buffer* buffer, std::int64_t rank) {
  PJRT_Buffer_GetMemoryLayout_Args args = {.buffer = buffer};
  ASSAY_CHECK_OK(ASSAY_PJRT_CALL(host.plugin, PJRT_Buffer_GetMemoryLayout, args));
  if (args.layout.type != PJRT_Buffer_MemoryLayout_Type_Tiled) {
    return Error{ErrorCode::kUnsupported, "the plugin has buffers with a layout of byte strides"};
  }
  const std::int64_t* const first = args.layout.tiled.minor_to_major;
  const std::size_t size = args.layout.tiled.minor_to_major_size;
  if (size != static_cast<std::size_t>(rank) || (size > 0 && first == nullptr)) {
    return Error{ErrorCode::kBackend,
                 fmt::format("the layout of the plugin's buffer must have {} dimensions, found {}", rank, size)};
  }
  std::vector<std::int64_t> order(first, first + size);
  std::vector<std::int64_t> sorted = order;
  std::ranges::sort(sorted);
  for (std::int64_t i = 0; i < rank; ++i) {
    if (sorted[static_cast<std::size_t>(i)] == i) continue;
    return Error{
        ErrorCode::kBackend,
        fmt::format("the layout {{{}}} of the plugin's buffer is no order of its dimensions", fmt::join(order, ","))};
  }
  return order;
}

}  // namespace

Result<Owned<PJRT_Buffer>> CopyToDevice(const Host& host, const Literal& array, const Shape& shape,
                                        PJRT_Device* device) {
  static constexpr std::byte kNothing{};
  PJRT_Client_BufferFromHostBuffer_Args args;
  args.client = host.client;
  args.type = BufferTypeOf(array.element_type());
  args.data = array.data() == nullptr ? &kNothing : array.data();
  args.dims = array.shape().dimensions().data();
  args.num_dims = array.shape().dimensions().size();
  args.host_buffer_semantics = PJRT_HostBufferSemantics_kImmutableOnlyDuringCall;
  args.device = device;
  PJRT_Buffer_MemoryLayout layout;
  if (!IsRowMajor(shape)) {
    layout = LayoutForPlugin(shape.layout().minor_to_major);
    args.device_layout = &layout;
  }
  ASSAY_CHECK_OK(ASSAY_PJRT_CALL(host.plugin, PJRT_Client_BufferFromHostBuffer, args));
  Owned<PJRT_Buffer> buffer(args.buffer, Destroyer{&host.plugin});
  ASSAY_CHECK_OK(Await(host.plugin, args.done_with_host_buffer));
  if (buffer == nullptr) return Error{ErrorCode::kBackend, "PJRT_Client_BufferFromHostBuffer gave no buffer"};
  if (IsRowMajor(shape)) return buffer;
  // There are plugins that pass over the layout, or name it and have another. The executable would read the elements in
  // the wrong order.
  ASSAY_TRY(const std::vector<std::int64_t> found, MinorToMajorOf(host, buffer.get(), shape.rank()));
  ASSAY_TRY(const Literal back, CopyToHost(host, buffer.get(), shape));
  if (found == shape.layout().minor_to_major && back.BitwiseEqual(array)) return buffer;
  return Error{ErrorCode::kUnsupported,
               "the plugin passes over the layout of a buffer from the host: " + shape.ToString()};
}

Result<Literal> CopyToHost(const Host& host, PJRT_Buffer* buffer, const Shape& shape) {
  if (buffer == nullptr) return WrongBuffer(shape, "no buffer");
  ASSAY_CHECK_OK(CheckBuffer(host, buffer, shape));
  // The elements are asked for in the order that they have: there are plugins that cannot transpose.
  Shape stored = shape;
  stored.set_default_layout();
  if (!IsRowMajor(shape)) {
    ASSAY_TRY(std::vector<std::int64_t> found, MinorToMajorOf(host, buffer, shape.rank()));
    stored.set_layout(LayoutUtil::MakeLayout(std::move(found)));
  }
  PJRT_Buffer_MemoryLayout layout = LayoutForPlugin(stored.layout().minor_to_major);
  PJRT_Buffer_ToHostBuffer_Args args = {.src = buffer, .host_layout = &layout};
  // Without a place to copy to, the call says how many bytes there are.
  ASSAY_CHECK_OK(ASSAY_PJRT_CALL(host.plugin, PJRT_Buffer_ToHostBuffer, args));
  const auto bytes = static_cast<std::size_t>(ShapeUtil::ElementsIn(shape) * StorageBytes(shape.element_type()));
  if (args.dst_size != bytes) return WrongBuffer(shape, fmt::format("{} bytes instead of {}", args.dst_size, bytes));
  std::string data(bytes, '\0');
  args.dst = data.data();
  ASSAY_CHECK_OK(ASSAY_PJRT_CALL(host.plugin, PJRT_Buffer_ToHostBuffer, args));
  ASSAY_CHECK_OK(Await(host.plugin, args.event));
  return proto::LiteralOfBytes(stored, data, /*is_packed=*/false);
}

Result<Shape> ShapeOf(const Host& host, PJRT_Buffer* buffer) {
  ASSAY_TRY(const BufferShape found, DescribeBuffer(host, buffer));
  const PrimitiveType type = PrimitiveTypeOf(found.type);
  if (type == PRIMITIVE_TYPE_INVALID) {
    return Error{ErrorCode::kUnsupported, fmt::format("a buffer of {}", NameOf(found.type))};
  }
  Shape shape = ShapeUtil::MakeShape(type, Dimensions(found.dimensions.begin(), found.dimensions.end()));
  ASSAY_CHECK_OK(ShapeUtil::CheckedByteSizeOf(shape));
  if (Result<std::vector<std::int64_t>> order = MinorToMajorOf(host, buffer, shape.rank())) {
    shape.set_layout(LayoutUtil::MakeLayout(*std::move(order)));
  }
  return shape;
}

}  // namespace assay::pjrt
