#include "interpreter/stablehlo/vhlo_operations.h"

#include <fmt/format.h>

#include <functional>
#include <map>
#include <utility>

#include "interpreter/stablehlo/text_forms.h"

namespace assay::stablehlo {
namespace {

struct VhloRow {
  std::string_view names;
  // The attributes in alphabetical order, which is that of the encoded properties. A colon introduces the form in
  // StableHLO (VhloForm), an equals sign the value that StableHLO omits (VhloAttribute).
  std::string_view attributes;
};
// From StableHLO's VhloOps.td (names) and VhloLegalizeToStablehlo.cpp (forms and defaults).
constexpr VhloRow kVhloRows[] = {
    {"all_gather_v1 all_gather_v2",
     "all_gather_dim channel_id:channel=0 replica_groups use_global_device_ids:unit=false"},
    {"all_reduce_v1 all_reduce_v2", "channel_id:channel=0 replica_groups use_global_device_ids:unit=false"},
    {"all_to_all_v1 all_to_all_v2", "channel_id:channel=0 concat_dimension replica_groups split_count split_dimension"},
    {"batch_norm_grad_v1 batch_norm_inference_v1 batch_norm_training_v1", "epsilon feature_index"},
    {"broadcast_in_dim_v1", "broadcast_dimensions:integers"},
    {"broadcast_v1", "broadcast_sizes:integers"},
    {"call_v1", "callee:symbol"},
    {"cbrt_v2 cosine_v2 exponential_minus_one_v2 exponential_v2 log_plus_one_v2 log_v2 logistic_v2 rsqrt_v2 sine_v2 "
     "sqrt_v2 tan_v2 tanh_v2",
     "result_accuracy=default"},
    {"cholesky_v1", "lower=false"},
    {"collective_broadcast_v1", "channel_id:channel=0 replica_groups"},
    {"collective_broadcast_v2", "channel_id:channel=0 has_dynamic_root:unit=false replica_groups"},
    {"collective_permute_v1", "channel_id:channel=0 source_target_pairs"},
    {"collective_reduce_v1",
     "channel_id:channel=0 has_dynamic_root:unit=false replica_groups use_global_device_ids:unit=false"},
    {"compare_v1", "compare_type=NOTYPE comparison_direction"},
    {"composite_v1 composite_v2", "composite_attributes={} decomposition:symbol name version=0"},
    {"concatenate_v1 get_dimension_size_v1 set_dimension_size_v1", "dimension"},
    {"constant_v1", "value"},
    {"convolution_v1",
     "batch_group_count feature_group_count input_batch_dimension input_feature_dimension "
     "input_spatial_dimensions kernel_input_feature_dimension kernel_output_feature_dimension "
     "kernel_spatial_dimensions lhs_dilation:integers=ones output_batch_dimension "
     "output_feature_dimension output_spatial_dimensions padding=zeros "
     "precision_config=DEFAULT rhs_dilation:integers=ones window_reversal:booleans=zeros "
     "window_strides:integers=ones"},
    {"cross-replica-sum_v1", "replica_groups"},
    {"custom_call_v1",
     "api_version=1 backend_config=\"\" call_target_name called_computations:symbols=[] "
     "has_side_effect=false operand_layouts=[] output_operand_aliases=[] result_layouts=[]"},
    {"custom_call_v2",
     "api_version=1 backend_config=\"\" call_target_name called_computations:symbols=[] "
     "has_side_effect=false operand_layouts=[] output_operand_aliases=[] result_layouts=[] result_tilings=[]"},
    {"dot_general_v1",
     "lhs_batching_dimensions lhs_contracting_dimensions precision_config=DEFAULT "
     "rhs_batching_dimensions rhs_contracting_dimensions"},
    {"dot_general_v2",
     "accumulation_type allow_imprecise_accumulation lhs_batching_dimensions "
     "lhs_component_count lhs_contracting_dimensions lhs_precision_type "
     "num_primitive_operations precision_config=DEFAULT rhs_batching_dimensions "
     "rhs_component_count rhs_contracting_dimensions rhs_precision_type"},
    {"dot_v1", "precision_config=DEFAULT"},
    {"dynamic_broadcast_in_dim_v1",
     "broadcast_dimensions:integers known_expanding_dimensions:integers=none "
     "known_nonexpanding_dimensions:integers=none"},
    {"dynamic_conv_v1",
     "batch_group_count feature_group_count input_batch_dimension input_feature_dimension "
     "input_spatial_dimensions kernel_input_feature_dimension kernel_output_feature_dimension "
     "kernel_spatial_dimensions lhs_dilation:integers=ones output_batch_dimension "
     "output_feature_dimension output_spatial_dimensions padding=any precision_config=DEFAULT "
     "rhs_dilation:integers=ones window_reversal:booleans=zeros window_strides:integers=ones"},
    {"dynamic_conv_v2",
     "batch_group_count feature_group_count input_batch_dimension input_feature_dimension "
     "input_spatial_dimensions kernel_input_feature_dimension kernel_output_feature_dimension "
     "kernel_spatial_dimensions lhs_dilation:integers=ones output_batch_dimension "
     "output_feature_dimension output_spatial_dimensions precision_config=DEFAULT "
     "rhs_dilation:integers=ones window_reversal:booleans=zeros window_strides:integers=ones"},
    {"dynamic_gather_v1",
     "collapsed_slice_dims index_vector_dim indices_are_sorted=false offset_dims "
     "start_index_map"},
    {"dynamic_gather_v2",
     "collapsed_slice_dims index_vector_dim indices_are_sorted=false offset_dims "
     "operand_batching_dims start_index_map start_indices_batching_dims"},
    {"dynamic_iota_v1 iota_v1", "iota_dimension"},
    {"dynamic_slice_v1", "slice_sizes:integers"},
    {"einsum_v1 unary_einsum_v1", "einsum_config"},
    {"fft_v1", "fft_length:integers fft_type"},
    {"func_v1", "arg_attrs=[{}] function_type res_attrs=[{}] sym_name sym_visibility=\"\""},
    {"gather_v1",
     "collapsed_slice_dims index_vector_dim indices_are_sorted=false offset_dims "
     "slice_sizes:integers start_index_map"},
    {"gather_v2",
     "collapsed_slice_dims index_vector_dim indices_are_sorted=false offset_dims "
     "operand_batching_dims slice_sizes:integers start_index_map start_indices_batching_dims"},
    {"get_tuple_element_v1", "index"},
    {"infeed_v1", "infeed_config=\"\" layout=[]"},
    {"map_v1 reduce_v1 reverse_v1", "dimensions:integers"},
    {"outfeed_v1", "outfeed_config=\"\""},
    {"pad_v1", "edge_padding_high:integers edge_padding_low:integers interior_padding:integers"},
    {"recv_v1 send_v1", "channel_id channel_type is_host_transfer=false"},
    {"recv_v2 send_v2", "channel_id channel_type is_host_transfer=false source_target_pairs=none"},
    {"reduce_precision_v1", "exponent_bits mantissa_bits"},
    {"reduce_scatter_v1", "channel_id:channel=0 replica_groups scatter_dimension use_global_device_ids:unit=false"},
    {"reduce_window_v1",
     "base_dilations:integers=ones padding=zeros window_dilations:integers=ones "
     "window_dimensions:integers window_strides:integers=ones"},
    {"rng_bit_generator_v1", "rng_algorithm"},
    {"rng_v1", "rng_distribution"},
    {"scatter_v1",
     "index_vector_dim indices_are_sorted=false inserted_window_dims "
     "scatter_dims_to_operand_dims unique_indices=false update_window_dims"},
    {"scatter_v2",
     "index_vector_dim indices_are_sorted=false input_batching_dims inserted_window_dims "
     "scatter_dims_to_operand_dims scatter_indices_batching_dims unique_indices=false "
     "update_window_dims"},
    {"select_and_scatter_v1", "padding=zeros window_dimensions:integers window_strides:integers=ones"},
    {"slice_v1", "limit_indices:integers start_indices:integers strides:integers"},
    {"sort_v1", "dimension=-1 is_stable=false"},
    {"torch_index_select_v1", "batch_dims dim"},
    {"transpose_v1", "permutation:integers"},
    {"triangular_solve_v1", "left_side lower transpose_a unit_diagonal"},
};

struct FormWord {
  std::string_view word;
  VhloForm form;
};
constexpr FormWord kForms[] = {
    {"integers", VhloForm::kIntegers}, {"booleans", VhloForm::kBooleans}, {"symbol", VhloForm::kSymbol},
    {"symbols", VhloForm::kSymbols},   {"unit", VhloForm::kUnit},         {"channel", VhloForm::kChannel},
};

VhloAttribute AttributeOfWord(std::string_view word) {
  VhloAttribute attribute;
  if (const std::size_t equals = word.find('='); equals != std::string_view::npos) {
    attribute.left_out = word.substr(equals + 1);
    word = word.substr(0, equals);
  }
  if (const std::size_t colon = word.find(':'); colon != std::string_view::npos) {
    for (const FormWord& row : kForms) {
      if (row.word == word.substr(colon + 1)) attribute.form = row.form;
    }
    word = word.substr(0, colon);
  }
  attribute.name = word;
  return attribute;
}

// Returns the name in the newest dialects: functions, calls and returns belong to the dialect func.
std::string NewestName(std::string_view family) {
  return fmt::format("{}.{}", family == "func" || family == "call" ? "func" : "stablehlo", family);
}

VhloOperation OperationOf(std::string name, std::string_view attributes) {
  VhloOperation operation;
  operation.family = name.substr(0, name.rfind("_v"));
  operation.stablehlo_name = NewestName(operation.family);
  for (const std::string_view word : WordsOf(attributes)) operation.attributes.push_back(AttributeOfWord(word));
  operation.name = std::move(name);
  return operation;
}

using Operations = std::map<std::string, VhloOperation, std::less<>>;

// The first version of an operation that no row has is without attributes.
const Operations& AllOperations() {
  static const Operations all = [] {
    Operations operations;
    for (const VhloRow& row : kVhloRows) {
      for (const std::string_view word : WordsOf(row.names)) {
        std::string name(word);
        operations.emplace(name, OperationOf(name, row.attributes));
      }
    }
    for (const Form& form : Forms()) {
      if (!form.op.starts_with("stablehlo.")) continue;
      std::string name = fmt::format("{}_v1", form.op.substr(form.op.find('.') + 1));
      if (!operations.contains(name)) operations.emplace(name, OperationOf(name, ""));
    }
    return operations;
  }();
  return all;
}

}  // namespace

const VhloOperation* FindVhloOperation(std::string_view name) {
  const auto found = AllOperations().find(name);
  return found == AllOperations().end() ? nullptr : &found->second;
}

std::vector<std::string_view> VhloOperationNames() {
  std::vector<std::string_view> names;
  for (const auto& [name, operation] : AllOperations()) names.push_back(name);
  return names;
}

}  // namespace assay::stablehlo
