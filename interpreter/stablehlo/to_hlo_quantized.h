// Operations on quantized tensors. HLO has no quantized types: a quantized tensor is the array of its storage integers.
// docs/quantized.md has the readings of the specification.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "interpreter/stablehlo/to_hlo_rows.h"

namespace assay::stablehlo {

enum class QuantizedMeaning {
  kStorage,    // moves storage integers
  kExpressed,  // dequantize_op_quantize and the like: computes with numbers of the expressed type
  kFold,       // applies a computation to quantized scalars, to whose types it converts the operands
  kTransfer,   // moves storage integers between devices; a device that receives none has the quantized 0
};

// The tensors of an operation: null for other values, such as tokens.
struct QuantizedSignature {
  const Lowering& lowering;
  std::vector<const TensorType*> operands, results;
};

struct QuantizedRow;
using TypeRule = Status(const QuantizedSignature& signature, const QuantizedRow& row);

struct QuantizedRow {
  std::string_view name;  // of the operation, without its dialect
  QuantizedMeaning meaning = QuantizedMeaning::kStorage;
  // Checks the constraints of quantized tensors; null: there are none. `rule` is the number of the one that all
  // operations with the same function have, `second_rule` that of the types of a fold's results.
  TypeRule* check = nullptr;
  std::string_view rule = {}, second_rule = {};
  bool allows_per_axis = false;
};

// Returns the rows of all operations, sorted by name.
std::span<const QuantizedRow> QuantizedRows();
// Returns the row of an operation, which operations outside of StableHLO, MHLO and CHLO share. Null: it takes no
// quantized tensors.
const QuantizedRow* FindQuantizedRow(std::string_view operation);
// Checks the constraints of the row.
Status CheckQuantizedOperation(const Lowering& lowering, const QuantizedRow& row);
// Returns the arguments of the computation of a fold, one for each operand; null for operands that it does not take.
std::vector<const TensorType*> FoldedTypes(const Lowering& lowering);

// True if an operand or a result of the operation is a quantized tensor.
bool HasQuantizedTensor(const Translator& translator, const Operation& operation);
// Lowers an operation with quantized tensors: the function of its row in OpRow lowers what remains.
Status LowerQuantized(const Lowering& lowering);

// The checks of rows, one function for each kind of operation.
TypeRule CheckBaselineTypes, CheckAddTypes, CheckDotTypes, CheckConvolutionTypes, CheckBroadcastTypes,
    CheckTransposeTypes, CheckReshapeTypes, CheckPairsTypes, CheckOneType, CheckTwoTypes, CheckEachType,
    CheckQuantizeTypes, CheckDequantizeTypes, CheckReturnedTypes, CheckFoldTypes;

}  // namespace assay::stablehlo
