// Types of quantized elements: StableHLO's specification, "Quantized element types" and "Quantized tensor types".
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "interpreter/stablehlo/operation.h"

namespace assay::stablehlo {

// The least and the largest integer of a storage type, which storage_min and storage_max are by default.
std::int64_t LeastOf(PrimitiveType storage_type);
std::int64_t LargestOf(PrimitiveType storage_type);
// Returns the storage type of a name: i4, u8 or ui8. Others are invalid: StableHLO has integers of 2, 4, 8, 16 and 32
// bits there, and signed ones are signless.
PrimitiveType StorageTypeOf(std::string_view name);

// The rule of both types, for messages.
inline constexpr std::string_view kQuantizedTypes =
    "a quantized type stores i2, i4, i8, i16, i32, or u2 to u32, and expresses a floating type";

// Sets the element type of a tensor, which may be quantized. Returns false for types that are not elements in HLO.
bool SetElementType(const Type& element, TensorType& tensor);

// Returns the quantization of a type; null for a type that is not a quantized tensor.
const Quantization* QuantizationOf(const Type& type);

// True if a constant of the type `type` may have elements of the type `elements`. Those of a quantized tensor are
// signless in MLIR: i8 also for the storage type u8.
bool AreElementsOf(const TensorType& elements, const TensorType& type);
// Returns these elements of a quantized constant as unsigned ones if its storage type is unsigned; none: they have the
// constant's type.
std::optional<DenseElements> StoredElements(const DenseElements& elements, const Operation& constant);

// True if all elements have one scale and one zero point.
inline bool IsPerTensor(const Quantization& type) { return !type.dimension && !type.blocks; }
// Returns how many scales a tensor of the rank has in each dimension.
std::vector<std::int64_t> ScaleCounts(const Quantization& type, std::size_t rank);

// Makes the zero points of blocks numbers of the storage type. MLIR keeps their bits, and prints 200 of u8 as -56.
void WrapZeroPoints(Quantization& type);

// Returns "!quant.uniform<i8:f32, 5.000000e-01:3>" as MLIR prints it: without storage_min and storage_max if they are
// the defaults, and without zero points of 0.
std::string ToText(const Quantization& quantization);

// Checks the constraints C3 and C5 to C13 of a tensor's element type, and those of MLIR on blocks; fails at the
// operation, with the rule. The other ones follow from the representation.
Status CheckQuantization(const Operation& operation, const TensorType& type);

}  // namespace assay::stablehlo
