#include "backends/pjrt/device/shards.h"

#include <fmt/format.h>

#include <numeric>

#include "interpreter/hlo/shards.h"
#include "interpreter/proto/sharding.h"

namespace assay::pjrt {
namespace {

// Returns the tiles of an array of which each partition has a term.
DeviceTiles TermsOnAll(std::size_t rank, std::int64_t partitions) {
  DeviceTiles tiles = {Int64List(rank, 1), Int64List(partitions), Int64List(partitions), {}};
  std::iota(tiles.copy.begin(), tiles.copy.end(), 0);
  tiles.term = tiles.copy;
  return tiles;
}

}  // namespace

Literal ShardedValue::PartOn(std::int64_t partition, const Literal& of_whole) const {
  if (tiles.is_sum() && tiles.term[static_cast<std::size_t>(partition)] > 0) return Literal(part);
  return is_tiled() ? ShardOf(of_whole, part, tiles, partition) : of_whole;
}

std::vector<Literal> ShardedValue::Join(const std::function<const Literal&(std::int64_t)>& part_of) const {
  std::vector<Literal> wholes;
  if (!is_tiled()) return wholes;
  for (const Int64List& copy : tiles.Groups()) {
    if (wholes.empty() || tiles.is_sum()) wholes.push_back(JoinShards(whole, tiles, copy, part_of));
  }
  return wholes;
}

Result<ShardedValue> ShardValue(const Shape& whole, std::string_view sharding, std::int64_t partitions) {
  ShardedValue value = {whole, whole, {Int64List(whole.dimensions().size(), 1), {}, {}, {}}, std::string(sharding)};
  const bool is_maximal = sharding.starts_with("{maximal");
  if (sharding.empty() || partitions == 1 || is_maximal || !whole.IsFixedArray()) return value;
  if (sharding.starts_with("{unreduced")) {  // over all devices
    value.tiles = TermsOnAll(whole.dimensions().size(), partitions);
  } else {
    ASSAY_TRY(value.tiles, ParseXlaTiles(sharding, whole.rank()));
  }
  if (!value.is_tiled() && !value.tiles.is_sum()) return value;
  if (value.tiles.partitions() != partitions) {
    return Error{ErrorCode::kUnsupported, fmt::format("the sharding {} must name {} devices", sharding, partitions)};
  }
  for (std::int64_t d = 0; d < whole.rank(); ++d) {
    const std::int64_t count = value.tiles.counts[static_cast<std::size_t>(d)];
    if (whole.dimensions(d) % count != 0) {
      return Error{ErrorCode::kUnsupported, fmt::format("the sharding {} must divide dimension {} of {} evenly",
                                                        sharding, d, whole.ToStringWithoutLayout())};
    }
    value.part.set_dimensions(d, whole.dimensions(d) / count);
  }
  return value;
}

std::vector<std::string> SerializedShardings(const std::vector<ShardedValue>& values, std::int64_t partitions) {
  std::vector<std::string> shardings;
  for (std::size_t i = 0; partitions > 1 && i < values.size(); ++i) {
    shardings.push_back(proto::WriteSharding(values[i].sharding_or_replicated()).TakeBytes());
  }
  return shardings;
}

}  // namespace assay::pjrt
