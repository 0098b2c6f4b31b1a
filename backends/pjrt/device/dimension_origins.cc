#include "backends/pjrt/device/dimension_origins.h"

#include <algorithm>
#include <span>
#include <string_view>

namespace assay::pjrt {
namespace {

using Origins = std::vector<std::vector<DimensionOrigin>>;
// Adds the origins of a result of this shape, whose operand of the same number is `operand`.
using AddOrigins = void (*)(const HloInstruction& instruction, const Shape& result, std::size_t operand,
                            Origins& origins);

bool IsOneOf(std::int64_t dimension, std::span<const std::int64_t> dimensions) {
  return std::ranges::count(dimensions, dimension) > 0;
}

// The dimensions of every operand of the same rank, also if the result has a part of them, or more of them.
void AddSamePlaces(const HloInstruction& instruction, const Shape& result, std::size_t, Origins& origins) {
  for (std::size_t i = 0; i < instruction.operands.size(); ++i) {
    const Shape& operand = instruction.operands[i]->shape;
    if (!operand.IsArray() || operand.rank() != result.rank()) continue;
    for (std::int64_t d = 0; d < result.rank(); ++d) origins[static_cast<std::size_t>(d)].push_back({i, d});
  }
}

// The same for one result of several, of the operand with its number.
void AddSamePlacesOfOne(const HloInstruction&, const Shape& result, std::size_t operand, Origins& origins) {
  for (std::int64_t d = 0; d < result.rank(); ++d) origins[static_cast<std::size_t>(d)].push_back({operand, d});
}

// The dimensions of which the result has all elements: the others begin at a place that is not known.
void AddWholeDimensions(const HloInstruction& instruction, const Shape& result, std::size_t, Origins& origins) {
  const Shape& operand = instruction.operands[0]->shape;
  for (std::int64_t d = 0; d < result.rank(); ++d) {
    if (operand.dimensions(d) == result.dimensions(d)) origins[static_cast<std::size_t>(d)].push_back({0, d});
  }
}

void AddPermuted(const HloInstruction& instruction, const Shape& result, std::size_t, Origins& origins) {
  const std::span<const std::int64_t> dimensions = instruction.Int64s("dimensions");
  for (std::int64_t d = 0; d < result.rank(); ++d) {
    origins[static_cast<std::size_t>(d)].push_back({0, dimensions[static_cast<std::size_t>(d)]});
  }
}

void AddBroadcast(const HloInstruction& instruction, const Shape&, std::size_t, Origins& origins) {
  const std::span<const std::int64_t> dimensions = instruction.Int64s("dimensions");
  for (std::size_t d = 0; d < dimensions.size(); ++d) {
    origins[static_cast<std::size_t>(dimensions[d])].push_back({0, static_cast<std::int64_t>(d)});
  }
}

// The dimensions that a reduction keeps, of all arrays: they are reduced together.
void AddKept(const HloInstruction& instruction, const Shape&, std::size_t, Origins& origins) {
  for (std::size_t i = 0; i < instruction.operands.size() / 2; ++i) {
    std::size_t next = 0;
    for (std::int64_t d = 0; d < instruction.operands[i]->shape.rank(); ++d) {
      if (!IsOneOf(d, instruction.Int64s("dimensions"))) origins[next++].push_back({i, d});
    }
  }
}

// The same places for a call that says how a value is divided.
void AddPlacesOfShardingCall(const HloInstruction& instruction, const Shape& result, std::size_t operand,
                             Origins& origins) {
  const std::string_view target = instruction.String("custom_call_target");
  const bool is_sharding = target == "Sharding" || target == "LayoutConstraint" || target.starts_with("SPMD") ||
                           target.starts_with("xla.sdy.");
  if (is_sharding && operand < instruction.operands.size()) AddSamePlacesOfOne(instruction, result, operand, origins);
}

// Dimensions that begin at the same place among the elements: tiles of the one are tiles of the other.
void AddRegrouped(const HloInstruction& instruction, const Shape& result, std::size_t, Origins& origins) {
  const Shape& operand = instruction.operands[0]->shape;
  std::int64_t before = 1;
  for (std::int64_t d = 0; d < result.rank(); before *= result.dimensions(d++)) {
    std::int64_t operand_before = 1;
    for (std::int64_t e = 0; e < operand.rank(); operand_before *= operand.dimensions(e++)) {
      if (operand_before == before) origins[static_cast<std::size_t>(d)].push_back({0, e});
    }
  }
}

// The batch dimensions, then those of each operand that are not contracted.
void AddProduct(const HloInstruction& instruction, const Shape&, std::size_t, Origins& origins) {
  const auto lhs_batch = instruction.Int64s("lhs_batch_dims"), rhs_batch = instruction.Int64s("rhs_batch_dims");
  std::size_t next = 0;
  for (std::size_t i = 0; i < lhs_batch.size(); ++i) origins[next++] = {{0, lhs_batch[i]}, {1, rhs_batch[i]}};
  const auto add_free = [&](std::size_t operand, std::span<const std::int64_t> batch,
                            std::span<const std::int64_t> contracting) {
    for (std::int64_t d = 0; d < instruction.operands[operand]->shape.rank(); ++d) {
      if (!IsOneOf(d, batch) && !IsOneOf(d, contracting)) origins[next++].push_back({operand, d});
    }
  };
  add_free(0, lhs_batch, instruction.Int64s("lhs_contracting_dims"));
  add_free(1, rhs_batch, instruction.Int64s("rhs_contracting_dims"));
}

// The dimensions of the indices in order, except that with the components of an index. In the places of offset_dims
// those of the operand that a slice has, if it has all elements along them.
void AddGathered(const HloInstruction& gather, const Shape& result, std::size_t, Origins& origins) {
  const Shape& operand = gather.operands[0]->shape;
  const auto is_dropped = [&](std::int64_t d) {
    return IsOneOf(d, gather.Int64s("collapsed_slice_dims")) || IsOneOf(d, gather.Int64s("operand_batching_dims"));
  };
  std::int64_t of_indices = 0, of_operand = 0;
  for (std::int64_t d = 0; d < result.rank(); ++d) {
    if (!IsOneOf(d, gather.Int64s("offset_dims"))) {
      if (of_indices == gather.Int64("index_vector_dim")) ++of_indices;
      origins[static_cast<std::size_t>(d)].push_back({1, of_indices++});
      continue;
    }
    while (is_dropped(of_operand)) ++of_operand;
    if (result.dimensions(d) == operand.dimensions(of_operand)) {
      origins[static_cast<std::size_t>(d)].push_back({0, of_operand});
    }
    ++of_operand;
  }
}

struct OriginsRow {
  std::string_view op;
  AddOrigins add;
};
constexpr OriginsRow kOrigins[] = {
    {"broadcast", AddBroadcast},
    {"concatenate", AddSamePlaces},
    {"custom-call", AddPlacesOfShardingCall},
    {"dot", AddProduct},
    {"dynamic-slice", AddWholeDimensions},
    {"dynamic-update-slice", AddSamePlaces},
    {"gather", AddGathered},
    {"pad", AddSamePlaces},
    {"reduce", AddKept},
    {"reduce-window", AddSamePlaces},
    {"reshape", AddRegrouped},
    {"reverse", AddSamePlaces},
    {"scatter", AddSamePlacesOfOne},
    {"slice", AddSamePlaces},
    {"sort", AddSamePlaces},
    {"transpose", AddPermuted},
};
constexpr std::string_view kForwarding[] = {"copy", "opt-barrier", "while"};

}  // namespace

std::vector<std::vector<DimensionOrigin>> OriginsOf(const HloInstruction& instruction, std::int64_t element) {
  const Shape& shape = instruction.shape;
  const Shape& result = shape.IsTuple() ? shape.tuple_shapes(element) : shape;
  const auto* const row = std::ranges::find(kOrigins, instruction.op->name, &OriginsRow::op);
  const bool is_elementwise = instruction.op->evaluation.kernel != nullptr;
  if (!result.IsArray() || (row == std::end(kOrigins) && !is_elementwise)) return {};
  Origins origins(static_cast<std::size_t>(result.rank()));
  (row == std::end(kOrigins) ? AddSamePlaces : row->add)(instruction, result, static_cast<std::size_t>(element),
                                                         origins);
  return origins;
}

bool ForwardsOperand(const Op& op) { return std::ranges::count(kForwarding, op.name) > 0; }

}  // namespace assay::pjrt
