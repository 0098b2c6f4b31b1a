// Buffers: arrays on a device. The plugin computes on the host, so the host reads them in place.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "backends/pjrt/buffer_types.h"
#include "backends/pjrt/device/functions.h"
#include "backends/pjrt/device/objects.h"
#include "backends/pjrt/device/strided_copy.h"
#include "interpreter/proto/values.h"

namespace assay::pjrt {
namespace {

PJRT_Memory& MemoryOf(PJRT_Client& client, PJRT_Device* device, PJRT_Memory* memory) {
  if (memory != nullptr) return *memory;
  return *(device == nullptr ? client.device_pointers[0] : device)->memory_pointers[0];
}

// Returns the order of a tiled layout, which must have no tiles.
Result<ElementOrder> TiledOrderOf(const Shape& shape, const PJRT_Buffer_MemoryLayout& layout) {
  if (layout.type != PJRT_Buffer_MemoryLayout_Type_Tiled) {
    return Error{ErrorCode::kUnsupported, "the layout of a buffer must be an order of dimensions, found strides"};
  }
  const auto rank = static_cast<std::size_t>(shape.rank());
  const std::span order(layout.tiled.minor_to_major, layout.tiled.minor_to_major_size);
  std::vector<bool> seen(rank);
  for (const std::int64_t dimension : order) {
    if (dimension >= 0 && dimension < shape.rank()) seen[static_cast<std::size_t>(dimension)] = true;
  }
  if (order.size() != rank || std::ranges::count(seen, false) > 0) {
    return Error{ErrorCode::kInput, fmt::format("minor_to_major must list {} dimensions", rank)};
  }
  if (layout.tiled.num_tiles > 0) return Error{ErrorCode::kUnsupported, "assay has no layouts with tiles"};
  return ElementOrder(order.begin(), order.end());
}

// Returns the order of a buffer's layout; null is row-major.
Result<ElementOrder> OrderOnDevice(const Shape& shape, const PJRT_Buffer_MemoryLayout* layout) {
  if (layout == nullptr) return ElementOrder();
  return TiledOrderOf(shape, *layout);
}

// Returns the byte strides of a layout on the host; null is row-major.
Result<Dimensions> StridesOnHost(const Shape& shape, const PJRT_Buffer_MemoryLayout* layout) {
  const std::int64_t bytes = StorageBytes(shape.element_type());
  if (layout == nullptr) return RowMajorByteStrides(shape.dimensions(), bytes);
  const auto rank = static_cast<std::size_t>(shape.rank());
  if (layout->type == PJRT_Buffer_MemoryLayout_Type_Strides) {
    // The other member of the union: a pointer to strides and their number.
    if (layout->tiled.minor_to_major_size != rank) {
      return Error{ErrorCode::kInput, fmt::format("the layout must have {} strides", rank)};
    }
    return Dimensions(layout->tiled.minor_to_major, layout->tiled.minor_to_major + rank);
  }
  ASSAY_TRY(const ElementOrder order, TiledOrderOf(shape, *layout));
  return ByteStrides(shape.dimensions(), bytes, order);
}

// Returns the array with its elements in another order in memory.
Literal Reordered(const Literal& array, const ElementOrder& from, const ElementOrder& to) {
  if (from == to || !array.shape().IsArray()) return array;
  const Dimensions& sizes = array.shape().dimensions();
  const std::int64_t bytes = StorageBytes(array.element_type());
  Literal reordered = Literal::Uninitialized(array.shape());
  CopyStrided(sizes, bytes, array.data(), ByteStrides(sizes, bytes, from), reordered.mutable_data(),
              ByteStrides(sizes, bytes, to));
  return reordered;
}

// Copies an array of these byte strides from the host. Elements of less than a byte may have anything in the unused
// bits.
Result<Literal> CopyFromHost(Literal literal, const void* data, std::span<const std::int64_t> strides) {
  const Shape& shape = literal.shape();
  const std::int64_t bytes = StorageBytes(shape.element_type());
  CopyStrided(shape.dimensions(), bytes, static_cast<const std::byte*>(data), strides, literal.mutable_data(),
              RowMajorByteStrides(shape.dimensions(), bytes));
  if (BitWidth(shape.element_type()) >= 8) return literal;
  const std::string_view stored(reinterpret_cast<const char*>(literal.data()),
                                static_cast<std::size_t>(literal.byte_size()));
  return proto::LiteralOfBytes(shape, stored, /*is_packed=*/false);
}

ElementOrder RowMajorOrder(const Shape& shape) { return OrderOrRowMajor({}, shape.rank()); }

}  // namespace

Result<Literal> NewArray(PJRT_Buffer_Type type, const std::int64_t* dimensions, std::size_t rank) {
  const PrimitiveType element = PrimitiveTypeOf(type);
  if (element == PRIMITIVE_TYPE_INVALID) {
    return Error{ErrorCode::kUnsupported,
                 fmt::format("an array must have one of XLA's element types, found {}", static_cast<int>(type))};
  }
  const Shape shape = ShapeUtil::MakeShape(element, Dimensions(dimensions, dimensions + rank));
  ASSAY_CHECK_OK(ShapeUtil::ValidateShape(shape));
  return Literal::Uninitialized(shape);
}

PJRT_Buffer::PJRT_Buffer(const Literal& array, PJRT_Memory& in, const ElementOrder& order)
    : shape(array.shape()),
      memory(&in),
      minor_to_major(OrderOrRowMajor(order, shape.rank())),
      value(Reordered(array, RowMajorOrder(shape), minor_to_major)) {}

Result<Literal> PJRT_Buffer::ReadArray() const {
  ASSAY_TRY(const Literal literal, value.Read());
  return Reordered(literal, minor_to_major, RowMajorOrder(shape));
}

Result<Literal> PJRT_Buffer::DonateArray() {
  ASSAY_TRY(const Literal literal, value.Donate());
  return Reordered(literal, minor_to_major, RowMajorOrder(shape));
}

Result<Literal> BufferValue::Read() const {
  const std::lock_guard lock(mutex_);
  if (value_) return *value_;
  return Error{ErrorCode::kInput, "the buffer has been deleted or donated"};
}

Result<Literal> BufferValue::Donate() {
  const std::lock_guard lock(mutex_);
  if (!value_) return Error{ErrorCode::kInput, "the buffer has been deleted or donated"};
  return *std::exchange(value_, std::nullopt);
}

void BufferValue::Delete() {
  const std::lock_guard lock(mutex_);
  value_.reset();
}

bool BufferValue::is_deleted() const {
  const std::lock_guard lock(mutex_);
  return !value_.has_value();
}

Status BufferValue::AddReference() {
  const std::lock_guard lock(mutex_);
  if (!value_ && references_ == 0) return Error{ErrorCode::kInput, "the buffer has been deleted or donated"};
  if (references_++ == 0) referenced_ = *value_;
  return {};
}

Status BufferValue::RemoveReference() {
  const std::lock_guard lock(mutex_);
  if (references_ == 0) return Error{ErrorCode::kInput, "the buffer has no external reference"};
  if (--references_ == 0) referenced_ = Literal();
  return {};
}

Status Client_BufferFromHostBuffer(PJRT_Client_BufferFromHostBuffer_Args& args) {
  ASSAY_TRY(Literal literal, NewArray(args.type, args.dims, args.num_dims));
  const Shape shape = literal.shape();
  ASSAY_TRY(const ElementOrder order, OrderOnDevice(shape, args.device_layout));
  Dimensions from = RowMajorByteStrides(shape.dimensions(), StorageBytes(shape.element_type()));
  if (args.num_byte_strides == args.num_dims && args.byte_strides != nullptr) {
    from.assign(args.byte_strides, args.byte_strides + args.num_byte_strides);
  } else if (args.num_byte_strides != 0) {
    return Error{ErrorCode::kInput,
                 fmt::format("byte_strides must have {} numbers, found {}", args.num_dims, args.num_byte_strides)};
  }
  ASSAY_TRY(literal, CopyFromHost(std::move(literal), args.data, from));
  args.buffer = new PJRT_Buffer(literal, MemoryOf(*args.client, args.device, args.memory), order);
  args.done_with_host_buffer = new PJRT_Event();
  return {};
}

Status Client_CreateUninitializedBuffer(PJRT_Client_CreateUninitializedBuffer_Args& args) {
  ASSAY_TRY(Literal literal, NewArray(args.shape_element_type, args.shape_dims, args.shape_num_dims));
  ASSAY_TRY(const ElementOrder order, OrderOnDevice(literal.shape(), args.shape_layout));
  args.buffer = new PJRT_Buffer(literal, MemoryOf(*args.client, args.device, args.memory), order);
  return {};
}

// The view is a copy: literals own their elements.
Status Client_CreateViewOfDeviceBuffer(PJRT_Client_CreateViewOfDeviceBuffer_Args& args) {
  ASSAY_TRY(Literal literal, NewArray(args.element_type, args.dims, args.num_dims));
  ASSAY_TRY(const Dimensions from, StridesOnHost(literal.shape(), args.layout));
  ASSAY_TRY(literal, CopyFromHost(std::move(literal), args.device_buffer_ptr, from));
  auto* const buffer = new PJRT_Buffer(literal, MemoryOf(*args.client, args.device, args.memory));
  if (args.on_delete_callback != nullptr) {
    buffer->on_destroy = [callback = args.on_delete_callback, place = args.device_buffer_ptr,
                          user_arg = args.on_delete_callback_arg] { callback(place, user_arg); };
  }
  args.buffer = buffer;
  return {};
}

Status Buffer_Destroy(PJRT_Buffer_Destroy_Args& args) {
  if (args.buffer->on_destroy) args.buffer->on_destroy();
  delete args.buffer;
  return {};
}

Status Buffer_ElementType(PJRT_Buffer_ElementType_Args& args) {
  const Shape& shape = args.buffer->shape;
  args.type = shape.IsToken() ? PJRT_Buffer_Type_TOKEN : BufferTypeOf(shape.element_type());
  return {};
}

void Buffer_Dimensions(PJRT_Buffer_Dimensions_Args& args) {
  SetList(args.buffer->shape.dimensions(), args.dims, args.num_dims);
}

void Buffer_UnpaddedDimensions(PJRT_Buffer_UnpaddedDimensions_Args& args) {
  SetList(args.buffer->shape.dimensions(), args.unpadded_dims, args.num_dims);
}

void Buffer_DynamicDimensionIndices(PJRT_Buffer_DynamicDimensionIndices_Args& args) {
  args.dynamic_dim_indices = nullptr;
  args.num_dynamic_dims = 0;
}

void Buffer_GetMemoryLayout(PJRT_Buffer_GetMemoryLayout_Args& args) {
  args.layout.type = PJRT_Buffer_MemoryLayout_Type_Tiled;
  args.layout.tiled.minor_to_major = args.buffer->minor_to_major.data();
  args.layout.tiled.minor_to_major_size = args.buffer->minor_to_major.size();
}

Status Buffer_OnDeviceSizeInBytes(PJRT_Buffer_OnDeviceSizeInBytes_Args& args) {
  ASSAY_TRY(const std::int64_t bytes, ShapeUtil::CheckedByteSizeOf(args.buffer->shape));
  args.on_device_size_in_bytes = static_cast<std::size_t>(bytes);
  return {};
}

void Buffer_Device(PJRT_Buffer_Device_Args& args) { args.device = args.buffer->memory->device; }

void Buffer_Memory(PJRT_Buffer_Memory_Args& args) { args.memory = args.buffer->memory; }

void Buffer_Delete(PJRT_Buffer_Delete_Args& args) { args.buffer->value.Delete(); }

void Buffer_IsDeleted(PJRT_Buffer_IsDeleted_Args& args) { args.is_deleted = args.buffer->value.is_deleted(); }

void Buffer_IsOnCpu(PJRT_Buffer_IsOnCpu_Args& args) { args.is_on_cpu = true; }

void Buffer_ReadyEvent(PJRT_Buffer_ReadyEvent_Args& args) { args.event = new PJRT_Event(); }

Status Buffer_UnsafePointer(PJRT_Buffer_UnsafePointer_Args& args) {
  ASSAY_TRY(const Literal literal, args.buffer->value.Read());
  args.buffer_pointer = reinterpret_cast<std::uintptr_t>(literal.data());
  return {};
}

Status Buffer_IncreaseExternalReferenceCount(PJRT_Buffer_IncreaseExternalReferenceCount_Args& args) {
  return args.buffer->value.AddReference();
}

Status Buffer_DecreaseExternalReferenceCount(PJRT_Buffer_DecreaseExternalReferenceCount_Args& args) {
  return args.buffer->value.RemoveReference();
}

Status Buffer_OpaqueDeviceMemoryDataPointer(PJRT_Buffer_OpaqueDeviceMemoryDataPointer_Args& args) {
  ASSAY_TRY(const Literal literal, args.buffer->value.Read());
  args.device_memory_ptr = const_cast<std::byte*>(literal.data());
  return {};
}

// Copies of literals share their elements until one of them is written.
Status Buffer_CopyToDevice(PJRT_Buffer_CopyToDevice_Args& args) {
  ASSAY_TRY(const Literal array, args.buffer->ReadArray());
  args.dst_buffer = new PJRT_Buffer(array, *args.dst_device->memory_pointers[0], args.buffer->minor_to_major);
  return {};
}

Status Buffer_CopyToMemory(PJRT_Buffer_CopyToMemory_Args& args) {
  ASSAY_TRY(const Literal array, args.buffer->ReadArray());
  args.dst_buffer = new PJRT_Buffer(array, *args.dst_memory, args.buffer->minor_to_major);
  return {};
}

Status Buffer_CopyRawToHost(PJRT_Buffer_CopyRawToHost_Args& args) {
  ASSAY_TRY(const Literal literal, args.buffer->value.Read());
  if (args.offset < 0 || args.transfer_size < 0 || args.offset > literal.byte_size() - args.transfer_size) {
    return Error{ErrorCode::kInput, fmt::format("the buffer has {} bytes, found a request for {} from {} on",
                                                literal.byte_size(), args.transfer_size, args.offset)};
  }
  std::memcpy(args.dst, literal.data() + args.offset, static_cast<std::size_t>(args.transfer_size));
  args.event = new PJRT_Event();
  return {};
}

Status Buffer_ToHostBuffer(PJRT_Buffer_ToHostBuffer_Args& args) {
  ASSAY_TRY(const Literal literal, args.src->value.Read());
  const auto size = static_cast<std::size_t>(literal.byte_size());
  if (args.dst == nullptr) {
    args.dst_size = size;
    return {};
  }
  if (args.dst_size < size) {
    return Error{ErrorCode::kInput, fmt::format("the host's buffer must have {} bytes, found {}", size, args.dst_size)};
  }
  ASSAY_TRY(const Dimensions to, StridesOnHost(literal.shape(), args.host_layout));
  const std::int64_t bytes = StorageBytes(literal.element_type());
  const Dimensions& sizes = literal.shape().dimensions();
  CopyStrided(sizes, bytes, literal.data(), ByteStrides(sizes, bytes, args.src->minor_to_major),
              static_cast<std::byte*>(args.dst), to);
  args.event = new PJRT_Event();
  return {};
}

}  // namespace assay::pjrt
