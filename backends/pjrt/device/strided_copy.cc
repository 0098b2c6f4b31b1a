#include "backends/pjrt/device/strided_copy.h"

#include <algorithm>
#include <cstring>

namespace assay::pjrt {
namespace {

struct CopyLevels {
  std::span<const std::int64_t> sizes, from_strides, to_strides;
  std::int64_t run_bytes;  // of the innermost levels together, which have no gaps
};

void CopyLevel(const CopyLevels& levels, std::size_t level, const std::byte* from, std::byte* to) {
  if (level == levels.sizes.size()) {
    std::memcpy(to, from, static_cast<std::size_t>(levels.run_bytes));
    return;
  }
  for (std::int64_t i = 0; i < levels.sizes[level]; ++i) {
    CopyLevel(levels, level + 1, from + i * levels.from_strides[level], to + i * levels.to_strides[level]);
  }
}

}  // namespace

Dimensions ByteStrides(const Dimensions& sizes, std::int64_t element_bytes,
                       std::span<const std::int64_t> minor_to_major) {
  Dimensions strides(sizes.size());
  std::int64_t stride = element_bytes;
  for (const std::int64_t dimension : minor_to_major) {
    strides[static_cast<std::size_t>(dimension)] = stride;
    stride *= sizes[static_cast<std::size_t>(dimension)];
  }
  return strides;
}

Dimensions RowMajorByteStrides(const Dimensions& sizes, std::int64_t element_bytes) {
  return ByteStrides(sizes, element_bytes,
                     LayoutUtil::GetDefaultLayoutForRank(static_cast<std::int64_t>(sizes.size())).minor_to_major);
}

void CopyStrided(const Dimensions& sizes, std::int64_t element_bytes, const std::byte* from,
                 std::span<const std::int64_t> from_strides, std::byte* to, std::span<const std::int64_t> to_strides) {
  if (std::ranges::count(sizes, 0) > 0) return;
  std::int64_t run = element_bytes;
  std::size_t levels = sizes.size();
  for (; levels > 0; --levels) {
    const std::size_t inner = levels - 1;
    const bool has_no_gap = from_strides[inner] == run && to_strides[inner] == run;
    if (!has_no_gap && sizes[inner] != 1) break;
    run *= sizes[inner];
  }
  CopyLevel({std::span(sizes).first(levels), from_strides.first(levels), to_strides.first(levels), run}, 0, from, to);
}

}  // namespace assay::pjrt
