// The operations that take quantized tensors.
#include <algorithm>

#include "interpreter/stablehlo/to_hlo_quantized_rules.h"

namespace assay::stablehlo {
namespace {

constexpr auto kStorage = QuantizedMeaning::kStorage;
constexpr auto kExpressed = QuantizedMeaning::kExpressed;
constexpr auto kFold = QuantizedMeaning::kFold;
constexpr auto kTransfer = QuantizedMeaning::kTransfer;

constexpr QuantizedRow kQuantizedRows[] = {
    {"abs", kExpressed, CheckBaselineTypes, "C2"},
    {"add", kExpressed, CheckAddTypes, {}, {}, true},
    {"all_gather", kStorage, CheckPairsTypes, "C6"},
    {"all_reduce", kFold, CheckFoldTypes, "C5", "C7"},
    {"all_to_all", kStorage, CheckPairsTypes, "C9"},
    {"async_done", kStorage},
    {"async_start", kStorage},
    {"atan2", kExpressed, CheckBaselineTypes, "C1"},
    {"batch_norm_grad", kExpressed, CheckBaselineTypes, "C2"},
    {"batch_norm_inference", kExpressed, CheckBaselineTypes, "C2"},
    {"batch_norm_training", kExpressed, CheckBaselineTypes, "C2"},
    {"bitcast_convert", kStorage, nullptr, {}, {}, true},
    {"broadcast", kStorage, CheckOneType, "C1"},
    {"broadcast_in_dim", kStorage, CheckBroadcastTypes, {}, {}, true},
    {"case", kStorage, CheckReturnedTypes, {}, {}, true},
    {"cbrt", kExpressed, CheckBaselineTypes, "C1"},
    {"ceil", kExpressed, CheckBaselineTypes, "C1"},
    {"cholesky", kExpressed, CheckBaselineTypes, "C1"},
    {"clamp", kExpressed, CheckBaselineTypes, "C3"},
    {"collective_broadcast", kTransfer, CheckPairsTypes, "C3"},
    {"collective_permute", kTransfer, CheckPairsTypes, "C5"},
    {"collective_reduce", kFold, CheckFoldTypes, "C4", "C4"},
    {"compare", kExpressed, CheckBaselineTypes, "C1"},
    {"composite", kStorage, nullptr, {}, {}, true},
    {"concatenate", kStorage, CheckEachType, "C1, C5"},
    {"constant", kStorage, nullptr, {}, {}, true},
    {"convolution", kExpressed, CheckConvolutionTypes, {}, {}, true},
    {"cosine", kExpressed, CheckBaselineTypes, "C1"},
    {"custom_call", kStorage, nullptr, {}, {}, true},
    {"divide", kExpressed, CheckBaselineTypes, "C1"},
    {"dot", kExpressed, CheckDotTypes, {}, {}, true},
    {"dot_general", kExpressed, CheckDotTypes, {}, {}, true},
    {"dynamic_broadcast_in_dim", kStorage, CheckBroadcastTypes, {}, {}, true},
    {"dynamic_conv", kExpressed, CheckConvolutionTypes, {}, {}, true},
    {"dynamic_gather", kStorage, CheckOneType, "C14"},
    {"dynamic_iota", kExpressed},
    {"dynamic_pad", kStorage, CheckTwoTypes, "C1"},
    {"dynamic_reshape", kStorage, CheckReshapeTypes, {}, {}, true},
    {"dynamic_slice", kStorage, CheckOneType, "C1"},
    {"dynamic_update_slice", kStorage, CheckTwoTypes, "C1, C2"},
    {"exponential", kExpressed, CheckBaselineTypes, "C1"},
    {"exponential_minus_one", kExpressed, CheckBaselineTypes, "C1"},
    {"floor", kExpressed, CheckBaselineTypes, "C1"},
    {"gather", kStorage, CheckOneType, "C23"},
    {"get_dimension_size", kStorage, nullptr, {}, {}, true},
    {"get_tuple_element", kStorage, nullptr, {}, {}, true},
    {"if", kStorage, CheckReturnedTypes, {}, {}, true},
    {"infeed", kStorage, nullptr, {}, {}, true},
    {"iota", kExpressed},
    {"is_finite", kExpressed, CheckBaselineTypes, "I1"},
    {"log", kExpressed, CheckBaselineTypes, "C1"},
    {"log_plus_one", kExpressed, CheckBaselineTypes, "C1"},
    {"logistic", kExpressed, CheckBaselineTypes, "C1"},
    {"map", kStorage, CheckReturnedTypes},
    {"maximum", kExpressed, CheckBaselineTypes, "C1"},
    {"minimum", kExpressed, CheckBaselineTypes, "C1"},
    {"multiply", kExpressed, CheckBaselineTypes, "C1"},
    {"negate", kExpressed, CheckBaselineTypes, "C1"},
    {"optimization_barrier", kStorage, CheckPairsTypes, "C1"},
    {"outfeed", kStorage, nullptr, {}, {}, true},
    {"pad", kStorage, CheckTwoTypes, "C1"},
    {"power", kExpressed, CheckBaselineTypes, "C1"},
    {"real_dynamic_slice", kStorage, CheckOneType, "C1"},
    {"recv", kStorage, nullptr, {}, {}, true},
    {"reduce", kFold, CheckFoldTypes, "C6", "C8"},
    {"reduce_precision", kExpressed, CheckBaselineTypes, "C1"},
    {"reduce_scatter", kFold, CheckFoldTypes, "C7", "C9"},
    {"reduce_window", kFold, CheckFoldTypes, "C13", "C16"},
    {"remainder", kExpressed, CheckBaselineTypes, "C1"},
    {"reshape", kStorage, CheckReshapeTypes, {}, {}, true},
    {"reverse", kStorage, CheckOneType, "C1"},
    {"round_nearest_afz", kExpressed, CheckBaselineTypes, "C1"},
    {"round_nearest_even", kExpressed, CheckBaselineTypes, "C1"},
    {"rsqrt", kExpressed, CheckBaselineTypes, "C1"},
    {"scatter", kFold, CheckFoldTypes, "C23", "C25"},
    {"select", kExpressed, CheckBaselineTypes, "C2"},
    {"select_and_scatter", kFold, CheckFoldTypes, "C10", "C12"},
    {"send", kStorage, nullptr, {}, {}, true},
    {"set_dimension_size", kStorage, CheckOneType, "C1"},
    {"sign", kExpressed, CheckBaselineTypes, "C1"},
    {"sine", kExpressed, CheckBaselineTypes, "C1"},
    {"slice", kStorage, CheckOneType, "C1"},
    {"sort", kStorage, CheckPairsTypes, "C2"},
    {"sqrt", kExpressed, CheckBaselineTypes, "C1"},
    {"subtract", kExpressed, CheckBaselineTypes, "C1"},
    {"tan", kExpressed, CheckBaselineTypes, "C1"},
    {"tanh", kExpressed, CheckBaselineTypes, "C1"},
    {"transpose", kStorage, CheckTransposeTypes, {}, {}, true},
    {"triangular_solve", kExpressed, CheckBaselineTypes, "C1, C4"},
    {"tuple", kStorage, nullptr, {}, {}, true},
    {"uniform_dequantize", kExpressed, CheckDequantizeTypes, {}, {}, true},
    {"uniform_quantize", kExpressed, CheckQuantizeTypes, {}, {}, true},
    {"while", kStorage, CheckReturnedTypes, "C3", {}, true},
};

// Calls, checks, marks of shardings and the like.
constexpr QuantizedRow kOtherDialects = {.name = {}, .allows_per_axis = true};

}  // namespace

std::span<const QuantizedRow> QuantizedRows() { return kQuantizedRows; }

const QuantizedRow* FindQuantizedRow(std::string_view operation) {
  bool is_listed = false;
  for (const std::string_view prefix : {"stablehlo.", "mhlo.", "chlo.broadcast_", "chlo."}) {
    if (is_listed || !operation.starts_with(prefix)) continue;
    operation.remove_prefix(prefix.size());
    is_listed = true;
  }
  if (!is_listed) return &kOtherDialects;
  const auto* row = std::ranges::find(kQuantizedRows, operation, &QuantizedRow::name);
  return row == std::end(kQuantizedRows) ? nullptr : row;
}

}  // namespace assay::stablehlo
