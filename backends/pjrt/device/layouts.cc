#include "backends/pjrt/device/layouts.h"

#include <fmt/format.h>

#include "backends/pjrt/buffer_types.h"
#include "backends/pjrt/device/functions.h"
#include "backends/pjrt/device/objects.h"

namespace assay::pjrt {

struct PJRT_Layouts_SerializedLayout {
  std::string text;
};

namespace {

PJRT_Layouts_MemoryLayout RowMajor(std::size_t rank) {
  return {LayoutUtil::GetDefaultLayoutForRank(static_cast<std::int64_t>(rank))};
}

template <class Args>
Status GetDefaultLayout(Args& args) {
  if (PrimitiveTypeOf(args.type) == PRIMITIVE_TYPE_INVALID) {
    return Error{ErrorCode::kUnsupported,
                 fmt::format("an array must have one of XLA's element types, found {}", static_cast<int>(args.type))};
  }
  args.layout = new PJRT_Layouts_MemoryLayout(RowMajor(args.num_dims));
  return {};
}

}  // namespace

LayoutList::LayoutList(const std::vector<ShardedValue>& values, const std::vector<ElementOrder>& orders) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    layouts_.push_back({LayoutUtil::MakeLayout(OrderOrRowMajor(orders[i], values[i].part.rank()))});
  }
  for (PJRT_Layouts_MemoryLayout& layout : layouts_) pointers_.push_back(&layout);
}

void Layouts_MemoryLayout_Destroy(PJRT_Layouts_MemoryLayout_Destroy_Args& args) { delete args.layout; }

Status Layouts_MemoryLayout_Serialize(PJRT_Layouts_MemoryLayout_Serialize_Args& args) {
  auto* const serialized = new PJRT_Layouts_SerializedLayout{LayoutUtil::ToString(args.layout->layout)};
  args.serialized_bytes = serialized->text.data();
  args.serialized_bytes_size = serialized->text.size();
  args.serialized_layout = serialized;
  args.serialized_layout_deleter = [](PJRT_Layouts_SerializedLayout* layout) { delete layout; };
  return {};
}

Status Layouts_PJRT_Client_GetDefaultLayout(PJRT_Layouts_PJRT_Client_GetDefaultLayout_Args& args) {
  return GetDefaultLayout(args);
}

Status Layouts_PJRT_Topology_GetDefaultLayout(PJRT_Layouts_PJRT_Topology_GetDefaultLayout_Args& args) {
  return GetDefaultLayout(args);
}

void Layouts_PJRT_Buffer_MemoryLayout(PJRT_Layouts_PJRT_Buffer_MemoryLayout_Args& args) {
  args.layout = new PJRT_Layouts_MemoryLayout{LayoutUtil::MakeLayout(args.buffer->minor_to_major)};
}

}  // namespace assay::pjrt
