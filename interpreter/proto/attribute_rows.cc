// The field of each attribute, and the words of HLO text for the numbers of enumerations.
#include <algorithm>
#include <unordered_map>

#include "interpreter/proto/attributes.h"

namespace assay::proto {
namespace {

namespace row_field = fields::HloInstructionProto;

// The path of messages nested in the instruction's message, the outer one first.
using Path = std::array<const Field*, 2>;
constexpr Path kHere = {};
constexpr Path kDot = {&row_field::dot_dimension_numbers};
constexpr Path kRagged = {&row_field::ragged_dot_dimension_numbers};
constexpr Path kDotInRagged = {&row_field::ragged_dot_dimension_numbers,
                               &fields::RaggedDotDimensionNumbers::dot_dimension_numbers};
constexpr Path kGather = {&row_field::gather_dimension_numbers};
constexpr Path kScatter = {&row_field::scatter_dimension_numbers};
constexpr Path kPrecision = {&row_field::precision_config};
constexpr Path kTriangular = {&row_field::triangular_solve_options};
constexpr Path kCholesky = {&row_field::cholesky_options};
constexpr Path kShuffle = {&row_field::shuffle_mode};
constexpr Path kRotation = {&row_field::shuffle_mode, &fields::ShuffleMode::rotate};
constexpr Path kReplication = {&row_field::parameter_replication};

constexpr AttributeRow kAttributeRows[] = {
    {"algorithm", &fields::PrecisionConfig::algorithm, kPrecision, "operand_precision"},
    {"algorithm", &row_field::rng_algorithm},
    {"api_version", &row_field::custom_call_api_version},
    {"async_execution_thread", &row_field::async_execution_thread},
    {"batch_group_count", &row_field::batch_group_count},
    {"channel_id", &row_field::channel_id},
    {"collapsed_slice_dims", &fields::GatherDimensionNumbers::collapsed_slice_dims, kGather},
    {"constrain_layout", &row_field::constrain_layout},
    {"convolution_kind", &row_field::conv_kind},
    {"cross_program_prefetch_index", &row_field::cross_program_prefetch_index},
    {"custom_call_has_side_effect", &row_field::custom_call_has_side_effect},
    {"custom_call_target", &row_field::custom_call_target},
    {"delta", &row_field::delta},
    {"dim_labels", &row_field::convolution_dimension_numbers},
    {"dimensions", &row_field::dimensions},
    {"direction", &row_field::comparison_direction},
    {"distribution", &row_field::distribution},
    {"domain", &row_field::domain_exit_sharding},
    {"dynamic_slice_sizes", &row_field::dynamic_slice_sizes},
    {"epsilon", &row_field::epsilon},
    {"exponent_bits", &row_field::exponent_bits},
    {"feature_group_count", &row_field::feature_group_count},
    {"feature_index", &row_field::feature_index},
    {"fft_length", &row_field::fft_length},
    {"fft_type", &row_field::fft_type},
    {"has_dynamic_root", &row_field::has_dynamic_root},
    {"index", &row_field::tuple_index},
    {"index_vector_dim", &fields::GatherDimensionNumbers::index_vector_dim, kGather, "offset_dims"},
    {"index_vector_dim", &fields::ScatterDimensionNumbers::index_vector_dim, kScatter},
    {"indices_are_sorted", &row_field::indices_are_sorted},
    {"infeed_config", &row_field::infeed_config},
    {"inferred_dimension", &row_field::dimensions},
    {"input_batching_dims", &fields::ScatterDimensionNumbers::input_batching_dims, kScatter},
    {"inserted_window_dims", &fields::ScatterDimensionNumbers::inserted_window_dims, kScatter},
    {"iota_dimension", &row_field::dimensions},
    {"is_associative", &row_field::is_associative},
    {"is_composite", &row_field::is_composite},
    {"is_host_transfer", &row_field::is_host_transfer},
    {"is_reverse", &row_field::is_reverse},
    {"is_stable", &row_field::is_stable},
    {"k", &row_field::k},
    {"kind", &row_field::fusion_kind},
    {"largest", &row_field::largest},
    {"left_side", &fields::TriangularSolveOptions::left_side, kTriangular},
    {"lhs_batch_dims", &fields::DotDimensionNumbers::lhs_batch_dimensions, kDotInRagged, "lhs_ragged_dims"},
    {"lhs_batch_dims", &fields::DotDimensionNumbers::lhs_batch_dimensions, kDot},
    {"lhs_contracting_dims", &fields::DotDimensionNumbers::lhs_contracting_dimensions, kDotInRagged, "lhs_ragged_dims"},
    {"lhs_contracting_dims", &fields::DotDimensionNumbers::lhs_contracting_dimensions, kDot},
    {"lhs_ragged_dims", &fields::RaggedDotDimensionNumbers::lhs_ragged_dimensions, kRagged},
    {"literal", &row_field::literal},
    {"lower", &fields::TriangularSolveOptions::lower, kTriangular, "left_side"},
    {"lower", &fields::CholeskyOptions::lower, kCholesky},
    {"mantissa_bits", &row_field::mantissa_bits},
    {"mode", &fields::ShuffleMode::rotate, kShuffle, "shifts"},
    {"num_carries", &row_field::num_carries},
    {"offset_dims", &fields::GatherDimensionNumbers::offset_dims, kGather},
    {"operand_batching_dims", &fields::GatherDimensionNumbers::operand_batching_dims, kGather},
    {"operand_layout_constraints", &row_field::operand_shapes_with_layout},
    {"operand_precision", &fields::PrecisionConfig::operand_precision, kPrecision},
    {"order", &row_field::comparison_order},
    {"outfeed_config", &row_field::outfeed_config},
    {"outfeed_shape", &row_field::outfeed_shape},
    {"output_to_operand_aliasing", &row_field::output_operand_aliasing},
    {"padding", &row_field::padding_config},
    {"padding_type", &row_field::padding_type},
    {"parameter_replication", &fields::ParameterReplication::replicated_at_leaf_buffers, kReplication},
    {"rhs_batch_dims", &fields::DotDimensionNumbers::rhs_batch_dimensions, kDotInRagged, "lhs_ragged_dims"},
    {"rhs_batch_dims", &fields::DotDimensionNumbers::rhs_batch_dimensions, kDot},
    {"rhs_contracting_dims", &fields::DotDimensionNumbers::rhs_contracting_dimensions, kDotInRagged, "lhs_ragged_dims"},
    {"rhs_contracting_dims", &fields::DotDimensionNumbers::rhs_contracting_dimensions, kDot},
    {"rhs_group_dims", &fields::RaggedDotDimensionNumbers::rhs_group_dimensions, kRagged},
    {"scatter_dims_to_operand_dims", &fields::ScatterDimensionNumbers::scatter_dims_to_operand_dims, kScatter},
    {"scatter_indices_batching_dims", &fields::ScatterDimensionNumbers::scatter_indices_batching_dims, kScatter},
    {"schedule", &row_field::custom_call_schedule},
    {"shifts", &fields::ShuffleMode_Rotate::shifts, kRotation},
    {"slice", &row_field::slice_dimensions},
    {"slice_sizes", &row_field::gather_slice_sizes, kHere, "offset_dims"},
    {"slice_sizes", &row_field::dynamic_slice_sizes},
    {"source_target_pairs", &row_field::source_target_pairs},
    {"sparsity_config", &row_field::sparsity_config},
    {"start_index_map", &fields::GatherDimensionNumbers::start_index_map, kGather},
    {"start_indices_batching_dims", &fields::GatherDimensionNumbers::start_indices_batching_dims, kGather},
    {"transpose_a", &fields::TriangularSolveOptions::transpose_a, kTriangular},
    {"type", &row_field::comparison_type},
    {"unique_indices", &row_field::unique_indices},
    {"unit_diagonal", &fields::TriangularSolveOptions::unit_diagonal, kTriangular},
    {"update_window_dims", &fields::ScatterDimensionNumbers::update_window_dims, kScatter},
    {"use_global_device_ids", &row_field::use_global_device_ids},
    {"window", &row_field::window},
};

struct Enumeration {
  const Field* field;
  std::vector<std::string_view> words;  // by number
};

const std::vector<Enumeration>& Enumerations() {
  static const std::vector<Enumeration> all = {
      {&fields::PrecisionConfig::algorithm,
       {"unset", "dot_any_f8_any_f8_f32", "dot_any_f8_any_f8_f32_fast_accum", "dot_f16_f16_f16", "dot_f16_f16_f32",
        "dot_bf16_bf16_bf16", "dot_bf16_bf16_f32", "dot_bf16_bf16_f32_x3", "dot_bf16_bf16_f32_x6", "dot_tf32_tf32_f32",
        "dot_tf32_tf32_f32_x3", "dot_f32_f32_f32", "dot_f64_f64_f64", "dot_bf16_bf16_f32_x9",
        // The next two have no specification: no op accepts them, and the error names them.
        "dot_bf16_bf16_fp8x3", "dot_bf16_bf16_fp8x4"}},
      {&fields::PrecisionConfig::operand_precision, {"default", "high", "highest"}},
      {&row_field::rng_algorithm, {"rng_default", "rng_three_fry", "rng_philox"}},
      {&row_field::custom_call_api_version,
       {"", "API_VERSION_ORIGINAL", "API_VERSION_STATUS_RETURNING", "API_VERSION_STATUS_RETURNING_UNIFIED",
        "API_VERSION_TYPED_FFI"}},
      {&row_field::conv_kind, {"unset", "fprop", "dgrad", "wgrad"}},
      {&row_field::distribution, {"", "rng_uniform", "rng_normal"}},
      {&row_field::fft_type, {"FFT", "IFFT", "RFFT", "IRFFT"}},
      {&row_field::padding_type, {"PADDING_INVALID", "PADDING_VALID", "PADDING_SAME"}},
      {&row_field::custom_call_schedule, {"SCHEDULE_NONE", "SCHEDULE_LATEST", "SCHEDULE_EARLIEST"}},
      {&fields::TriangularSolveOptions::transpose_a, {"TRANSPOSE_INVALID", "NO_TRANSPOSE", "TRANSPOSE", "ADJOINT"}},
  };
  return all;
}

const AttributeRow* FindAttributeRow(const Op& op, const AttributeSpec& spec) {
  for (const AttributeRow& row : kAttributeRows) {
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
    if (enumeration.field->owner == field.owner && enumeration.field->number == field.number) return enumeration.words;
  }
  return {};
}

}  // namespace assay::proto
