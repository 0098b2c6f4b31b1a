#include "backends/pjrt/device/shards.h"

#include <fmt/format.h>

#include "interpreter/proto/sharding.h"

namespace assay::pjrt {
Result<ShardedValue> ShardValue(const Shape& whole, std::string_view sharding, std::int64_t partitions) {
  ShardedValue value = {whole, whole, {Int64List(whole.dimensions().size(), 1), {}, {}}, std::string(sharding)};
  const bool is_maximal = sharding.starts_with("{maximal");
  if (sharding.empty() || partitions == 1 || is_maximal || !whole.IsFixedArray()) return value;
  ASSAY_TRY(value.tiles, ParseXlaTiles(sharding, whole.rank()));
  if (!value.is_tiled()) return value;
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
