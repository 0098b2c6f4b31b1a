// Which field holds which attribute, and how HLO text spells the numbers of enumerations.
#include <algorithm>
#include <unordered_map>

#include "interpreter/proto/attributes.h"

namespace assay::proto {
namespace {

const std::vector<AttributeRow>& AttributeRows() {
  namespace instruction = fields::HloInstructionProto;
  using Path = std::vector<const Field*>;
  static const Path dot = {&instruction::dot_dimension_numbers};
  static const Path ragged = {&instruction::ragged_dot_dimension_numbers};
  static const Path dot_in_ragged = {&instruction::ragged_dot_dimension_numbers,
                                     &fields::RaggedDotDimensionNumbers::dot_dimension_numbers};
  static const Path gather = {&instruction::gather_dimension_numbers};
  static const Path scatter = {&instruction::scatter_dimension_numbers};
  static const Path precision = {&instruction::precision_config};
  static const Path triangular = {&instruction::triangular_solve_options};
  static const Path rotation = {&instruction::shuffle_mode, &fields::ShuffleMode::rotate};
  static const std::vector<AttributeRow> rows = {
      {"algorithm", &fields::PrecisionConfig::algorithm, precision, "operand_precision"},
      {"algorithm", &instruction::rng_algorithm},
      {"api_version", &instruction::custom_call_api_version},
      {"async_execution_thread", &instruction::async_execution_thread},
      {"batch_group_count", &instruction::batch_group_count},
      {"channel_id", &instruction::channel_id},
      {"collapsed_slice_dims", &fields::GatherDimensionNumbers::collapsed_slice_dims, gather},
      {"constrain_layout", &instruction::constrain_layout},
      {"convolution_kind", &instruction::conv_kind},
      {"cross_program_prefetch_index", &instruction::cross_program_prefetch_index},
      {"custom_call_has_side_effect", &instruction::custom_call_has_side_effect},
      {"custom_call_target", &instruction::custom_call_target},
      {"delta", &instruction::delta},
      {"dim_labels", &instruction::convolution_dimension_numbers},
      {"dimensions", &instruction::dimensions},
      {"direction", &instruction::comparison_direction},
      {"distribution", &instruction::distribution},
      {"domain", &instruction::domain_exit_sharding},
      {"dynamic_slice_sizes", &instruction::dynamic_slice_sizes},
      {"epsilon", &instruction::epsilon},
      {"exponent_bits", &instruction::exponent_bits},
      {"feature_group_count", &instruction::feature_group_count},
      {"feature_index", &instruction::feature_index},
      {"fft_length", &instruction::fft_length},
      {"fft_type", &instruction::fft_type},
      {"has_dynamic_root", &instruction::has_dynamic_root},
      {"index", &instruction::tuple_index},
      {"index_vector_dim", &fields::GatherDimensionNumbers::index_vector_dim, gather, "offset_dims"},
      {"index_vector_dim", &fields::ScatterDimensionNumbers::index_vector_dim, scatter},
      {"indices_are_sorted", &instruction::indices_are_sorted},
      {"infeed_config", &instruction::infeed_config},
      {"inferred_dimension", &instruction::dimensions},
      {"input_batching_dims", &fields::ScatterDimensionNumbers::input_batching_dims, scatter},
      {"inserted_window_dims", &fields::ScatterDimensionNumbers::inserted_window_dims, scatter},
      {"iota_dimension", &instruction::dimensions},
      {"is_associative", &instruction::is_associative},
      {"is_composite", &instruction::is_composite},
      {"is_host_transfer", &instruction::is_host_transfer},
      {"is_reverse", &instruction::is_reverse},
      {"is_stable", &instruction::is_stable},
      {"k", &instruction::k},
      {"kind", &instruction::fusion_kind},
      {"largest", &instruction::largest},
      {"left_side", &fields::TriangularSolveOptions::left_side, triangular},
      {"lhs_batch_dims", &fields::DotDimensionNumbers::lhs_batch_dimensions, dot_in_ragged, "lhs_ragged_dims"},
      {"lhs_batch_dims", &fields::DotDimensionNumbers::lhs_batch_dimensions, dot},
      {"lhs_contracting_dims", &fields::DotDimensionNumbers::lhs_contracting_dimensions, dot_in_ragged,
       "lhs_ragged_dims"},
      {"lhs_contracting_dims", &fields::DotDimensionNumbers::lhs_contracting_dimensions, dot},
      {"lhs_ragged_dims", &fields::RaggedDotDimensionNumbers::lhs_ragged_dimensions, ragged},
      {"literal", &instruction::literal},
      {"lower", &fields::TriangularSolveOptions::lower, triangular, "left_side"},
      {"lower", &fields::CholeskyOptions::lower, {&instruction::cholesky_options}},
      {"mantissa_bits", &instruction::mantissa_bits},
      {"mode", &fields::ShuffleMode::rotate, {&instruction::shuffle_mode}, "shifts"},
      {"num_carries", &instruction::num_carries},
      {"offset_dims", &fields::GatherDimensionNumbers::offset_dims, gather},
      {"operand_batching_dims", &fields::GatherDimensionNumbers::operand_batching_dims, gather},
      {"operand_layout_constraints", &instruction::operand_shapes_with_layout},
      {"operand_precision", &fields::PrecisionConfig::operand_precision, precision},
      {"order", &instruction::comparison_order},
      {"outfeed_config", &instruction::outfeed_config},
      {"outfeed_shape", &instruction::outfeed_shape},
      {"output_to_operand_aliasing", &instruction::output_operand_aliasing},
      {"padding", &instruction::padding_config},
      {"padding_type", &instruction::padding_type},
      {"parameter_replication",
       &fields::ParameterReplication::replicated_at_leaf_buffers,
       {&instruction::parameter_replication}},
      {"rhs_batch_dims", &fields::DotDimensionNumbers::rhs_batch_dimensions, dot_in_ragged, "lhs_ragged_dims"},
      {"rhs_batch_dims", &fields::DotDimensionNumbers::rhs_batch_dimensions, dot},
      {"rhs_contracting_dims", &fields::DotDimensionNumbers::rhs_contracting_dimensions, dot_in_ragged,
       "lhs_ragged_dims"},
      {"rhs_contracting_dims", &fields::DotDimensionNumbers::rhs_contracting_dimensions, dot},
      {"rhs_group_dims", &fields::RaggedDotDimensionNumbers::rhs_group_dimensions, ragged},
      {"scatter_dims_to_operand_dims", &fields::ScatterDimensionNumbers::scatter_dims_to_operand_dims, scatter},
      {"scatter_indices_batching_dims", &fields::ScatterDimensionNumbers::scatter_indices_batching_dims, scatter},
      {"schedule", &instruction::custom_call_schedule},
      {"shifts", &fields::ShuffleMode_Rotate::shifts, rotation},
      {"slice", &instruction::slice_dimensions},
      {"slice_sizes", &instruction::gather_slice_sizes, {}, "offset_dims"},
      {"slice_sizes", &instruction::dynamic_slice_sizes},
      {"source_target_pairs", &instruction::source_target_pairs},
      {"sparsity_config", &instruction::sparsity_config},
      {"start_index_map", &fields::GatherDimensionNumbers::start_index_map, gather},
      {"start_indices_batching_dims", &fields::GatherDimensionNumbers::start_indices_batching_dims, gather},
      {"transpose_a", &fields::TriangularSolveOptions::transpose_a, triangular},
      {"type", &instruction::comparison_type},
      {"unique_indices", &instruction::unique_indices},
      {"unit_diagonal", &fields::TriangularSolveOptions::unit_diagonal, triangular},
      {"update_window_dims", &fields::ScatterDimensionNumbers::update_window_dims, scatter},
      {"use_global_device_ids", &instruction::use_global_device_ids},
      {"window", &instruction::window},
  };
  return rows;
}

struct Enumeration {
  const Field* field;
  std::vector<std::string_view> words;  // by number
};

const std::vector<Enumeration>& Enumerations() {
  namespace instruction = fields::HloInstructionProto;
  static const std::vector<Enumeration> all = {
      {&fields::PrecisionConfig::algorithm,
       {"unset", "dot_any_f8_any_f8_f32", "dot_any_f8_any_f8_f32_fast_accum", "dot_f16_f16_f16", "dot_f16_f16_f32",
        "dot_bf16_bf16_bf16", "dot_bf16_bf16_f32", "dot_bf16_bf16_f32_x3", "dot_bf16_bf16_f32_x6", "dot_tf32_tf32_f32",
        "dot_tf32_tf32_f32_x3", "dot_f32_f32_f32", "dot_f64_f64_f64", "dot_bf16_bf16_f32_x9"}},
      {&fields::PrecisionConfig::operand_precision, {"default", "high", "highest"}},
      {&instruction::rng_algorithm, {"rng_default", "rng_three_fry", "rng_philox"}},
      {&instruction::custom_call_api_version,
       {"", "API_VERSION_ORIGINAL", "API_VERSION_STATUS_RETURNING", "API_VERSION_STATUS_RETURNING_UNIFIED",
        "API_VERSION_TYPED_FFI"}},
      {&instruction::conv_kind, {"unset", "fprop", "dgrad", "wgrad"}},
      {&instruction::distribution, {"", "rng_uniform", "rng_normal"}},
      {&instruction::fft_type, {"FFT", "IFFT", "RFFT", "IRFFT"}},
      {&instruction::padding_type, {"PADDING_INVALID", "PADDING_VALID", "PADDING_SAME"}},
      {&instruction::custom_call_schedule, {"SCHEDULE_NONE", "SCHEDULE_LATEST", "SCHEDULE_EARLIEST"}},
      {&fields::TriangularSolveOptions::transpose_a, {"TRANSPOSE_INVALID", "NO_TRANSPOSE", "TRANSPOSE", "ADJOINT"}},
  };
  return all;
}

const AttributeRow* FindAttributeRow(const Op& op, const AttributeSpec& spec) {
  for (const AttributeRow& row : AttributeRows()) {
    if (row.attribute != spec.name) continue;
    if (row.beside.empty() || op.FindAttribute(row.beside) != nullptr) return &row;
  }
  return nullptr;
}

}  // namespace

std::span<const SerializedAttribute> SerializedAttributes(const Op& op) {
  static const auto all = [] {
    std::unordered_map<const Op*, std::vector<SerializedAttribute>> attributes;
    for (const Op* one : AllOps()) {
      for (const AttributeSpec& spec : one->syntax.attributes) {
        if (const AttributeRow* const row = FindAttributeRow(*one, spec)) attributes[one].push_back({&spec, row});
      }
    }
    return attributes;
  }();
  const auto found = all.find(&op);
  return found == all.end() ? std::span<const SerializedAttribute>() : found->second;
}

std::span<const std::string_view> WordsOf(const Field& field) {
  for (const Enumeration& enumeration : Enumerations()) {
    if (enumeration.field == &field) return enumeration.words;
  }
  return {};
}

}  // namespace assay::proto
