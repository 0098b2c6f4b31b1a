#include <fmt/format.h>

#include <unordered_map>

#include "interpreter/hlo/suggest.h"
#include "interpreter/stablehlo/text_forms.h"

namespace assay::stablehlo {
namespace {

constexpr std::string_view kReturn = "{} %* {} (? : operands )?";

// Operations that share a form; the last ones have the generic form alone.
constexpr std::string_view kSameForms =
    "mhlo.acos mhlo.acosh mhlo.asin mhlo.asinh mhlo.atanh mhlo.copy mhlo.cosh mhlo.erf mhlo.sinh stablehlo.abs "
    "stablehlo.add stablehlo.after_all stablehlo.and stablehlo.atan2 stablehlo.cbrt stablehlo.ceil stablehlo.clamp "
    "stablehlo.convert stablehlo.cosine stablehlo.count_leading_zeros stablehlo.divide stablehlo.exponential "
    "stablehlo.exponential_minus_one stablehlo.floor stablehlo.imag stablehlo.log stablehlo.log_plus_one "
    "stablehlo.logistic stablehlo.maximum stablehlo.minimum stablehlo.multiply stablehlo.negate stablehlo.not "
    "stablehlo.or stablehlo.popcnt stablehlo.power stablehlo.real stablehlo.remainder stablehlo.round_nearest_afz "
    "stablehlo.round_nearest_even stablehlo.rsqrt stablehlo.shift_left stablehlo.shift_right_arithmetic "
    "stablehlo.shift_right_logical stablehlo.sign stablehlo.sine stablehlo.sqrt stablehlo.subtract stablehlo.tan "
    "stablehlo.tanh stablehlo.uniform_dequantize stablehlo.uniform_quantize stablehlo.xor";
constexpr std::string_view kArrowForms =
    "chlo._asin_acos_kernel chlo.acos chlo.acosh chlo.asin chlo.asinh chlo.atan chlo.atanh chlo.bessel_i1e "
    "chlo.conj chlo.cosh chlo.digamma chlo.erf chlo.erf_inv chlo.erfc chlo.is_inf chlo.is_neg_inf chlo.is_pos_inf "
    "chlo.lgamma chlo.mulhi chlo.next_after chlo.polygamma chlo.sinh chlo.square chlo.tan chlo.zeta";
constexpr std::string_view kFunctionForms =
    "chlo.broadcast_add chlo.broadcast_and chlo.broadcast_atan2 chlo.broadcast_compare chlo.broadcast_complex "
    "chlo.broadcast_divide chlo.broadcast_maximum chlo.broadcast_minimum chlo.broadcast_multiply "
    "chlo.broadcast_next_after chlo.broadcast_or chlo.broadcast_polygamma chlo.broadcast_power "
    "chlo.broadcast_remainder chlo.broadcast_select chlo.broadcast_shift_left chlo.broadcast_shift_right_arithmetic "
    "chlo.broadcast_shift_right_logical chlo.broadcast_subtract chlo.broadcast_xor chlo.broadcast_zeta "
    "mhlo.add_dependency mhlo.bitcast stablehlo.async_done stablehlo.bitcast_convert stablehlo.dynamic_pad "
    "stablehlo.dynamic_reshape stablehlo.dynamic_update_slice stablehlo.is_finite stablehlo.real_dynamic_slice "
    "stablehlo.reshape";
constexpr std::string_view kGenericForms =
    "chlo.constant_like chlo.ragged_dot interpreter.run_parallel stablehlo.all_gather stablehlo.all_reduce "
    "stablehlo.all_to_all stablehlo.async_start stablehlo.batch_norm_grad stablehlo.batch_norm_inference "
    "stablehlo.batch_norm_training stablehlo.case stablehlo.collective_broadcast stablehlo.collective_permute "
    "stablehlo.collective_reduce stablehlo.cross-replica-sum stablehlo.dynamic_conv stablehlo.dynamic_gather "
    "stablehlo.gather stablehlo.if stablehlo.infeed stablehlo.map stablehlo.outfeed stablehlo.recv "
    "stablehlo.reduce_scatter stablehlo.reduce_window stablehlo.scatter stablehlo.select_and_scatter stablehlo.send "
    "stablehlo.sort stablehlo.torch_index_select stablehlo.triangular_solve";

struct OwnForm {
  std::string_view op, words;
  FormParser* parser = nullptr;
};
constexpr OwnForm kOwnForms[] = {
    {"arith.constant", {}, ParseConstant},
    {"builtin.module", {}, ParseModule},
    {"builtin.unrealized_conversion_cast", "%* (? : cast )? {}"},
    {"check.expect_almost_eq", {}, ParseCheck},
    {"check.expect_almost_eq_const", {}, ParseCheck},
    {"check.expect_close", {}, ParseCheck},
    {"check.expect_eq", {}, ParseCheck},
    {"check.expect_eq_const", {}, ParseCheck},
    {"check.expect_serialized_eq", "% , probe_id = $probe_id:string (? , iter = $iteration:i64 )? {} : operands"},
    {"chlo.constant", {}, ParseConstant},
    {"chlo.scan", {}, ParseScan},
    {"chlo.top_k", "( % , k = $k:i64 (? , is_stable = $is_stable:boolean )? ) {} : arrow"},
    {"func.call", "$callee:symbol ( %* ) {} : function"},
    {"func.func", {}, ParseFunction},
    {"func.return", kReturn},
    {"interpreter.print", "% {} : operands"},
    {"interpreter.probe", "% , probe_id = $probe_id:string {} : same"},
    {"mhlo.topk", "( % , k = $k:i64 (? , largest = $largest:boolean )? ) {} : arrow"},
    {"mhlo.xla.rng_get_and_update_state", "{} state"},
    {"sdy.all_gather", "$gathering_axes:sdy.list_of_axis_ref_lists % out_sharding = $out_sharding:sharding {} : same"},
    {"sdy.all_reduce",
     "(? $reduction_op:reduction )? $reduction_axes:sdy.axis_ref_list % out_sharding = $out_sharding:sharding {} : "
     "same"},
    {"sdy.all_slice", "$slicing_axes:sdy.list_of_axis_ref_lists % out_sharding = $out_sharding:sharding {} : same"},
    {"sdy.all_to_all", "$params:sdy.all_to_all_param_list % out_sharding = $out_sharding:sharding {} : same"},
    {"sdy.collective_permute", "% out_sharding = $out_sharding:sharding {} : same"},
    {"sdy.constant", {}, ParseConstant},
    {"sdy.data_flow_edge", "% (? sharding = $sharding:sharding )? {} : same"},
    {"sdy.func_data_flow_edge", "% {} : same"},
    {"sdy.manual_computation",
     "( %* ) in_shardings = $in_shardings:shardings out_shardings = $out_shardings:shardings manual_axes = "
     "$manual_axes:sdy.manual_axes <body> {} : function"},
    {"sdy.mesh", "$sym_name:name = $mesh:mesh {}"},
    {"sdy.named_computation",
     "< $name:string > ( %* ) (? in_shardings = $in_shardings:shardings )? (? out_shardings = $out_shardings:shardings "
     ")? <body> {} : function"},
    {"sdy.propagation_barrier", "% allowed_direction = $allowed_direction:direction {} : same"},
    {"sdy.reduce_scatter",
     "(? $reduction_op:reduction )? $reduce_scatter_axes:sdy.list_of_axis_ref_lists % out_sharding = "
     "$out_sharding:sharding {} : same"},
    {"sdy.replicated_to_unreduced", "$axes:sdy.axis_ref_list % out_sharding = $out_sharding:sharding {} : same"},
    {"sdy.reshard", "% $sharding:sharding {} : same"},
    {"sdy.return", kReturn},
    {"sdy.sharded_to_unreduced", "$axes:sdy.list_of_axis_ref_lists % out_sharding = $out_sharding:sharding {} : same"},
    {"sdy.sharding_constraint", "% $sharding:sharding {} : same"},
    {"sdy.sharding_group", "% group_id = $group_id:i64 {} : operands"},
    {"stablehlo.broadcast", "% , sizes = $broadcast_sizes:integers {} : function"},
    {"stablehlo.broadcast_in_dim", "% , dims = $broadcast_dimensions:integers {} : function"},
    {"stablehlo.cholesky", "% (? , lower = $lower:boolean )? {} : same"},
    {"stablehlo.compare",
     "$comparison_direction:stablehlo.comparison_direction , % , % (? , $compare_type:stablehlo.comparison_type )? {} "
     ": function"},
    {"stablehlo.complex", "% , % {} : complex"},
    {"stablehlo.composite", "$name:string %* {} : function"},
    {"stablehlo.concatenate", "%*, dim = $dimension:i64 {} : function"},
    {"stablehlo.constant", {}, ParseConstant},
    {"stablehlo.convolution",
     "( %* ) dim_numbers = $dimension_numbers:stablehlo.conv , window = <window> {} : function"},
    {"stablehlo.create_token", "{} : result"},
    {"stablehlo.custom_call", "$call_target_name:name ( %* ) {} : function"},
    {"stablehlo.dot", "% , % (? , precision = $precision_config:precisions )? {} : function"},
    {"stablehlo.dot_general", {}, ParseDotGeneral},
    {"stablehlo.dynamic_broadcast_in_dim", "% , % , dims = $broadcast_dimensions:integers {} : function"},
    {"stablehlo.dynamic_iota", "% , dim = $iota_dimension:i64 {} : function"},
    {"stablehlo.dynamic_slice", "%*, sizes = $slice_sizes:integers {} : function"},
    {"stablehlo.einsum", "% , % , config = $einsum_config:string {} : function"},
    {"stablehlo.fft", "% , type = $fft_type:stablehlo.fft_type , length = $fft_length:integers {} : function"},
    {"stablehlo.get_dimension_size", "% , dim = $dimension:i64 {} : function"},
    {"stablehlo.get_tuple_element", "% [ $index:i32 ] {} : function"},
    {"stablehlo.iota", "dim = $iota_dimension:i64 {} : result"},
    {"stablehlo.optimization_barrier", {}, ParseBarrier},
    {"stablehlo.pad",
     "% , % , low = $edge_padding_low:integers , high = $edge_padding_high:integers , interior = "
     "$interior_padding:integers {} : function"},
    {"stablehlo.partition_id", "{} : result"},
    {"stablehlo.reduce", {}, ParseReduce},
    {"stablehlo.reduce_precision", "% , format = <format> {} : same"},
    {"stablehlo.replica_id", "{} : result"},
    {"stablehlo.return", kReturn},
    {"stablehlo.reverse", "% , dims = $dimensions:integers {} : same"},
    {"stablehlo.rng", "% , % , % , distribution = $rng_distribution:stablehlo.rng_distribution {} : function"},
    {"stablehlo.rng_bit_generator", "% , algorithm = $rng_algorithm:stablehlo.rng_algorithm {} : function"},
    {"stablehlo.select", "% , % , % {} : select"},
    {"stablehlo.set_dimension_size", "% , % , dim = $dimension:i64 {} : function"},
    {"stablehlo.slice", "% <ranges> {} : function"},
    {"stablehlo.transpose", "% , dims = $permutation:integers {} : function"},
    {"stablehlo.tuple", "%* {} : tuple"},
    {"stablehlo.unary_einsum", "% , config = $einsum_config:string {} : function"},
    {"stablehlo.while", {}, ParseWhile},
};

}  // namespace

const std::vector<Form>& Forms() {
  static const std::vector<Form> forms = [] {
    std::vector<Form> all;
    const auto add_all = [&](std::string_view ops, std::string_view words) {
      for (const std::string_view op : WordsOf(ops)) all.push_back({op, WordsOf(words)});
    };
    add_all(kSameForms, "%* {} : same");
    add_all(kArrowForms, "%* {} : arrow");
    add_all(kFunctionForms, "%* {} : function");
    add_all(kGenericForms, "");
    for (const OwnForm& own : kOwnForms) all.push_back({own.op, WordsOf(own.words), own.parser});
    return all;
  }();
  return forms;
}

const Form* FindForm(std::string_view op) {
  static const std::unordered_map<std::string_view, const Form*> rows = [] {
    std::unordered_map<std::string_view, const Form*> map;
    for (const Form& form : Forms()) map[form.op] = &form;
    return map;
  }();
  if (const auto found = rows.find(op); found != rows.end()) return found->second;
  // StableHLO was made of MHLO, whose other operations have the same forms.
  constexpr std::string_view kOlder = "mhlo.";
  return op.starts_with(kOlder) ? FindForm(fmt::format("stablehlo.{}", op.substr(kOlder.size()))) : nullptr;
}

Error UnknownOperation(const MlirParser& parser, std::size_t position, std::string_view name) {
  std::vector<std::string_view> names;
  for (const Form& form : Forms()) names.push_back(form.op);
  return parser.FailAt(position, fmt::format("there is no operation {}{}", name, Suggest(name, names)));
}

}  // namespace assay::stablehlo
