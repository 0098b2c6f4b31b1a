#include "backends/pjrt/device/result_sharding.h"

#include <algorithm>
#include <compare>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "backends/pjrt/device/dimension_origins.h"
#include "interpreter/hlo/annotation_text.h"
#include "interpreter/hlo/op.h"
#include "interpreter/hlo/shard_maps.h"

namespace assay::pjrt {

std::string ShardingText(const HloInstruction& instruction) {
  const auto found = instruction.annotations.find("sharding");
  return found == instruction.annotations.end() ? "" : found->second;
}

bool LeavesOpen(const HloInstruction& instruction) {
  return FrontendAttribute(instruction, "xla.sdy.sharding").value_or("").find('?') != std::string::npos;
}

namespace {

// A value within nested calls, and the elements of tuples that are still to be taken out of it.
struct Source {
  const HloInstruction* value;
  std::vector<const HloInstruction*> calls = {};
  std::vector<std::int64_t> elements = {};

  auto operator<=>(const Source&) const = default;
  std::int64_t element() const { return elements.empty() ? 0 : elements.back(); }
  const Shape& shape() const {
    const Shape* shape = &value->shape;
    for (auto element = elements.rbegin(); element != elements.rend() && shape->IsTuple(); ++element) {
      shape = &shape->tuple_shapes(*element);
    }
    return *shape;
  }
};

// A dimension that is divided among partitions.
struct DividedDimension {
  std::int64_t count = 1;
  Int64List place;  // of each partition, in tiles; empty for one tile
};
using DividedDimensions = std::vector<DividedDimension>;

DividedDimensions DimensionsOf(const DeviceTiles& tiles) {
  DividedDimensions dimensions(tiles.counts.size());
  for (std::size_t d = 0; d < dimensions.size(); ++d) {
    if (tiles.counts[d] == 1) continue;
    dimensions[d].count = tiles.counts[d];
    for (std::int64_t p = 0; p < tiles.partitions(); ++p) dimensions[d].place.push_back(tiles.Place(p, d));
  }
  return dimensions;
}

// Returns the tiles of dimensions that are divided together; nothing if some tiles are on more devices than others.
std::optional<DeviceTiles> TilesOfDimensions(const DividedDimensions& dimensions) {
  DeviceTiles tiles;
  for (const DividedDimension& dimension : dimensions) {
    tiles.counts.push_back(dimension.count);
    if (dimension.count == 1) continue;
    tiles.tile.resize(dimension.place.size());
    for (std::size_t p = 0; p < tiles.tile.size(); ++p) {
      tiles.tile[p] = tiles.tile[p] * dimension.count + dimension.place[p];
    }
  }
  Int64List devices(static_cast<std::size_t>(tiles.tile_count()));
  for (const std::int64_t tile : tiles.tile) tiles.copy.push_back(devices[static_cast<std::size_t>(tile)]++);
  const bool is_even = std::ranges::all_of(devices, [&](std::int64_t count) { return count == devices[0]; });
  return is_even ? std::optional(std::move(tiles)) : std::nullopt;
}

// The shardings of a module's values that state none: each follows from those of its operands.
class FollowingSharding {
 public:
  explicit FollowingSharding(const HloModule& module) : module_(module) {}

  DividedDimensions Of(const Source& source) {
    if (const auto found = known_.find(source); found != known_.end()) return found->second;
    constexpr int kDeepest = 3000;  // operands of operands: some megabytes of the stack
    if (depth_ == kDeepest) return DividedDimensions(Rank(source));
    ++depth_;
    DividedDimensions found = Find(source);
    --depth_;
    found.resize(Rank(source));
    return known_[source] = std::move(found);
  }

 private:
  static std::size_t Rank(const Source& source) {
    return source.shape().IsArray() ? source.shape().dimensions().size() : 0;
  }

