// The operations that take quantized tensors.
#include <algorithm>
#include <vector>

#include "interpreter/stablehlo/text_forms.h"
#include "interpreter/stablehlo/to_hlo_quantized.h"

namespace assay::stablehlo {
namespace {

constexpr auto kStorage = QuantizedMeaning::kStorage;
constexpr auto kExpressed = QuantizedMeaning::kExpressed;
constexpr auto kFold = QuantizedMeaning::kFold;
constexpr auto kTransfer = QuantizedMeaning::kTransfer;

// Operations with the same rule share a row, whose name has all of theirs.
constexpr QuantizedRow kSharedRows[] = {
    {"abs batch_norm_grad batch_norm_inference batch_norm_training select", kExpressed, CheckBaselineTypes, "C2"},
    {"add", kExpressed, CheckAddTypes, {}, {}, true},
    {"all_gather", kStorage, CheckPairsTypes, "C6"},
    {"all_reduce", kFold, CheckFoldTypes, "C5", "C7"},
    {"all_to_all", kStorage, CheckPairsTypes, "C9"},
    {"async_done async_start", kStorage},
    {"atan2 cbrt ceil cholesky compare cosine divide exponential exponential_minus_one floor log "
     "log_plus_one logistic maximum minimum multiply negate power reduce_precision remainder "
     "round_nearest_afz round_nearest_even rsqrt sign sine sqrt subtract tan tanh",
     kExpressed, CheckBaselineTypes, "C1"},
    {"bitcast_convert composite constant custom_call get_dimension_size", kStorage, nullptr, {}, {}, true},
    {"get_tuple_element infeed outfeed recv send tuple", kStorage, nullptr, {}, {}, true},
    {"broadcast dynamic_slice real_dynamic_slice reverse set_dimension_size slice", kStorage, CheckOneType, "C1"},
    {"broadcast_in_dim dynamic_broadcast_in_dim", kStorage, CheckBroadcastTypes, {}, {}, true},
    {"case if", kStorage, CheckReturnedTypes, {}, {}, true},
    {"clamp", kExpressed, CheckBaselineTypes, "C3"},
    {"collective_broadcast", kTransfer, CheckPairsTypes, "C3"},
    {"collective_permute", kTransfer, CheckPairsTypes, "C5"},
    {"collective_reduce", kFold, CheckFoldTypes, "C4", "C4"},
    {"concatenate", kStorage, CheckEachType, "C1, C5"},
    {"convolution dynamic_conv", kExpressed, CheckConvolutionTypes, {}, {}, true},
    {"dot dot_general", kExpressed, CheckDotTypes, {}, {}, true},
    {"dynamic_gather", kStorage, CheckOneType, "C14"},
    {"dynamic_iota iota", kExpressed},
    {"dynamic_pad pad", kStorage, CheckTwoTypes, "C1"},
    {"dynamic_reshape reshape", kStorage, CheckReshapeTypes, {}, {}, true},
    {"dynamic_update_slice", kStorage, CheckTwoTypes, "C1, C2"},
    {"gather", kStorage, CheckOneType, "C23"},
    {"is_finite", kExpressed, CheckBaselineTypes, "I1"},
    {"map", kStorage, CheckReturnedTypes},
    {"optimization_barrier", kStorage, CheckPairsTypes, "C1"},
    {"reduce", kFold, CheckFoldTypes, "C6", "C8"},
    {"reduce_scatter", kFold, CheckFoldTypes, "C7", "C9"},
    {"reduce_window", kFold, CheckFoldTypes, "C13", "C16"},
    {"scatter", kFold, CheckFoldTypes, "C23", "C25"},
    {"select_and_scatter", kFold, CheckFoldTypes, "C10", "C12"},
    {"sort", kStorage, CheckPairsTypes, "C2"},
    {"transpose", kStorage, CheckTransposeTypes, {}, {}, true},
    {"triangular_solve", kExpressed, CheckBaselineTypes, "C1, C4"},
    {"uniform_dequantize", kExpressed, CheckDequantizeTypes, {}, {}, true},
    {"uniform_quantize", kExpressed, CheckQuantizeTypes, {}, {}, true},
    {"while", kStorage, CheckReturnedTypes, "C3", {}, true},
};

// Calls, checks, marks of shardings and the like.
constexpr QuantizedRow kOtherDialects = {.name = {}, .allows_per_axis = true};

}  // namespace

std::span<const QuantizedRow> QuantizedRows() {
  static const std::vector<QuantizedRow> rows = [] {
    std::vector<QuantizedRow> all;
    for (QuantizedRow row : kSharedRows) {
      for (const std::string_view name : WordsOf(row.name)) {
        row.name = name;
        all.push_back(row);
      }
    }
    std::ranges::sort(all, {}, &QuantizedRow::name);
    return all;
  }();
  return rows;
}

const QuantizedRow* FindQuantizedRow(std::string_view operation) {
  bool is_listed = false;
  for (const std::string_view prefix : {"stablehlo.", "mhlo.", "chlo.broadcast_", "chlo."}) {
    if (is_listed || !operation.starts_with(prefix)) continue;
    operation.remove_prefix(prefix.size());
    is_listed = true;
  }
  if (!is_listed) return &kOtherDialects;
  const std::span<const QuantizedRow> rows = QuantizedRows();
  const auto row = std::ranges::find(rows, operation, &QuantizedRow::name);
  return row == rows.end() ? nullptr : &*row;
}

}  // namespace assay::stablehlo
