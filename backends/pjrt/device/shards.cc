#include "backends/pjrt/device/shards.h"

#include <fmt/format.h>

#include "backends/pjrt/device/strided_copy.h"
#include "interpreter/proto/sharding.h"

namespace assay::pjrt {
namespace {

// Returns the distance in bytes of a partition's tile from the start of the whole array.
std::int64_t OffsetOfPart(const ShardedValue& value, const Dimensions& whole_strides, std::int64_t partition) {
  std::int64_t offset = 0;
  for (std::size_t d = 0; d < whole_strides.size(); ++d) {
    offset += value.tiles.Place(partition, d) * value.part.dimensions()[d] * whole_strides[d];
  }
  return offset;
}

}  // namespace

std::vector<std::string> SplitShardings(std::string_view text) {
  std::vector<std::string> parts;
  int depth = 0;
  for (std::size_t i = 0, start = 0; i < text.size(); ++i) {
    if (text[i] == '{' && ++depth == 2) start = i;
    if (text[i] == '}' && depth-- == 2) parts.emplace_back(text.substr(start, i + 1 - start));
  }
  return parts;
}

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

Literal JoinParts(const ShardedValue& value, const std::vector<Literal>& parts) {
  const std::int64_t bytes = StorageBytes(value.whole.element_type());
  const Dimensions strides = RowMajorByteStrides(value.whole.dimensions(), bytes);
  const Dimensions part_strides = RowMajorByteStrides(value.part.dimensions(), bytes);
  Literal whole = Literal::Uninitialized(value.whole);
  std::byte* const data = whole.mutable_data();
  for (std::int64_t partition = 0; partition < value.tiles.partitions(); ++partition) {
    if (value.tiles.copy[static_cast<std::size_t>(partition)] != 0) continue;
    CopyStrided(value.part.dimensions(), bytes, parts[static_cast<std::size_t>(partition)].data(), part_strides,
                data + OffsetOfPart(value, strides, partition), strides);
  }
  return whole;
}

Literal TakePart(const ShardedValue& value, const Literal& whole, std::int64_t partition) {
  const std::int64_t bytes = StorageBytes(value.whole.element_type());
  const Dimensions strides = RowMajorByteStrides(value.whole.dimensions(), bytes);
  Literal part = Literal::Uninitialized(value.part);
  CopyStrided(value.part.dimensions(), bytes, whole.data() + OffsetOfPart(value, strides, partition), strides,
              part.mutable_data(), RowMajorByteStrides(value.part.dimensions(), bytes));
  return part;
}

}  // namespace assay::pjrt
