#include "interpreter/stablehlo/attribute_pairs.h"

#include <algorithm>

#include "interpreter/stablehlo/from_hlo_rows.h"
#include "interpreter/types/ascii.h"

namespace assay::stablehlo {
namespace {

using enum PairForm;

// Sorted by owner.
constexpr AttributePair kPairs[] = {
    {"#dot", "lhs_batching_dimensions", "lhs_batch_dims"},
    {"#dot", "rhs_batching_dimensions", "rhs_batch_dims"},
    {"#dot", "lhs_contracting_dimensions", "lhs_contracting_dims"},
    {"#dot", "rhs_contracting_dimensions", "rhs_contracting_dims"},
    {"#gather", "offset_dims", "offset_dims"},
    {"#gather", "collapsed_slice_dims", "collapsed_slice_dims"},
    {"#gather", "operand_batching_dims", "operand_batching_dims"},
    {"#gather", "start_indices_batching_dims", "start_indices_batching_dims"},
    {"#gather", "start_index_map", "start_index_map"},
    {"#gather", "index_vector_dim", "index_vector_dim", kNumber},
    {"#ragged_dot", "lhs_ragged_dimensions", "lhs_ragged_dims"},
    {"#ragged_dot", "rhs_group_dimensions", "rhs_group_dims"},
    {"#scatter", "update_window_dims", "update_window_dims"},
    {"#scatter", "inserted_window_dims", "inserted_window_dims"},
    {"#scatter", "input_batching_dims", "input_batching_dims"},
    {"#scatter", "scatter_indices_batching_dims", "scatter_indices_batching_dims"},
    {"#scatter", "scatter_dims_to_operand_dims", "scatter_dims_to_operand_dims"},
    {"#scatter", "index_vector_dim", "index_vector_dim", kNumber},
    {"all_gather", "all_gather_dim", "dimensions", kOnlyNumber, true},
    {"batch_norm_grad", "epsilon", "epsilon", kReal},
    {"batch_norm_grad", "feature_index", "feature_index", kNumber, true},
    {"batch_norm_inference", "epsilon", "epsilon", kReal},
    {"batch_norm_inference", "feature_index", "feature_index", kNumber, true},
    {"batch_norm_training", "epsilon", "epsilon", kReal},
    {"batch_norm_training", "feature_index", "feature_index", kNumber, true},
    {"broadcast_in_dim", "broadcast_dimensions", "dimensions"},
    {"cholesky", "lower", "lower", kFlag},
    {"compare", "comparison_direction", "direction", kWord, false, "comparison_direction"},
    {"concatenate", "dimension", "dimensions", kOnlyNumber, true},
    {"convolution", "batch_group_count", "batch_group_count", kNumber},
    {"convolution", "feature_group_count", "feature_group_count", kNumber},
    {"dynamic_slice", "slice_sizes", "dynamic_slice_sizes", kNumbers, true},
    {"fft", "fft_length", "fft_length", kNumbers, true},
    {"fft", "fft_type", "fft_type", kWord, false, "fft_type"},
    {"gather", "indices_are_sorted", "indices_are_sorted", kFlag},
    {"gather", "slice_sizes", "slice_sizes", kNumbers, true},
    {"get_dimension_size", "dimension", "dimensions", kOnlyNumber, true},
    {"iota", "iota_dimension", "iota_dimension", kNumber, true},
    {"mhlo.xla.rng_get_and_update_state", "delta", "delta", kNumber, true},
    {"reduce", "dimensions", "dimensions"},
    {"reduce_precision", "exponent_bits", "exponent_bits", kNumber32, true},
    {"reduce_precision", "mantissa_bits", "mantissa_bits", kNumber32, true},
    {"reduce_scatter", "scatter_dimension", "dimensions", kOnlyNumber, true},
    {"reverse", "dimensions", "dimensions", kNumbers, true},
    {"rng", "rng_distribution", "distribution", kRandomWord, false, "rng_distribution"},
    {"rng_bit_generator", "rng_algorithm", "algorithm", kRandomWord, false, "rng_algorithm"},
    {"scatter", "indices_are_sorted", "indices_are_sorted", kFlag},
    {"scatter", "unique_indices", "unique_indices", kFlag},
    {"set_dimension_size", "dimension", "dimensions", kOnlyNumber, true},
    {"sort", "dimension", "dimensions", kOnlyNumber, true},
    {"sort", "is_stable", "is_stable", kFlag},
    {"transpose", "permutation", "dimensions", kNumbers, true},
    {"triangular_solve", "left_side", "left_side", kFlag},
    {"triangular_solve", "lower", "lower", kFlag},
    {"triangular_solve", "transpose_a", "transpose_a", kWord, false, "transpose", "NO_TRANSPOSE"},
    {"triangular_solve", "unit_diagonal", "unit_diagonal", kFlag},
};

// Returns the value in HLO; empty for one that HLO omits.
Result<AttributeValue> ValueInHlo(const AttributeReader& attributes, const AttributePair& pair) {
  const std::string_view name = pair.stablehlo;
  switch (pair.form) {
    case kNumber:
    case kNumber32:
    case kOnlyNumber: {
      ASSAY_TRY(const std::int64_t number,
                pair.is_required ? attributes.RequiredInteger(name) : attributes.Integer(name, 0));
      return pair.form == kOnlyNumber ? AttributeValue(Int64List{number}) : AttributeValue(number);
    }
    case kNumbers: {
      ASSAY_TRY(Int64List numbers, pair.is_required ? attributes.RequiredIntegers(name) : attributes.Integers(name));
      return AttributeValue(std::move(numbers));
    }
    case kFlag: {
      ASSAY_TRY(const bool is_set, attributes.Bool(name));
      return is_set ? AttributeValue(true) : AttributeValue();
    }
    case kReal: {
      ASSAY_TRY(const double number, attributes.Float(name, 0));
      return AttributeValue(number);
    }
    case kWord: {
      ASSAY_TRY(std::string word, attributes.Word(name));
      return word.empty() ? AttributeValue() : AttributeValue(std::move(word));
    }
    case kRandomWord: {
      ASSAY_TRY(const std::string word, attributes.Word(name));
      return AttributeValue("rng_" + AsciiLower(word));
    }
  }
  return AttributeValue();
}

Attribute ValueInStablehlo(const HloInstruction& instruction, const AttributePair& pair) {
  switch (pair.form) {
    case kNumber:
      return Number(instruction.Int64(pair.hlo));
    case kNumber32:
      return Number(instruction.Int64(pair.hlo), S32);
    case kOnlyNumber:
      return Number(instruction.Int64s(pair.hlo)[0]);
    case kNumbers:
      return Numbers(instruction.Int64s(pair.hlo));
    case kFlag:
      return {instruction.Bool(pair.hlo)};
    case kReal:
      return {FloatAttribute{instruction.Float(pair.hlo), F32}};
    case kRandomWord:
      return Word(pair.enumeration, AsciiUpper(instruction.String(pair.hlo).substr(4)));
    case kWord:
      break;
  }
  const std::string_view word = instruction.String(pair.hlo);
  return Word(pair.enumeration, word.empty() ? pair.if_absent : word);
}

}  // namespace

std::span<const AttributePair> PairsOf(std::string_view owner) {
  const auto* begin = std::ranges::lower_bound(kPairs, owner, {}, &AttributePair::owner);
  return {begin, std::ranges::upper_bound(begin, std::end(kPairs), owner, {}, &AttributePair::owner)};
}

Status SetPairs(const AttributeReader& attributes, std::span<const AttributePair> pairs, HloInstruction& instruction) {
  for (const AttributePair& pair : pairs) {
    ASSAY_TRY(AttributeValue value, ValueInHlo(attributes, pair));
    if (!std::holds_alternative<std::monostate>(value)) instruction.Set(pair.hlo, std::move(value));
  }
  return {};
}

std::vector<NamedAttribute> EntriesOf(const HloInstruction& instruction, std::span<const AttributePair> pairs) {
  std::vector<NamedAttribute> entries;
  for (const AttributePair& pair : pairs) {
    entries.push_back({std::string(pair.stablehlo), ValueInStablehlo(instruction, pair)});
  }
  return entries;
}

}  // namespace assay::stablehlo
