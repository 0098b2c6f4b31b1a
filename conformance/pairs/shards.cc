#include "conformance/pairs/shards.h"

#include <charconv>

#include "interpreter/hlo/sharding_text.h"
#include "interpreter/hlo/shards.h"

namespace assay {
Result<Sharding> ReadSharding(std::string_view text, std::int64_t rank) {
  constexpr std::string_view kMaximal = "{maximal device=";
  if (!text.starts_with(kMaximal)) {
    ASSAY_TRY(DeviceTiles tiles, ParseXlaTiles(text, rank));
    if (!tiles.is_sum()) return Sharding{std::move(tiles), {}};
    return Error{ErrorCode::kUnsupported, "a value is unreduced: a sum over devices that is yet to be made"};
  }
  std::int64_t device = 0;
  text.remove_prefix(kMaximal.size());
  std::from_chars(text.data(), text.data() + text.size(), device);
  return Sharding{DeviceTiles{Int64List(rank, 1), {}, {}, {}}, device};
}

std::vector<std::string> ShardingsOfLeaves(std::string_view text, std::size_t leaf_count) {
  if (!text.starts_with("{{")) return std::vector<std::string>(leaf_count, std::string(text));
  std::vector<std::string> leaves = SplitShardings(text);
  if (leaves.size() != leaf_count) leaves.clear();
  return leaves;
}

Literal ShardOf(const Literal& whole, const Sharding& sharding, std::int64_t partition) {
  if (sharding.tiles.tile.empty()) return whole;
  return ShardOf(whole, ShardShape(whole.shape(), sharding.tiles), sharding.tiles, partition);
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
  const auto shard_of = [&](std::int64_t partition) -> const Literal& { return shards[partition]; };
  for (const Int64List& group : sharding.tiles.Groups()) {
    copies.push_back({JoinShards(whole, sharding.tiles, group, shard_of), group});
  }
  return copies;
}

}  // namespace assay
