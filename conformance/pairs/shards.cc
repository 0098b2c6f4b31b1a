#include "conformance/pairs/shards.h"

#include <algorithm>
#include <charconv>

#include "interpreter/types/index_util.h"
#include "interpreter/types/strided_copy.h"

namespace assay {
namespace {

// The part of a whole array that a shard holds, without padding.
struct ShardPart {
  Dimensions sizes;
  std::int64_t offset = 0;  // of its first element in the whole array
};

ShardPart PartOf(const Shape& whole, const Shape& shard, const Sharding& sharding, std::int64_t partition) {
  const std::vector<std::int64_t> strides = RowMajorStrides(whole.dimensions());
  ShardPart part;
  for (std::int64_t d = 0; d < whole.rank(); ++d) {
    const std::int64_t place = sharding.tiles.tile.empty() ? 0 : sharding.tiles.Place(partition, d);
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

Result<Sharding> ReadSharding(std::string_view text, std::int64_t rank) {
  constexpr std::string_view kMaximal = "{maximal device=";
  if (!text.starts_with(kMaximal)) {
    ASSAY_TRY(DeviceTiles tiles, ParseXlaTiles(text, rank));
    return Sharding{std::move(tiles), {}};
  }
  std::int64_t device = 0;
  text.remove_prefix(kMaximal.size());
  std::from_chars(text.data(), text.data() + text.size(), device);
  return Sharding{DeviceTiles{Int64List(rank, 1), {}, {}}, device};
}

std::vector<std::string> ShardingsOfLeaves(std::string_view text, std::size_t leaf_count) {
  if (!text.starts_with("{{")) return std::vector<std::string>(leaf_count, std::string(text));
  std::vector<std::string> leaves;
  std::size_t begin = 0;
  int depth = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '{' && ++depth == 2) begin = i;
    if (text[i] == '}' && --depth == 1) leaves.emplace_back(text.substr(begin, i + 1 - begin));
  }
  if (leaves.size() != leaf_count) leaves.clear();
  return leaves;
}

Shape ShardShape(const Shape& whole, const Sharding& sharding) {
  Dimensions sizes = whole.dimensions();
  for (std::size_t d = 0; d < sizes.size(); ++d) {
    sizes[d] = (sizes[d] + sharding.tiles.counts[d] - 1) / sharding.tiles.counts[d];
  }
  return ShapeUtil::MakeShape(whole.element_type(), std::move(sizes));
}

Literal ShardOf(const Literal& whole, const Sharding& sharding, std::int64_t partition) {
  if (sharding.tiles.tile.empty()) return whole;
  Literal shard(ShardShape(whole.shape(), sharding));
  const ShardPart part = PartOf(whole.shape(), shard.shape(), sharding, partition);
  CopyPart(part, whole, part.offset, shard, 0);
  return shard;
}

std::vector<GatheredCopy> Gather(const Shape& whole, const Sharding& sharding, const PerDevice<Literal>& shards) {
  if (sharding.only_device) return {{shards[*sharding.only_device], {*sharding.only_device}}};
  std::vector<GatheredCopy> copies;
  if (sharding.tiles.tile.empty()) {
    for (std::size_t p = 0; p < shards.size(); ++p) {
      copies.push_back({shards[static_cast<std::int64_t>(p)], {static_cast<std::int64_t>(p)}});
    }
    return copies;
  }
  for (const Int64List& group : sharding.tiles.Groups()) {
    GatheredCopy& copy = copies.emplace_back(Literal(whole), group);
    for (const std::int64_t partition : group) {
      const Literal& shard = shards[partition];
      const ShardPart part = PartOf(whole, shard.shape(), sharding, partition);
      CopyPart(part, shard, 0, copy.whole, part.offset);
    }
  }
  return copies;
}

}  // namespace assay
