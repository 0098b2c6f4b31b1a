#include "backends/pjrt/buffers.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <string>

#include "backends/pjrt/compile_options.h"
#include "interpreter/proto/values.h"

namespace assay::pjrt {
namespace {

struct BufferType {
  PrimitiveType type;
  PJRT_Buffer_Type of_plugin;
};
constexpr BufferType kBufferTypes[] = {
    {PRED, PJRT_Buffer_Type_PRED},
    {S1, PJRT_Buffer_Type_S1},
    {S2, PJRT_Buffer_Type_S2},
    {S4, PJRT_Buffer_Type_S4},
    {S8, PJRT_Buffer_Type_S8},
    {S16, PJRT_Buffer_Type_S16},
    {S32, PJRT_Buffer_Type_S32},
    {S64, PJRT_Buffer_Type_S64},
    {U1, PJRT_Buffer_Type_U1},
    {U2, PJRT_Buffer_Type_U2},
    {U4, PJRT_Buffer_Type_U4},
    {U8, PJRT_Buffer_Type_U8},
    {U16, PJRT_Buffer_Type_U16},
    {U32, PJRT_Buffer_Type_U32},
    {U64, PJRT_Buffer_Type_U64},
    {F4E2M1FN, PJRT_Buffer_Type_F4E2M1FN},
    {F6E2M3FN, PJRT_Buffer_Type_F6E2M3FN},
    {F6E3M2FN, PJRT_Buffer_Type_F6E3M2FN},
    {F8E3M4, PJRT_Buffer_Type_F8E3M4},
    {F8E4M3, PJRT_Buffer_Type_F8E4M3},
    {F8E4M3FN, PJRT_Buffer_Type_F8E4M3FN},
    {F8E4M3B11FNUZ, PJRT_Buffer_Type_F8E4M3B11FNUZ},
    {F8E4M3FNUZ, PJRT_Buffer_Type_F8E4M3FNUZ},
    {F8E5M2, PJRT_Buffer_Type_F8E5M2},
    {F8E5M2FNUZ, PJRT_Buffer_Type_F8E5M2FNUZ},
    {F8E8M0FNU, PJRT_Buffer_Type_F8E8M0FNU},
    {F16, PJRT_Buffer_Type_F16},
    {BF16, PJRT_Buffer_Type_BF16},
    {F32, PJRT_Buffer_Type_F32},
    {F64, PJRT_Buffer_Type_F64},
    {C64, PJRT_Buffer_Type_C64},
    {C128, PJRT_Buffer_Type_C128},
};

Result<PJRT_Buffer_Type> TypeForPlugin(PrimitiveType type) {
  const auto* const found = std::ranges::find(kBufferTypes, type, &BufferType::type);
  if (found != std::end(kBufferTypes)) return found->of_plugin;
  return Error{ErrorCode::kUnsupported, fmt::format("PJRT has no buffers of the type {}", PrimitiveTypeName(type))};
}

std::string NameOfPluginType(PJRT_Buffer_Type type) {
  const auto* const found = std::ranges::find(kBufferTypes, type, &BufferType::of_plugin);
  if (found != std::end(kBufferTypes)) return std::string(PrimitiveTypeName(found->type));
  return fmt::format("type {}", static_cast<int>(type));
}

PJRT_Buffer_MemoryLayout LayoutForPlugin(const std::vector<std::int64_t>& minor_to_major) {
  PJRT_Buffer_MemoryLayout layout;
  layout.type = PJRT_Buffer_MemoryLayout_Type_Tiled;
  layout.tiled.minor_to_major = minor_to_major.data();
  layout.tiled.minor_to_major_size = minor_to_major.size();
  return layout;
}

Error WrongBuffer(const Shape& shape, const std::string& found) {
  return {ErrorCode::kBackend,
          fmt::format("the plugin's result is no value of the module's shape: expected {}, found {}",
                      shape.ToStringWithoutLayout(), found)};
}

// kBackend unless the plugin says that the buffer has the type and the dimensions of the shape.
Status CheckBuffer(const Host& host, PJRT_Buffer* buffer, const Shape& shape) {
  PJRT_Buffer_ElementType_Args type = {.buffer = buffer};
  ASSAY_CHECK_OK(ASSAY_PJRT_CALL(host.plugin, PJRT_Buffer_ElementType, type));
  PJRT_Buffer_Dimensions_Args dimensions = {.buffer = buffer};
  ASSAY_CHECK_OK(ASSAY_PJRT_CALL(host.plugin, PJRT_Buffer_Dimensions, dimensions));
  const std::span<const std::int64_t> found(dimensions.dims, dimensions.num_dims);
  ASSAY_TRY(const PJRT_Buffer_Type expected, TypeForPlugin(shape.element_type()));
  if (type.type == expected && std::ranges::equal(found, shape.dimensions())) return {};
  return WrongBuffer(shape, fmt::format("{}[{}]", NameOfPluginType(type.type), fmt::join(found, ",")));
}

}  // namespace

Result<Owned<PJRT_Buffer>> CopyToDevice(const Host& host, const Literal& array, const Shape& shape,
                                        PJRT_Device* device) {
  static constexpr std::byte kNothing{};
  PJRT_Client_BufferFromHostBuffer_Args args;
  ASSAY_TRY(args.type, TypeForPlugin(array.element_type()));
  args.client = host.client;
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
  return buffer;
}

Result<Literal> CopyToHost(const Host& host, PJRT_Buffer* buffer, const Shape& shape) {
  ASSAY_CHECK_OK(CheckBuffer(host, buffer, shape));
  Shape row_major = shape;
  row_major.set_default_layout();
  PJRT_Buffer_MemoryLayout layout = LayoutForPlugin(row_major.layout().minor_to_major);
  PJRT_Buffer_ToHostBuffer_Args args = {.src = buffer, .host_layout = &layout};
  // Without a place to copy to, the call says how many bytes there are.
  ASSAY_CHECK_OK(ASSAY_PJRT_CALL(host.plugin, PJRT_Buffer_ToHostBuffer, args));
  const auto bytes = static_cast<std::size_t>(ShapeUtil::ElementsIn(shape) * StorageBytes(shape.element_type()));
  if (args.dst_size != bytes) return WrongBuffer(shape, fmt::format("{} bytes instead of {}", args.dst_size, bytes));
  std::string data(bytes, '\0');
  args.dst = data.data();
  ASSAY_CHECK_OK(ASSAY_PJRT_CALL(host.plugin, PJRT_Buffer_ToHostBuffer, args));
  ASSAY_CHECK_OK(Await(host.plugin, args.event));
  return proto::LiteralOfBytes(row_major, data, /*is_packed=*/false);
}

}  // namespace assay::pjrt