  // Returns the tiles that an instruction states for its result, or for this element of it.
  std::optional<DeviceTiles> Stated(const Source& source) const {
    const std::string text = ShardingText(*source.value);
    if (text.empty() || source.value->shape.IsTuple()) return TilesOfWhole(module_, *source.value, source.element());
    const Result<DeviceTiles> tiles = ParseXlaTiles(text, source.value->shape.rank());
    return tiles ? *tiles : DeviceTiles{Int64List(Rank(source), 1), {}, {}, {}};
  }

  DividedDimensions Find(const Source& source) {
    const HloInstruction& at = *source.value;
    if (const auto tiles = Stated(source)) return WithOpen(DimensionsOf(*tiles), source);
    Source from = source;
    if (at.op->role == OpRole::kGetTupleElement) {
      from.elements.push_back(at.tuple_index());
      from.value = at.operands[0];
    } else if (at.op->role == OpRole::kTuple && !from.elements.empty()) {
      from.value = at.operands[static_cast<std::size_t>(from.elements.back())];
      from.elements.pop_back();
    } else if (at.op->role == OpRole::kCall) {
      from.calls.push_back(&at);
      from.value = at.CalledComputations().front()->root;
    } else if (at.op->role == OpRole::kParameter && !from.calls.empty()) {
      from.value = from.calls.back()->operands[static_cast<std::size_t>(at.parameter_number)];
      from.calls.pop_back();
    } else if (ForwardsOperand(*at.op)) {
      from.value = at.operands[0];
    } else {
      return OfOperands(source);
    }
    return Of(from);
  }

  // Divides the dimensions that a mark leaves open as those of its operand.
  DividedDimensions WithOpen(DividedDimensions divided, const Source& source) {
    const std::string shardy = FrontendAttribute(*source.value, "xla.sdy.sharding").value_or("");
    if (source.value->operands.size() != 1 || source.value->shape.IsTuple()) return divided;
    std::size_t at = shardy.find("[{");  // [{"x", ?}, {}]
    for (std::size_t d = 0; d < divided.size() && at != std::string::npos; ++d) {
      const std::size_t begin = shardy.find('{', at);
      at = shardy.find('}', begin);
      if (at == std::string::npos || shardy[at - 1] != '?') continue;
      Divide(divided, d, Of({source.value->operands[0], source.calls, {}})[d]);
    }
    return divided;
  }

  // Divides one more dimension, unless it is, or all of them cannot be divided together.
  static void Divide(DividedDimensions& divided, std::size_t dimension, const DividedDimension& as) {
    if (divided[dimension].count > 1 || as.count == 1) return;
    divided[dimension] = as;
    if (!TilesOfDimensions(divided)) divided[dimension] = {};
  }

  // Divides each dimension as one of those that it continues, if all of them can be divided together.
  DividedDimensions OfOperands(const Source& source) {
    const auto origins = OriginsOf(*source.value, source.element());
    DividedDimensions divided(origins.size());
    for (std::size_t d = 0; d < origins.size(); ++d) {
      for (const DimensionOrigin& origin : origins[d]) {
        const Source operand = {source.value->operands[origin.operand], source.calls, {}};
        const DividedDimension from = Of(operand)[static_cast<std::size_t>(origin.dimension)];
        const std::int64_t size = source.shape().dimensions(static_cast<std::int64_t>(d));
        if (size % from.count == 0) Divide(divided, d, from);
      }
    }
    return divided;
  }

  const HloModule& module_;
  std::map<Source, DividedDimensions> known_;
  int depth_ = 0;
};

}  // namespace

std::vector<std::string> FollowingShardings(const HloModule& module) {
  const HloInstruction& root = *module.entry->root;
  FollowingSharding following(module);
  std::vector<std::string> shardings;
  for (std::int64_t i = 0; i < (root.shape.IsTuple() ? std::ssize(root.shape.tuple_shapes()) : 1); ++i) {
    const Source source = {&root, {}, root.shape.IsTuple() ? std::vector{i} : std::vector<std::int64_t>()};
    const auto tiles = TilesOfDimensions(following.Of(source));
    shardings.push_back(tiles && tiles->tile_count() > 1 ? tiles->XlaText() : "");
  }
  return shardings;
}

}  // namespace assay::pjrt
