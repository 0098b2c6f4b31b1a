#include "interpreter/hlo/shards.h"

#include <algorithm>
#include <cstddef>
#include <vector>

#include "interpreter/types/index_util.h"
#include "interpreter/types/strided_copy.h"

namespace assay {
namespace {

// The part of a whole array that a shard holds, without padding.
struct ShardPart {
  Dimensions sizes;
  std::int64_t offset = 0;  // of its first element in the whole array
};

ShardPart PartOf(const Shape& whole, const Shape& shard, const DeviceTiles& tiles, std::int64_t partition) {
  const std::vector<std::int64_t> strides = RowMajorStrides(whole.dimensions());
  ShardPart part;
  for (std::int64_t d = 0; d < whole.rank(); ++d) {
    const std::int64_t place = tiles.Place(partition, static_cast<std::size_t>(d));
    const std::int64_t begin = std::min(place * shard.dimensions(d), whole.dimensions(d));
    part.sizes.push_back(std::min(shard.dimensions(d), whole.dimensions(d) - begin));
    part.offset += begin * strides[d];
  }
  return part;
}

void CopyPart(const ShardPart& part, const Literal& from, std::int64_t from_offset, Literal& to,
              std::int64_t to_offset) {
  const auto bytes = static_cast<std::int64_t>(StorageBytes(from.element_type()));
  const StridedCopy copy(static_cast<int>(bytes), part.sizes, RowMajorStrides(from.shape().dimensions()),
                         RowMajorStrides(to.shape().dimensions()));
  if (Product(part.sizes) > 0) copy.Copy(from.data() + from_offset * bytes, to.mutable_data() + to_offset * bytes);
}

}  // namespace

Shape ShardShape(const Shape& whole, const DeviceTiles& tiles) {
  Dimensions sizes = whole.dimensions();
  for (std::size_t d = 0; d < sizes.size(); ++d) {
    sizes[d] = sizes[d] / tiles.counts[d] + (sizes[d] % tiles.counts[d] != 0 ? 1 : 0);
  }
  return ShapeUtil::MakeShape(whole.element_type(), std::move(sizes));
}

Literal ShardOf(const Literal& whole, const Shape& shard, const DeviceTiles& tiles, std::int64_t partition) {
  const ShardPart part = PartOf(whole.shape(), shard, tiles, partition);
  Literal result = part.sizes == shard.dimensions() ? Literal::Uninitialized(shard) : Literal(shard);
  CopyPart(part, whole, part.offset, result, 0);
  return result;
}

Literal JoinShards(const Shape& whole, const DeviceTiles& tiles, std::span<const std::int64_t> partitions,
                   const std::function<const Literal&(std::int64_t)>& shard_of) {
  Literal result = Literal::Uninitialized(whole);
  for (const std::int64_t partition : partitions) {
    const Literal& shard = shard_of(partition);
    const ShardPart part = PartOf(whole, shard.shape(), tiles, partition);
    CopyPart(part, shard, 0, result, part.offset);
  }
  return result;
}

}  // namespace assay
