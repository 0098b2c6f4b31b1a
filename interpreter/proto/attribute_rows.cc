// The fields of attributes, and the words of HLO text for the numbers of enumerations.
#include <algorithm>
#include <unordered_map>

#include "interpreter/proto/attributes.h"

namespace assay::proto {
namespace {

namespace row_field = fields::HloInstructionProto;

// The path of messages nested in the instruction's message, the outer one first.
using Path = std::array<const Field*, 2>;
constexpr Path kHere = {};
constexpr Path kPrecision = {&row_field::precision_config};
constexpr Path kDot = {&row_field::dot_dimension_numbers};
constexpr Path kRagged = {&row_field::ragged_dot_dimension_numbers};
constexpr Path kDotInRagged = {&row_field::ragged_dot_dimension_numbers,
                               &fields::RaggedDotDimensionNumbers::dot_dimension_numbers};
constexpr Path kShuffle = {&row_field::shuffle_mode};
constexpr Path kReplication = {&row_field::parameter_replication};

// The field of an attribute that has another name, or another place than those of kPlaces. An attribute of one name may
// have different fields for different ops: `beside` names another attribute that only those ops have.
struct AttributeRow {
  AttributeName attribute;
  const Field* field = nullptr;  // null: the attribute is not serialized as a field
  Path within = {};
  AttributeName beside = {};
};
constexpr AttributeRow kAttributeRows[] = {
    {"algorithm", &fields::PrecisionConfig::algorithm, kPrecision, "operand_precision"},
    {"algorithm", &row_field::rng_algorithm},
    {"api_version", &row_field::custom_call_api_version},
    {"block_scaling_config"},
    {"convolution_kind", &row_field::conv_kind},
    {"dim_labels", &row_field::convolution_dimension_numbers},
    {"direction", &row_field::comparison_direction},
    {"domain", &row_field::domain_exit_sharding},
    {"index", &row_field::tuple_index},
    {"inferred_dimension", &row_field::dimensions},
    {"iota_dimension", &row_field::dimensions},
    {"kind", &row_field::fusion_kind},
    {"lhs_batch_dims", &fields::DotDimensionNumbers::lhs_batch_dimensions, kDotInRagged, "lhs_ragged_dims"},
    {"lhs_batch_dims", &fields::DotDimensionNumbers::lhs_batch_dimensions, kDot},
    {"lhs_contracting_dims", &fields::DotDimensionNumbers::lhs_contracting_dimensions, kDotInRagged, "lhs_ragged_dims"},
    {"lhs_contracting_dims", &fields::DotDimensionNumbers::lhs_contracting_dimensions, kDot},
    {"lhs_ragged_dims", &fields::RaggedDotDimensionNumbers::lhs_ragged_dimensions, kRagged},
    {"mode", &fields::ShuffleMode::rotate, kShuffle, "shifts"},
    {"operand_layout_constraints", &row_field::operand_shapes_with_layout},
    {"order", &row_field::comparison_order},
    {"output_to_operand_aliasing", &row_field::output_operand_aliasing},
    {"padding", &row_field::padding_config},
    {"parameter_replication", &fields::ParameterReplication::replicated_at_leaf_buffers, kReplication},
    {"replica_groups"},
    {"rhs_batch_dims", &fields::DotDimensionNumbers::rhs_batch_dimensions, kDotInRagged, "lhs_ragged_dims"},
    {"rhs_batch_dims", &fields::DotDimensionNumbers::rhs_batch_dimensions, kDot},
    {"rhs_contracting_dims", &fields::DotDimensionNumbers::rhs_contracting_dimensions, kDotInRagged, "lhs_ragged_dims"},
    {"rhs_contracting_dims", &fields::DotDimensionNumbers::rhs_contracting_dimensions, kDot},
    {"rhs_group_dims", &fields::RaggedDotDimensionNumbers::rhs_group_dimensions, kRagged},
    {"schedule", &row_field::custom_call_schedule},
    {"slice", &row_field::slice_dimensions},
    {"slice_sizes", &row_field::gather_slice_sizes, kHere, "offset_dims"},
    {"slice_sizes", &row_field::dynamic_slice_sizes},
    {"type", &row_field::comparison_type},
};

// The messages in which an attribute without a row is the field of its name; the first one that has it counts.
struct AttributePlace {
  Path within;
  AttributeName beside;  // an attribute of all ops that have the message
};
constexpr AttributePlace kPlaces[] = {
    {kHere, {}},
    {kPrecision, "operand_precision"},
    {{&row_field::gather_dimension_numbers}, "offset_dims"},
    {{&row_field::scatter_dimension_numbers}, "update_window_dims"},
    {{&row_field::triangular_solve_options}, "left_side"},
    {{&row_field::cholesky_options}, "lower"},
    {{&row_field::shuffle_mode, &fields::ShuffleMode::rotate}, "shifts"},
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

// Returns the attribute with its place; without a field if XLA does not serialize it as one.
SerializedAttribute Serialized(const Op& op, const AttributeSpec& spec) {
  const auto has = [&](AttributeName beside) { return beside.empty() || op.FindAttribute(beside) != nullptr; };
  for (const AttributeRow& row : kAttributeRows) {
    if (row.attribute == spec.name && has(row.beside)) return {&spec, row.field, row.within};
  }
  for (const AttributePlace& place : kPlaces) {
    const auto [outer, inner] = place.within;
    const Field* const last = inner == nullptr ? outer : inner;
    const MessageType message = last == nullptr ? MessageType::HloInstructionProto : last->message;
    const Field* const field = has(place.beside) ? FindField(message, spec.name) : nullptr;
    if (field != nullptr) return {&spec, field, place.within};
  }
  return {&spec, nullptr, {}};
}

}  // namespace

std::span<const SerializedAttribute> SerializedAttributes(const Op& op) {
  static const auto all = [] {
    std::unordered_map<const Op*, std::vector<SerializedAttribute>> attributes;
    for (const Op* one : AllOps()) {
      for (const AttributeSpec& spec : one->syntax.attributes) {
        const SerializedAttribute attribute = Serialized(*one, spec);
        if (attribute.field != nullptr) attributes[one].push_back(attribute);
      }
    }
    return attributes;
  }();
  const auto found = all.find(&op);
  return found == all.end() ? std::span<const SerializedAttribute>() : found->second;
}

std::span<const std::string_view> WordsOf(const Field& field) {
  for (const Enumeration& enumeration : Enumerations()) {
    if (*enumeration.field == field) return enumeration.words;
  }
  return {};
}

}  // namespace assay::proto
