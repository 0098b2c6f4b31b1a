#include "interpreter/stablehlo/to_hlo_quantized.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <utility>

#include "interpreter/stablehlo/print.h"
#include "interpreter/stablehlo/quantized_types.h"
#include "interpreter/stablehlo/to_hlo_formulas.h"

namespace assay::stablehlo {
namespace {

// Returns the scales or the zero points at the dimensions of a term: compute_scales and compute_zero_points of the
// specification. Scales are rounded to the expressed type. A dimension that is divided into blocks is two at first: the
// blocks, and the elements of each.
template <class T>
Result<Term> Parameters(const Lowering& lowering, const Term& like, const Quantization& quantization,
                        const std::vector<T>& values) {
  if (IsPerTensor(quantization)) return like.Same(static_cast<double>(values[0]));
  const Shape& shape = like.instruction().shape;
  TensorType tensor;
  tensor.quantized = {std::make_shared<const Quantization>(quantization)};
  for (std::int64_t d = 0; shape.IsArray() && d < shape.rank(); ++d) tensor.dimensions.push_back(shape.dimensions(d));
  ASSAY_CHECK_OK(CheckQuantization(lowering.operation, tensor));
  Int64List counts, places, sizes;
  for (std::int64_t d = 0; const std::int64_t count : ScaleCounts(quantization, tensor.dimensions.size())) {
    const std::int64_t size = tensor.dimensions[d++];
    if (count != 1) {
      counts.push_back(count);
      places.push_back(std::ssize(sizes));
      sizes.push_back(count);
    }
    if (count == 1 || count != size) sizes.push_back(size / count);
  }
  Literal parameters = Literal::Uninitialized(ShapeUtil::MakeShape(like.type(), counts));
  const std::size_t width = StorageBytes(like.type());
  for (std::size_t i = 0; i < values.size(); ++i) {
    const Literal value = ScalarLiteral(like.type(), static_cast<double>(values[i]));
    std::memcpy(parameters.mutable_data() + i * width, value.data(), width);
  }
  Translator& translator = lowering.translator;
  HloInstruction& constant = translator.AddConstant(std::move(parameters));
  if (std::ssize(sizes) == shape.rank()) return Term(translator, AddBroadcast(translator, constant, places, shape));
  if (shape.IsDynamic()) return lowering.Unsupported("the sizes of a tensor with blocks must be known");
  const Shape divided = ShapeUtil::MakeShape(like.type(), sizes);
  return Term(translator, AddReshape(translator, AddBroadcast(translator, constant, places, divided), shape));
}

bool HasZeroPoint(const Quantization& quantization) {
  return std::ranges::any_of(quantization.zero_points, [](std::int64_t zero_point) { return zero_point != 0; });
}

// The specification subtracts zero points in the storage type, where the difference may not fit. Here it has twice as
// many bits.
Result<HloInstruction*> Dequantize(const Lowering& lowering, HloInstruction& storage,
                                   const Quantization& quantization) {
  Term steps(lowering.translator, storage);
  if (HasZeroPoint(quantization)) {
    steps = ConvertTo(steps, BitWidth(quantization.storage_type) < 32 ? S32 : S64);
    ASSAY_TRY(const Term zero_points, Parameters(lowering, steps, quantization, quantization.zero_points));
    steps = steps - zero_points;
  }
  const Term number = ConvertTo(steps, quantization.expressed_type);
  ASSAY_TRY(const Term scales, Parameters(lowering, number, quantization, quantization.scales));
  return &(number * scales).instruction();
}

Result<HloInstruction*> Quantize(const Lowering& lowering, HloInstruction& number, const Quantization& quantization) {
  Term steps(lowering.translator, number);
  ASSAY_TRY(const Term scales, Parameters(lowering, steps, quantization, quantization.scales));
  steps = steps / scales;
  if (HasZeroPoint(quantization)) {
    ASSAY_TRY(const Term zero_points, Parameters(lowering, steps, quantization, quantization.zero_points));
    steps = steps + zero_points;
  }
  const Term least = steps.Same(static_cast<double>(quantization.storage_min));
  const Term largest = steps.Same(static_cast<double>(quantization.storage_max));
  const Term clamped(lowering.translator,
                     lowering.translator.Add("clamp", steps.instruction().shape,
                                             {&least.instruction(), &steps.instruction(), &largest.instruction()}));
  return &ConvertTo(clamped.Unary("round-nearest-even"), quantization.storage_type).instruction();
}

// Replaces each quantized result, which the lowering has bound, by `replace(instruction, quantization)`.
template <class F>
Status ReplaceResults(const Lowering& lowering, F replace) {
  Translator& translator = lowering.translator;
  for (const Value& result : lowering.operation.results) {
    const Quantization* quantization = QuantizationOf(result.type);
    if (quantization == nullptr) continue;
    ASSAY_TRY(HloInstruction * instruction, translator.InstructionOf(lowering.operation, result.id));
    ASSAY_TRY(HloInstruction * replaced, replace(*instruction, *quantization));
    translator.Bind(result.id, *replaced);
  }
  return {};
}

const Quantization* QuantizationOfOperand(const Lowering& lowering, std::size_t index) {
  const Type* type = lowering.translator.TypeOf(lowering.operation.operands[index]);
  return type == nullptr ? nullptr : QuantizationOf(*type);
}

Status LowerExpressed(const Lowering& lowering) {
  const std::size_t first = lowering.translator.instruction_count();
  Lowering expressed = lowering;
  for (std::size_t i = 0; i < lowering.operands.size(); ++i) {
    const Quantization* quantization = QuantizationOfOperand(lowering, i);
    if (quantization == nullptr) continue;
    ASSAY_TRY(expressed.operands[i], Dequantize(lowering, *lowering.operands[i], *quantization));
  }
  for (std::size_t i = 0; i < lowering.operation.results.size(); ++i) {
    ASSAY_TRY(Shape shape, lowering.ResultShape(i));
    const Quantization* quantization = QuantizationOf(lowering.operation.results[i].type);
    if (quantization != nullptr) shape = ShapeUtil::ChangeElementType(shape, quantization->expressed_type);
    expressed.result_shapes.push_back(std::move(shape));
  }
  ASSAY_CHECK_OK(lowering.row.lower(expressed));
  ASSAY_CHECK_OK(lowering.translator.InferShapes(lowering.operation, first));
  return ReplaceResults(lowering, [&](HloInstruction& number, const Quantization& quantization) {
    return Quantize(lowering, number, quantization);
  });
}

// Converts operands to the types of the computation's arguments: to_destination_type of the specification. The windows
// of select_and_scatter keep their type, in which `select` compares; its own lowering widens their integers.
Status LowerFold(const Lowering& lowering) {
  Lowering converted = lowering;
  const std::vector<const TensorType*> arguments = FoldedTypes(lowering);
  for (std::size_t i = 0; i < lowering.operands.size(); ++i) {
    const Quantization* quantization = QuantizationOfOperand(lowering, i);
    const Quantization* wanted = arguments[i] == nullptr ? nullptr : arguments[i]->quantized.value.get();
    if (quantization == nullptr || wanted == nullptr || *quantization == *wanted) continue;
    if (lowering.row.name == "select_and_scatter" && i == 0) {
      if (IsSignedIntegralType(quantization->storage_type) == IsSignedIntegralType(wanted->storage_type)) continue;
      return lowering.Unsupported("the storage types of select and scatter must both be signed or unsigned");
    }
    ASSAY_TRY(HloInstruction * number, Dequantize(lowering, *lowering.operands[i], *quantization));
    ASSAY_TRY(converted.operands[i], Quantize(lowering, *number, *wanted));
  }
  return lowering.row.lower(converted);
}

// HLO gives 0 to a device that receives nothing; the integer that stands for 0 is the zero point. Both transfers differ
// from the integers by the zero point's bits.
Status LowerTransfer(const Lowering& lowering) {
  const auto flipped = [&](HloInstruction& storage, const Quantization& quantization) -> Result<HloInstruction*> {
    if (!HasZeroPoint(quantization)) return &storage;
    const Term integers(lowering.translator, storage);
    ASSAY_TRY(const Term zero_points, Parameters(lowering, integers, quantization, quantization.zero_points));
    return &integers.Binary("xor", zero_points).instruction();
  };
  Lowering transfer = lowering;
  for (std::size_t i = 0; i < lowering.operands.size(); ++i) {
    const Quantization* quantization = QuantizationOfOperand(lowering, i);
    if (quantization == nullptr) continue;
    ASSAY_TRY(transfer.operands[i], flipped(*lowering.operands[i], *quantization));
  }
  ASSAY_CHECK_OK(lowering.row.lower(transfer));
  return ReplaceResults(lowering, flipped);
}

}  // namespace

Status Translator::CheckQuantizedTypes(const Operation& user, std::string_view what, const std::vector<ValueId>& values,
                                       const std::vector<Type>& types) const {
  for (std::size_t i = 0; i < std::min(values.size(), types.size()); ++i) {
    const Type* type = TypeOf(values[i]);
    const Quantization* found = type == nullptr ? nullptr : QuantizationOf(*type);
    const Quantization* expected = QuantizationOf(types[i]);
    if (found == expected || (found != nullptr && expected != nullptr && *found == *expected)) continue;
    return IllegalAt(user, fmt::format("{} {} must be a {}, found a {}", what, i, ToText(types[i]),
                                       type == nullptr ? "value of no type" : ToText(*type)));
  }
  return {};
}

bool HasQuantizedTensor(const Translator& translator, const Operation& operation) {
  const auto is_quantized = [](const Type* type) { return type != nullptr && QuantizationOf(*type) != nullptr; };
  return std::ranges::any_of(operation.operands, is_quantized,
                             [&](ValueId value) { return translator.TypeOf(value); }) ||
         std::ranges::any_of(operation.results, is_quantized, [](const Value& result) { return &result.type; });
}

Status LowerQuantized(const Lowering& lowering) {
  const QuantizedRow* row = FindQuantizedRow(lowering.operation.name);
  if (row == nullptr) return lowering.Illegal("it takes no quantized tensors, and has no quantized result");
  ASSAY_CHECK_OK(CheckQuantizedOperation(lowering, *row));
  switch (row->meaning) {
    case QuantizedMeaning::kStorage:
      break;
    case QuantizedMeaning::kExpressed:
      return LowerExpressed(lowering);
    case QuantizedMeaning::kFold:
      return LowerFold(lowering);
    case QuantizedMeaning::kTransfer:
      return LowerTransfer(lowering);
  }
  return lowering.row.lower(lowering);
}

// Quantization and dequantization compute nothing between the conversions of LowerQuantized.
Status LowerConversion(const Lowering& lowering) {
  if (!HasQuantizedTensor(lowering.translator, lowering.operation)) {
    return lowering.Illegal("the operand or the result must be a quantized tensor");
  }
  lowering.translator.BindResults(lowering.operation, *lowering.operands[0]);
  return {};
}

}  // namespace assay::stablehlo
