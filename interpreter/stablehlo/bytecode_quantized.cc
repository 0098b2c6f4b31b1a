// The encoding of MLIR's dialect quant, mlir/include/mlir/Dialect/Quant/IR/QuantDialectBytecode.td.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <functional>
#include <memory>
#include <numeric>
#include <utility>

#include "interpreter/stablehlo/bytecode_values.h"
#include "interpreter/stablehlo/print.h"
#include "interpreter/stablehlo/quantized_types.h"
#include "interpreter/stablehlo/to_hlo_attributes.h"

namespace assay::stablehlo {
namespace {

// The codes of types that no tensor of HLO has. QuantizedForm has the others.
enum QuantTypeCode { kAny = 1, kAnyOfExpressedType = 2, kCalibrated = 3 };

std::vector<double> ReadScales(Cursor& cursor, BytecodeValues& values, PrimitiveType type,
                               std::vector<std::int64_t>& counts) {
  const Attribute attribute = values.ReadAttribute(cursor);
  const auto* elements = attribute.As<DenseElements>();
  if (elements == nullptr || elements->type.element_type != type || elements->bytes.empty()) {
    cursor.Fail("expected the index of a tensor of scales");
    return {};
  }
  counts = elements->type.dimensions;
  const auto count = std::accumulate(counts.begin(), counts.end(), std::size_t{1}, std::multiplies<>());
  cursor.file().Charge(count * sizeof(double), cursor.offset());
  std::vector<double> scales(cursor.ok() ? count : 0);
  const std::size_t width = StorageBytes(type);
  for (std::size_t i = 0; i < scales.size(); ++i) {
    std::uint64_t bits = 0;
    std::memcpy(&bits, elements->bytes.data() + (elements->is_splat ? 0 : i * width), width);
    scales[i] = ToDouble(FloatFormatOf(type), bits);
  }
  return scales;
}

void ReadBlocks(Cursor& cursor, BytecodeValues& values, Quantization& quantization) {
  QuantizationBlocks blocks;
  for (const std::int64_t dimension : cursor.SignedVarints()) blocks.sizes.emplace_back(dimension, 0);
  const std::vector<std::int64_t> sizes = cursor.SignedVarints();
  for (std::size_t i = 0; i < std::min(sizes.size(), blocks.sizes.size()); ++i) blocks.sizes[i].second = sizes[i];
  quantization.scales = ReadScales(cursor, values, quantization.expressed_type, blocks.counts);
  quantization.zero_points = IntegersOf(values.ReadAttribute(cursor)).value_or(std::vector<std::int64_t>());
  if (sizes.size() != blocks.sizes.size() || quantization.zero_points.size() != quantization.scales.size() ||
      blocks.counts.empty()) {
    cursor.Fail("blocks must have one size for each dimension, and one zero point for each scale of a list");
  }
  WrapZeroPoints(quantization);
  quantization.blocks = std::move(blocks);
}

Type ReadAny(Cursor& cursor, BytecodeValues& values, bool has_expressed_type) {
  const bool is_signed = (cursor.Varint() & 1) != 0;
  std::string storage = ToText(values.ReadType(cursor));
  if (!is_signed && storage.starts_with('i')) storage[0] = 'u';
  const std::string expressed = has_expressed_type ? ":" + ToText(values.ReadType(cursor)) : "";
  return {OtherType{fmt::format("!quant.any<{}{}>", storage, expressed)}};
}

Type ReadCalibrated(Cursor& cursor, BytecodeValues& values) {
  const std::string expressed = ToText(values.ReadType(cursor));
  const double least = cursor.Double(), largest = cursor.Double();
  return {OtherType{
      fmt::format("!quant.calibrated<{}<{}:{}>>", expressed, FloatText(least, F64), FloatText(largest, F64))}};
}

}  // namespace

// The lowest of the flags is set if the storage type, a signless one, is signed.
Type ReadQuantizedType(Cursor& cursor, BytecodeValues& values, QuantizedForm form) {
  Quantization quantization;
  const bool is_signed = (cursor.Varint() & 1) != 0;
  const std::string storage = ToText(values.ReadType(cursor));
  const Type expressed = values.ReadType(cursor);
  quantization.storage_type = StorageTypeOf(!is_signed && storage.starts_with('i') ? "u" + storage : storage);
  const auto* scalar = std::get_if<ScalarType>(&expressed.value);
  if (quantization.storage_type == PRIMITIVE_TYPE_INVALID || scalar == nullptr ||
      !IsFloatingPointType(scalar->element_type)) {
    cursor.Fail(fmt::format("{}, found {} and {}", kQuantizedTypes, storage, ToText(expressed)));
    return {};
  }
  quantization.expressed_type = scalar->element_type;
  if (form == QuantizedForm::kPerAxis) quantization.dimension = static_cast<std::int64_t>(cursor.Varint());
  if (form == QuantizedForm::kPerTensor) {
    quantization.scales = {cursor.Double()};
    quantization.zero_points = {cursor.SignedVarint()};
  }
  quantization.storage_min = cursor.SignedVarint();
  quantization.storage_max = cursor.SignedVarint();
  if (form == QuantizedForm::kSubChannel) ReadBlocks(cursor, values, quantization);
  if (form == QuantizedForm::kPerAxis) {
    quantization.scales.resize(cursor.Count());
    for (double& scale : quantization.scales) scale = cursor.Double();
    quantization.zero_points = cursor.SignedVarints();
  }
  return {QuantizedType{std::make_shared<const Quantization>(std::move(quantization))}};
}

Type DecodeQuantType(Cursor& cursor, BytecodeValues& values) {
  const std::uint64_t code = cursor.Varint();
  if (code == kAny || code == kAnyOfExpressedType) return ReadAny(cursor, values, code == kAnyOfExpressedType);
  if (code == kCalibrated) return ReadCalibrated(cursor, values);
  const auto form = static_cast<QuantizedForm>(code);
  if (form >= QuantizedForm::kPerTensor && form <= QuantizedForm::kSubChannel) {
    return ReadQuantizedType(cursor, values, form);
  }
  cursor.Fail(fmt::format("type {} of quant is not supported", code), ErrorCode::kUnsupported);
  return {};
}

}  // namespace assay::stablehlo
