// The names of the attributes of HLO instructions.
#pragma once

#include <fmt/core.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <iterator>
#include <string_view>

namespace assay {

// Sorted. A new attribute needs a name here, and a row in the records of the ops that have it.
inline constexpr std::string_view kAttributeNames[] = {
    "algorithm",
    "api_version",
    "async_execution_thread",
    "batch_group_count",
    "block_scaling_config",
    "body",
    "branch_computations",
    "called_computations",
    "calls",
    "channel_id",
    "collapsed_slice_dims",
    "condition",
    "constrain_layout",
    "convolution_kind",
    "cross_program_prefetch_index",
    "custom_call_has_side_effect",
    "custom_call_target",
    "delta",
    "dim_labels",
    "dimensions",
    "direction",
    "distribution",
    "domain",
    "dynamic_slice_sizes",
    "epsilon",
    "exponent_bits",
    "false_computation",
    "feature_group_count",
    "feature_index",
    "fft_length",
    "fft_type",
    "has_dynamic_root",
    "index",
    "index_vector_dim",
    "indices_are_sorted",
    "infeed_config",
    "inferred_dimension",
    "input_batching_dims",
    "inserted_window_dims",
    "iota_dimension",
    "is_associative",
    "is_composite",
    "is_host_transfer",
    "is_reverse",
    "is_stable",
    "k",
    "kind",
    "largest",
    "left_side",
    "lhs_batch_dims",
    "lhs_contracting_dims",
    "lhs_ragged_dims",
    "literal",
    "lower",
    "mantissa_bits",
    "mode",
    "num_carries",
    "offset_dims",
    "operand_batching_dims",
    "operand_layout_constraints",
    "operand_precision",
    "order",
    "outfeed_config",
    "outfeed_shape",
    "output_to_operand_aliasing",
    "padding",
    "padding_type",
    "parameter_replication",
    "replica_groups",
    "rhs_batch_dims",
    "rhs_contracting_dims",
    "rhs_group_dims",
    "scatter",
    "scatter_dims_to_operand_dims",
    "scatter_indices_batching_dims",
    "schedule",
    "select",
    "shifts",
    "slice",
    "slice_sizes",
    "source_target_pairs",
    "sparsity_config",
    "start_index_map",
    "start_indices_batching_dims",
    "to_apply",
    "transpose_a",
    "true_computation",
    "type",
    "unique_indices",
    "unit_diagonal",
    "update_window_dims",
    "use_global_device_ids",
    "window",
};

// The name of an attribute. A literal that is not one of the names does not compile, neither in a record nor where an
// attribute is read.
class AttributeName {
 public:
  constexpr AttributeName() = default;
  // NOLINTNEXTLINE(google-explicit-constructor): a name is written as a literal
  consteval AttributeName(const char* name) {
    const auto* const found = std::ranges::lower_bound(kAttributeNames, std::string_view(name));
    if (found == std::end(kAttributeNames) || *found != name) std::abort();  // HLO has no such attribute
    place_ = static_cast<std::uint8_t>(found - kAttributeNames);
  }
  constexpr operator std::string_view() const { return text(); }
  constexpr std::string_view text() const { return empty() ? std::string_view() : kAttributeNames[place_]; }
  constexpr bool empty() const { return place_ == kNone; }
  constexpr bool operator==(const AttributeName&) const = default;

 private:
  static constexpr std::uint8_t kNone = 255;
  static_assert(std::size(kAttributeNames) < kNone);

  std::uint8_t place_ = kNone;  // index into the names: comparing two is cheap
};

}  // namespace assay

template <>
struct fmt::formatter<assay::AttributeName> {
  constexpr auto parse(fmt::format_parse_context& context) { return context.begin(); }
  auto format(assay::AttributeName name, fmt::format_context& context) const {
    return std::ranges::copy(name.text(), context.out()).out;
  }
};
