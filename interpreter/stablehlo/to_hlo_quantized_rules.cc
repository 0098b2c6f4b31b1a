// The constraints of the specification on operations with quantized tensors.
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>

#include "interpreter/stablehlo/print.h"
#include "interpreter/stablehlo/quantized_types.h"
#include "interpreter/stablehlo/to_hlo_quantized.h"

namespace assay::stablehlo {
namespace {

const Quantization* Of(const TensorType* tensor) { return tensor == nullptr ? nullptr : tensor->quantized.value.get(); }
bool IsPerAxis(const TensorType* tensor) { return Of(tensor) != nullptr && Of(tensor)->dimension.has_value(); }
bool IsByBlocks(const TensorType* tensor) { return Of(tensor) != nullptr && Of(tensor)->blocks.has_value(); }
bool HasManyScales(const TensorType* tensor) { return IsPerAxis(tensor) || IsByBlocks(tensor); }
bool IsQuantized(const TensorType* tensor) { return Of(tensor) != nullptr; }
std::string TextOf(const TensorType* tensor) { return tensor == nullptr ? "no tensor" : ToText(Type{*tensor}); }

// The types of an error's end: "found A, B".
std::string Found(const std::vector<const TensorType*>& types) {
  std::string text;
  for (const TensorType* type : types) text += (text.empty() ? "found " : ", ") + TextOf(type);
  return text;
}

std::vector<const TensorType*> AllOf(const QuantizedSignature& signature) {
  std::vector<const TensorType*> types = signature.operands;
  types.insert(types.end(), signature.results.begin(), signature.results.end());
  return types;
}

Status Require(bool holds, const QuantizedSignature& signature, std::string_view message, std::string_view rule) {
  if (holds) return {};
  return signature.lowering.Illegal(fmt::format("{} ({}), {}", message, rule, Found(AllOf(signature))));
}

// True if the types differ only in scales and zero points: baseline_element_type of the specification.
bool AreAlike(const Quantization& a, const Quantization& b) {
  return a.storage_type == b.storage_type && a.storage_min == b.storage_min && a.storage_max == b.storage_max &&
         a.expressed_type == b.expressed_type && a.dimension == b.dimension;
}

// Checks what dot_general (C14, C17 to C20) and convolution (C28, C31 to C34) have in common. `first` is the number of
// the first rule, and `next` that of the second.
Status CheckProduct(const QuantizedSignature& signature, int first, int next) {
  const TensorType *lhs = signature.operands[0], *rhs = signature.operands[1], *result = signature.results[0];
  const auto rule = [](int number) { return fmt::format("C{}", number); };
  ASSAY_CHECK_OK(Require(IsQuantized(rhs) && IsQuantized(lhs) == IsQuantized(result), signature,
                         "rhs must be quantized, and the result if and only if lhs is", rule(first)));
  ASSAY_CHECK_OK(Require(!HasManyScales(lhs), signature, "lhs must be quantized per tensor", "I1"));
  const PrimitiveType expressed = Of(rhs)->expressed_type;
  if (!IsQuantized(lhs)) {
    return Require(
        lhs != nullptr && result != nullptr && lhs->element_type == expressed && result->element_type == expressed,
        signature, "lhs and result must have the expressed type of rhs", rule(next + 3));
  }
  ASSAY_CHECK_OK(Require(Of(lhs)->storage_type == Of(rhs)->storage_type, signature,
                         "the operands must have one storage type", rule(next)));
  ASSAY_CHECK_OK(Require(Of(lhs)->expressed_type == expressed && Of(result)->expressed_type == expressed, signature,
                         "operands and result must have one expressed type", rule(next + 1)));
  return Require(HasManyScales(rhs) || !HasManyScales(result), signature,
                 "the result must be quantized per tensor if rhs is", rule(next + 2));
}

// Checks that a movement keeps the element type, except for the quantization dimension and the places of blocks.
// `may_repeat`: a single scale and zero point of the operand may be repeated.
Status CheckMoved(const QuantizedSignature& signature, bool may_repeat) {
  const TensorType *operand = signature.operands[0], *result = signature.results[0];
  bool holds = IsQuantized(operand) && IsQuantized(result) && IsPerAxis(operand) == IsPerAxis(result) &&
               IsByBlocks(operand) == IsByBlocks(result);
  if (holds) {
    Quantization moved = *Of(operand);
    moved.dimension = Of(result)->dimension;
    if (IsByBlocks(operand)) {
      moved.blocks = Of(result)->blocks;
      moved.scales = Of(result)->scales;
      moved.zero_points = Of(result)->zero_points;
    }
    if (IsPerAxis(operand) && may_repeat && moved.scales.size() == 1) {
      moved.scales.resize(Of(result)->scales.size(), moved.scales[0]);
      moved.zero_points.resize(Of(result)->zero_points.size(), moved.zero_points[0]);
    }
    holds = moved == *Of(result);
  }
  return Require(holds, signature, "operand and result must have one quantized type, except for its dimension",
                 may_repeat && IsPerAxis(operand) ? "C1, C6" : "C1");
}

// Checks that each block keeps its scale in a movement of elements from one tensor to another, where dimension i
// becomes dimension `to[i]`.
Status CheckMovedBlocks(const QuantizedSignature& signature, const TensorType* tensor, const TensorType* other,
                        const Int64List& to, std::string_view rule) {
  const Quantization &from = *Of(tensor), &moved = *Of(other);
  const std::vector<std::int64_t>& counts = from.blocks->counts;
  std::vector<std::int64_t> expected(other->dimensions.size(), 1), strides(expected.size(), 1);
  for (std::size_t i = 0; i < counts.size(); ++i) {
    const bool is_dimension = i < to.size() && 0 <= to[i] && to[i] < std::ssize(expected);
    if (!is_dimension) return {};  // HLO's verifier refuses it
    expected[to[i]] = counts[i];
  }
  for (std::size_t d = expected.size(); d-- > 1;) strides[d - 1] = strides[d] * expected[d];
  bool holds = expected == moved.blocks->counts;
  for (std::size_t block = 0; holds && block < from.scales.size(); ++block) {
    std::int64_t rest = static_cast<std::int64_t>(block), place = 0;
    for (std::size_t i = counts.size(); i-- > 0; rest /= counts[i]) place += rest % counts[i] * strides[to[i]];
    holds = from.scales[block] == moved.scales[place] && from.zero_points[block] == moved.zero_points[place];
  }
  return Require(holds, signature, "the blocks must move as the elements do", rule);
}

// Returns factors of the number of elements in row-major order. The scale differs along one, is equal along the next,
// and so on. A quantization dimension of size 1 counts. The products are modulo 2^64.
std::vector<std::pair<bool, std::uint64_t>> ScaleRuns(const TensorType& type) {
  std::vector<std::pair<bool, std::uint64_t>> runs;
  const std::vector<std::int64_t> counts = ScaleCounts(*Of(&type), type.dimensions.size());
  for (std::size_t d = 0; d < type.dimensions.size(); ++d) {
    const bool is_dimension = Of(&type)->dimension == static_cast<std::int64_t>(d);
    const std::int64_t count = counts[d], block = is_dimension ? 1 : type.dimensions[d] / count;
    for (const auto& [differs, size] : {std::pair(true, count), std::pair(false, block)}) {
      if (size == 1 && !(differs && is_dimension)) continue;
      if (runs.empty() || runs.back().first != differs) runs.emplace_back(differs, 1);
      runs.back().second *= static_cast<std::uint64_t>(size);
    }
  }
  return runs;
}

// Checks the first `count` operands and the result.
Status CheckSame(const QuantizedSignature& signature, const QuantizedRow& row, std::size_t count) {
  const TensorType* result = signature.results[0];
  bool holds = IsQuantized(result);
  for (std::size_t i = 0; holds && i < std::min(count, signature.operands.size()); ++i) {
    holds = IsQuantized(signature.operands[i]) && signature.operands[i]->quantized == result->quantized;
  }
  return Require(holds, signature, "operands and result must have one quantized type", row.rule);
}

QuantizedSignature SignatureOf(const Lowering& lowering) {
  QuantizedSignature signature{lowering, {}, {}};
  for (const ValueId operand : lowering.operation.operands) {
    const Type* type = lowering.translator.TypeOf(operand);
    signature.operands.push_back(type == nullptr ? nullptr : std::get_if<TensorType>(&type->value));
  }
  for (const Value& result : lowering.operation.results) {
    signature.results.push_back(std::get_if<TensorType>(&result.type.value));
  }
  return signature;
}

}  // namespace

// A predicate is not quantized.
Status CheckBaselineTypes(const QuantizedSignature& signature, const QuantizedRow& row) {
  const Quantization* first = nullptr;
  bool holds = true;
  for (const TensorType* type : AllOf(signature)) {
    if (type == nullptr || type->element_type == PRED) continue;
    if (first == nullptr) first = Of(type);
    holds &= Of(type) != nullptr && first != nullptr && AreAlike(*Of(type), *first);
  }
  return Require(holds, signature, "all tensors must have one quantized type, except for scales and zero points",
                 row.rule);
}

Status CheckAddTypes(const QuantizedSignature& signature, const QuantizedRow&) {
  if (signature.operands.size() != 2) return {};  // HLO's verifier refuses it
  const std::vector<const TensorType*> types = AllOf(signature);
  const auto same = [&](auto field) {
    return std::ranges::all_of(types, [&](const TensorType* type) { return Of(type)->*field == Of(types[0])->*field; });
  };
  ASSAY_CHECK_OK(
      Require(std::ranges::all_of(types, IsQuantized), signature, "operands and result must be quantized", "C2"));
  ASSAY_CHECK_OK(
      Require(same(&Quantization::storage_type), signature, "operands and result must have one storage type", "C3"));
  ASSAY_CHECK_OK(Require(same(&Quantization::expressed_type), signature,
                         "operands and result must have one expressed type", "C4"));
  const TensorType* result = types.back();
  ASSAY_CHECK_OK(Require((HasManyScales(types[0]) || HasManyScales(types[1])) == HasManyScales(result), signature,
                         "the result must be quantized per axis, or by blocks, if and only if an operand is", "C5"));
  for (int i = 0; i < 2; ++i) {
    const bool holds = !HasManyScales(types[i]) ||
                       (Of(types[i])->dimension == Of(result)->dimension && Of(types[i])->blocks == Of(result)->blocks);
    ASSAY_CHECK_OK(Require(holds, signature,
                           "the operand and the result must have one quantization dimension, or the same blocks",
                           i == 0 ? "C6" : "C7"));
  }
  return {};
}

// Blocks may divide a contracting dimension: C16 lets kernels scale a sum of integers once, and blocks need a sum each.
Status CheckDotTypes(const QuantizedSignature& signature, const QuantizedRow&) {
  ASSAY_CHECK_OK(CheckProduct(signature, 14, 17));
  if (signature.lowering.row.name != "dot_general") return {};  // the specification no longer has dot
  const Quantization& rhs = *Of(signature.operands[1]);
  ASSAY_CHECK_OK(Require(std::ranges::count(rhs.zero_points, 0) == std::ssize(rhs.zero_points), signature,
                         "the zero points of rhs must be 0", "C15"));
  ASSAY_TRY(const AttributeReader numbers, signature.lowering.attributes().RequiredFields("dot_dimension_numbers"));
  ASSAY_TRY(const Int64List contracting, numbers.Integers("rhs_contracting_dimensions"));
  return Require(!rhs.dimension || std::ranges::find(contracting, *rhs.dimension) == contracting.end(), signature,
                 "the quantization dimension of rhs must not be a contracting dimension", "C16");
}

Status CheckConvolutionTypes(const QuantizedSignature& signature, const QuantizedRow&) {
  ASSAY_CHECK_OK(CheckProduct(signature, 28, 31));
  ASSAY_TRY(const AttributeReader numbers, signature.lowering.attributes().RequiredFields("dimension_numbers"));
  ASSAY_TRY(const std::int64_t of_kernel, numbers.Integer("kernel_output_feature_dimension", 0));
  ASSAY_TRY(const std::int64_t of_output, numbers.Integer("output_feature_dimension", 0));
  const TensorType *rhs = signature.operands[1], *result = signature.results[0];
  ASSAY_CHECK_OK(Require(!IsPerAxis(rhs) || Of(rhs)->dimension == of_kernel, signature,
                         "the quantization dimension of rhs must be kernel_output_feature_dimension", "C29"));
  return Require(!IsPerAxis(result) || Of(result)->dimension == of_output, signature,
                 "the quantization dimension of the result must be output_feature_dimension", "C30");
}

Status CheckBroadcastTypes(const QuantizedSignature& signature, const QuantizedRow&) {
  ASSAY_CHECK_OK(CheckMoved(signature, true));
  if (!HasManyScales(signature.results[0])) return {};
  const auto attribute = signature.lowering.attributes();
  ASSAY_TRY(const Int64List dimensions, attribute.Integers("broadcast_dimensions"));
  if (IsByBlocks(signature.results[0]))
    return CheckMovedBlocks(signature, signature.operands[0], signature.results[0], dimensions, "C6");
  const auto of_operand = static_cast<std::size_t>(*Of(signature.operands[0])->dimension);
  return Require(of_operand < dimensions.size() && dimensions[of_operand] == Of(signature.results[0])->dimension,
                 signature, "broadcast_dimensions must map the quantization dimension to that of the result", "C6");
}

Status CheckTransposeTypes(const QuantizedSignature& signature, const QuantizedRow&) {
  ASSAY_CHECK_OK(CheckMoved(signature, false));
  if (!HasManyScales(signature.results[0])) return {};
  ASSAY_TRY(const Int64List permutation, signature.lowering.attributes().Integers("permutation"));
  if (IsByBlocks(signature.results[0]))
    return CheckMovedBlocks(signature, signature.results[0], signature.operands[0], permutation, "C4");
  const auto of_result = static_cast<std::size_t>(*Of(signature.results[0])->dimension);
  return Require(of_result < permutation.size() && permutation[of_result] == Of(signature.operands[0])->dimension,
                 signature, "the permutation must map the quantization dimension to that of the result", "C4");
}

Status CheckReshapeTypes(const QuantizedSignature& signature, const QuantizedRow&) {
  if (signature.operands.empty()) return {};  // HLO's verifier refuses it
  ASSAY_CHECK_OK(CheckMoved(signature, false));
  const TensorType *operand = signature.operands[0], *result = signature.results[0];
  const auto is_static = [](const TensorType* type) {
    return std::ranges::find(type->dimensions, kDynamicSize) == type->dimensions.end();
  };
  const bool has_sizes = is_static(operand) && is_static(result);
  if (!HasManyScales(operand) || (IsPerAxis(operand) && !has_sizes)) return {};
  const bool holds = has_sizes && ScaleRuns(*operand) == ScaleRuns(*result) &&
                     Of(operand)->scales == Of(result)->scales && Of(operand)->zero_points == Of(result)->zero_points;
  return Require(holds, signature, "each element must keep the scale and the zero point of its slice or block", "C3");
}

// Checks operand and result of every index: type(operand...) = type(result...).
Status CheckPairsTypes(const QuantizedSignature& signature, const QuantizedRow& row) {
  bool holds = true;
  for (std::size_t i = 0; i < std::min(signature.operands.size(), signature.results.size()); ++i) {
    const TensorType *operand = signature.operands[i], *result = signature.results[i];
    if (operand != nullptr && result != nullptr) holds &= operand->quantized == result->quantized;
  }
  return Require(holds, signature, "an operand and its result must have one quantized type", row.rule);
}

Status CheckOneType(const QuantizedSignature& signature, const QuantizedRow& row) {
  return CheckSame(signature, row, 1);
}

Status CheckTwoTypes(const QuantizedSignature& signature, const QuantizedRow& row) {
  return CheckSame(signature, row, 2);
}

Status CheckEachType(const QuantizedSignature& signature, const QuantizedRow& row) {
  return CheckSame(signature, row, signature.operands.size());
}

Status CheckQuantizeTypes(const QuantizedSignature& signature, const QuantizedRow&) {
  const TensorType *operand = signature.operands[0], *result = signature.results[0];
  ASSAY_CHECK_OK(Require(IsQuantized(result), signature, "the result must be quantized", "O1"));
  const PrimitiveType type = IsQuantized(operand) ? Of(operand)->expressed_type
                             : operand != nullptr ? operand->element_type
                                                  : PRIMITIVE_TYPE_INVALID;
  return Require(Of(result)->expressed_type == type, signature,
                 "the result must have the expressed type of the operand", "C2");
}

Status CheckDequantizeTypes(const QuantizedSignature& signature, const QuantizedRow&) {
  const TensorType *operand = signature.operands[0], *result = signature.results[0];
  ASSAY_CHECK_OK(Require(IsQuantized(operand), signature, "the operand must be quantized", "I1"));
  return Require(result != nullptr && !IsQuantized(result) && result->element_type == Of(operand)->expressed_type,
                 signature, "the result must have the expressed type of the operand", "C2");
}

// Checks what a region returns: the results. The first region of a while returns a predicate.
Status CheckReturnedTypes(const QuantizedSignature& signature, const QuantizedRow& row) {
  const Operation& operation = signature.lowering.operation;
  const bool is_while = row.name == "while";
  if (is_while) ASSAY_CHECK_OK(CheckPairsTypes(signature, row));
  std::vector<Type> types;
  for (const Value& result : operation.results) types.push_back(result.type);
  for (std::size_t i = is_while ? 1 : 0; i < operation.regions.size(); ++i) {
    const std::vector<Block>& blocks = operation.regions[i].blocks;
    if (blocks.empty() || blocks[0].operations.empty()) continue;
    const Operation& end = blocks[0].operations.back();
    ASSAY_CHECK_OK(signature.lowering.translator.CheckQuantizedTypes(end, "operand", end.operands, types));
  }
  return {};
}

// Checks is_promotable from each operand to the computation's argument, and the types of the results.
Status CheckFoldTypes(const QuantizedSignature& signature, const QuantizedRow& row) {
  const std::vector<const TensorType*> arguments = FoldedTypes(signature.lowering);
  bool is_promotable = true, is_result = true;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const Quantization *from = Of(signature.operands[i]), *to = Of(arguments[i]);
    if (arguments[i] == nullptr) continue;
    is_promotable &= (from == nullptr) == (to == nullptr);
    if (from == nullptr || to == nullptr) continue;
    is_promotable &= from->expressed_type == to->expressed_type;
    is_promotable &= BitWidth(from->storage_type) <= BitWidth(to->storage_type);
    if (i < signature.results.size()) {
      is_result &= signature.results[i] != nullptr && signature.results[i]->quantized == arguments[i]->quantized;
    }
  }
  ASSAY_CHECK_OK(Require(is_promotable, signature,
                         "the types of operands must be promotable to those of the computation's arguments", row.rule));
  return Require(is_result, signature, "the results must have the types of the computation's arguments",
                 row.second_rule);
}

