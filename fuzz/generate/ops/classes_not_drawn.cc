// Attribute classes that no drawn instruction has, although the kind of the attribute has them.
#include <algorithm>
#include <map>
#include <string_view>
#include <vector>

#include "fuzz/generate/instructions.h"

namespace assay::generate {
namespace {

struct NotDrawn {
  std::string_view op, attribute, name;  // no op: any
};

constexpr NotDrawn kNotDrawn[] = {
    // Illegal, whatever the other attributes are.
    {"", "channel_id", "0"},
    {"convolution", "batch_group_count", "0"},
    {"convolution", "feature_group_count", "0"},
    {"fft", "fft_length", "none"},
    {"gather", "collapsed_slice_dims", "in another order"},
    {"gather", "offset_dims", "in another order"},
    {"gather", "operand_batching_dims", "in another order"},
    {"map", "dimensions", "in another order"},
    {"ragged-dot", "lhs_contracting_dims", "none"},
    {"ragged-dot", "lhs_ragged_dims", "absent"},
    {"ragged-dot", "lhs_ragged_dims", "ascending"},
    {"ragged-dot", "lhs_ragged_dims", "in another order"},
    {"ragged-dot", "lhs_ragged_dims", "none"},
    {"ragged-dot", "rhs_contracting_dims", "none"},
    {"ragged-dot", "rhs_group_dims", "ascending"},
    {"ragged-dot", "rhs_group_dims", "in another order"},
    {"reduce-precision", "exponent_bits", "0"},
    {"scatter", "input_batching_dims", "in another order"},
    {"scatter", "inserted_window_dims", "in another order"},
    {"scatter", "update_window_dims", "in another order"},
    {"triangular-solve", "transpose_a", "TRANSPOSE_INVALID"},
    {"triangular-solve", "transpose_a", "absent"},
    // Not evaluated.
    {"", "block_scaling_config", "set"},
    {"", "sparsity_config", "set"},
    {"fusion", "kind", "kCustom"},
    // Equivalent to a class that is drawn.
    {"async-start", "calls", "absent"},
    {"async-update", "output_to_operand_aliasing", "set"},
    {"call", "is_composite", "false"},
    {"compare", "type", "FLOAT"},
    {"compare", "type", "SIGNED"},
    {"compare", "type", "UNSIGNED"},
    {"convolution", "window", "absent"},
    {"map", "dimensions", "absent"},
    {"outfeed", "outfeed_shape", "absent"},
    {"ragged-dot", "lhs_contracting_dims", "absent"},
    {"ragged-dot", "rhs_contracting_dims", "absent"},
    {"ragged-dot", "rhs_group_dims", "none"},
    {"recv", "channel_id", "absent"},
    {"recv-done", "channel_id", "absent"},
    {"reduce-window", "window", "absent"},
    {"scaled-dot", "lhs_contracting_dims", "absent"},
    {"scaled-dot", "rhs_contracting_dims", "absent"},
    {"select-and-scatter", "window", "absent"},
    {"send", "channel_id", "absent"},
    {"send-done", "channel_id", "absent"},
    // The op ignores it.
    {"custom-call", "dim_labels", "batch not first"},
    {"custom-call", "dim_labels", "more spatial dimensions"},
    {"custom-call", "dim_labels", "one spatial dimension"},
    {"custom-call", "dim_labels", "two spatial dimensions"},
    {"custom-call", "window", "plain"},
    // Exactly one dimension is contracted.
    {"ragged-dot", "lhs_contracting_dims", "ascending"},
    {"ragged-dot", "lhs_contracting_dims", "in another order"},
    {"ragged-dot", "rhs_contracting_dims", "ascending"},
    {"ragged-dot", "rhs_contracting_dims", "in another order"},
    {"scaled-dot", "lhs_contracting_dims", "ascending"},
    {"scaled-dot", "lhs_contracting_dims", "in another order"},
    {"scaled-dot", "lhs_contracting_dims", "none"},
    {"scaled-dot", "rhs_contracting_dims", "ascending"},
    {"scaled-dot", "rhs_contracting_dims", "in another order"},
    {"scaled-dot", "rhs_contracting_dims", "none"},
};

bool IsNotDrawn(const Op& op, const AttributeClass& one) {
  return std::ranges::any_of(kNotDrawn, [&](const NotDrawn& row) {
    return (row.op.empty() || row.op == op.name) && row.attribute == one.attribute->name.text() && row.name == one.name;
  });
}

}  // namespace

const std::vector<AttributeClass>& ClassesDrawn(const Op& op) {
  static const auto all = [] {
    std::map<const Op*, std::vector<AttributeClass>> found;
    for (const Op* one : DrawableOps()) {
      found[one] = ClassesOfRecord(*one);
      std::erase_if(found[one], [&](const AttributeClass& row) { return IsNotDrawn(*one, row); });
    }
    return found;
  }();
  return all.at(&op);
}

}  // namespace assay::generate