Status CheckQuantizedOperation(const Lowering& lowering, const QuantizedRow& row) {
  const QuantizedSignature signature = SignatureOf(lowering);
  for (const TensorType* type : AllOf(signature)) {
    if (IsQuantized(type)) ASSAY_CHECK_OK(CheckQuantization(lowering.operation, *type));
  }
  for (std::size_t i = 0; !row.allows_per_axis && i < signature.operands.size(); ++i) {
    ASSAY_CHECK_OK(Require(!HasManyScales(signature.operands[i]), signature,
                           "it takes tensors that are quantized as a whole", fmt::format("I{}", i + 1)));
  }
  for (const TensorType* result : signature.results) {
    ASSAY_CHECK_OK(Require(row.allows_per_axis || !HasManyScales(result), signature,
                           "its results are quantized as a whole", "its outputs"));
  }
  return row.check == nullptr ? Status() : row.check(signature, row);
}

std::vector<const TensorType*> FoldedTypes(const Lowering& lowering) {
  const Operation& operation = lowering.operation;
  std::vector<const TensorType*> types(operation.operands.size());
  const Region* region = operation.regions.empty() ? nullptr : &operation.regions.back();
  if (region == nullptr || region->blocks.empty() || region->blocks[0].arguments.empty()) return types;
  const std::vector<Value>& arguments = region->blocks[0].arguments;
  const bool is_scatter = lowering.row.name == "scatter";
  const std::size_t inputs = operation.operands.size() / 2;
  for (std::size_t i = 0; i < types.size(); ++i) {
    if (is_scatter && i == inputs) continue;  // the indices
    const std::size_t argument = is_scatter && i > inputs ? i - 1 : i;
    types[i] = std::get_if<TensorType>(&arguments[argument % arguments.size()].type.value);
  }
  return types;
}

}  // namespace assay::stablehlo
