// Ops that compute element by element, constants, and random numbers.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <optional>
#include <utility>

#include "interpreter/stablehlo/quantized_types.h"
#include "interpreter/stablehlo/to_hlo_formulas.h"
#include "interpreter/stablehlo/to_hlo_operations.h"
#include "interpreter/types/float_format.h"

namespace assay::stablehlo {
namespace {

// Maps the words of StableHLO to the modes of HLO; omits DEFAULT.
Result<std::optional<ResultAccuracy>> ResultAccuracyOf(const Lowering& lowering) {
  std::optional<ResultAccuracy> accuracy;
  ASSAY_TRY(const Dictionary* fields, lowering.attributes().Fields("result_accuracy"));
  if (fields == nullptr) return accuracy;
  const AttributeReader reader(lowering.operation, *fields);
  ASSAY_TRY(const std::string mode, reader.Word("mode"));
  ResultAccuracy tolerance;
  ASSAY_TRY(tolerance.atol, reader.Float("atol", 0));
  ASSAY_TRY(tolerance.rtol, reader.Float("rtol", 0));
  ASSAY_TRY(tolerance.ulps, reader.Integer("ulps", 0));
  const bool has_tolerance = tolerance.atol != 0 || tolerance.rtol != 0 || tolerance.ulps != 0;
  if (has_tolerance && mode != "TOLERANCE") {
    return lowering.Illegal("atol, rtol and ulps of result_accuracy must be 0, unless its mode is TOLERANCE");
  }
  if (mode == "HIGHEST") accuracy.emplace().is_highest = true;
  if (mode == "TOLERANCE") {
    accuracy = tolerance;
  } else if (mode != "HIGHEST" && mode != "DEFAULT" && !mode.empty()) {
    return lowering.Illegal(
        fmt::format("the mode of result_accuracy must be DEFAULT, HIGHEST or TOLERANCE, found {}", mode));
  }
  return accuracy;
}

bool AreEqualElements(const Literal& literal) {
  const std::size_t size = StorageBytes(literal.element_type());
  const auto* bytes = literal.data();
  for (std::int64_t i = 1; i < literal.element_count(); ++i) {
    if (std::memcmp(bytes, bytes + i * size, size) != 0) return false;
  }
  return true;
}

// Returns the real parts of complex numbers, or the imaginary parts.
Literal ComponentOf(const Literal& numbers, bool is_imaginary) {
  const PrimitiveType type = ComplexComponentType(numbers.element_type());
  const std::size_t size = StorageBytes(type);
  Literal part = Literal::Uninitialized(ShapeUtil::ChangeElementType(numbers.shape(), type));
  for (std::int64_t i = 0; i < numbers.element_count(); ++i) {
    std::memcpy(part.mutable_data() + i * size, numbers.data() + (2 * i + (is_imaginary ? 1 : 0)) * size, size);
  }
  return part;
}

// True if HLO text cannot express one of the numbers: XLA reads a NaN real part as that NaN in both parts.
bool HasLoneNan(const Literal& numbers) {
  const PrimitiveType type = ComplexComponentType(numbers.element_type());
  const std::size_t size = StorageBytes(type);
  for (std::int64_t i = 0; i < numbers.element_count(); ++i) {
    const std::byte* const real = numbers.data() + 2 * i * size;
    std::uint64_t bits = 0;
    std::memcpy(&bits, real, size);
    if (FloatFormatOf(type).is_nan(bits) && std::memcmp(real, real + size, size) != 0) return true;
  }
  return false;
}

// Adds a constant. One that HLO text cannot express is made of two.
HloInstruction& AddExpressible(Translator& translator, Literal literal) {
  if (!IsComplexType(literal.element_type()) || !HasLoneNan(literal)) return translator.AddConstant(std::move(literal));
  HloInstruction& real = translator.AddConstant(ComponentOf(literal, /*is_imaginary=*/false));
  HloInstruction& imaginary = translator.AddConstant(ComponentOf(literal, /*is_imaginary=*/true));
  return translator.Add("complex", literal.shape(), {&real, &imaginary});
}

}  // namespace

Status SetResultAccuracy(const Lowering& lowering, HloInstruction& instruction) {
  if (!instruction.op->syntax.accepts_result_accuracy) return {};
  ASSAY_TRY(instruction.result_accuracy, ResultAccuracyOf(lowering));
  return {};
}

Status LowerDirectly(const Lowering& lowering) {
  ASSAY_TRY(HloInstruction * instruction, lowering.AddResult());
  ASSAY_CHECK_OK(SetPairs(lowering.attributes(), PairsOf(lowering.row.name), *instruction));
  return SetResultAccuracy(lowering, *instruction);
}

Result<HloInstruction*> AddConstantOf(Translator& translator, const Operation& operation,
                                      const DenseElements& elements) {
  ASSAY_TRY(Literal literal, LiteralOf(operation, elements));
  const Shape shape = ShapeUtil::MakeShape(elements.type.element_type, elements.type.dimensions);
  const bool is_several = literal.element_count() > 1;
  if (is_several && AreEqualElements(literal)) {
    Literal first = Literal::Uninitialized(ShapeUtil::MakeScalarShape(shape.element_type()));
    std::memcpy(first.mutable_data(), literal.data(), StorageBytes(shape.element_type()));
    literal = std::move(first);
  }
  if (literal.element_count() == 1 && !ShapeUtil::SameDimensions(literal.shape(), shape)) {
    const bool is_one = std::ranges::all_of(shape.dimensions(), [](std::int64_t size) { return size == 1; });
    HloInstruction& scalar =
        AddExpressible(translator, is_one ? std::move(literal).WithShape(shape) : std::move(literal));
    return is_one ? &scalar : &AddBroadcast(translator, scalar, {}, shape);
  }
  return &AddExpressible(translator, std::move(literal));
}

Status LowerConstant(const Lowering& lowering) {
  const auto* elements = lowering.attributes().FindAs<DenseElements>("value");
  if (elements == nullptr) return lowering.Illegal("the attribute value must be the elements of a tensor");
  if (elements->is_elided) {
    ASSAY_TRY(HloInstruction * elided, lowering.AddResult("constant", {}));
    elided->literal_is_elided = true;
    return {};
  }
  const std::optional<DenseElements> stored = StoredElements(*elements, lowering.operation);
  ASSAY_TRY(HloInstruction * constant,
            AddConstantOf(lowering.translator, lowering.operation, stored ? *stored : *elements));
  lowering.translator.BindResults(lowering.operation, *constant);
  return {};
}

Status LowerCompare(const Lowering& lowering) {
  ASSAY_TRY(std::string type, lowering.attributes().Word("compare_type"));
  ASSAY_TRY(HloInstruction * compare, lowering.AddResult());
  ASSAY_CHECK_OK(SetPairs(lowering.attributes(), PairsOf("compare"), *compare));
  if (!type.empty() && type != "NOTYPE") compare->Set("type", std::move(type));
  return compare->op->syntax.normalize(*compare);
}

// Converts a complex operand to a real type by its real part.
Status LowerConvert(const Lowering& lowering) {
  ASSAY_TRY(const Shape result, lowering.ResultShape());
  HloInstruction* operand = lowering.operands[0];
  if (!result.IsArray() || !operand->shape.IsArray())
    return lowering.Illegal("the operand and the result must be tensors");
  const PrimitiveType type = operand->shape.element_type();
  if (IsComplexType(type) && !IsComplexType(result.element_type())) {
    operand = &lowering.translator.Add("real", ShapeUtil::ChangeElementType(operand->shape, ComplexComponentType(type)),
                                       {operand});
  }
  ASSAY_TRY([[maybe_unused]] const HloInstruction* convert, lowering.AddResult("convert", {operand}));
  return {};
}

// select and clamp accept scalars together with arrays; in HLO all operands have the dimensions of the result.
Status LowerScalarBroadcasting(const Lowering& lowering) {
  ASSAY_TRY(const Shape result, lowering.ResultShape());
  std::vector<HloInstruction*> operands;
  for (HloInstruction* operand : lowering.operands) {
    operands.push_back(&AddScalarBroadcast(lowering.translator, *operand, result));
  }
  ASSAY_TRY([[maybe_unused]] const HloInstruction* instruction,
            lowering.AddResult(lowering.row.op, std::move(operands)));
  return {};
}

// StableHLO orders complex numbers by their real parts, then by their imaginary parts. HLO has no order of them.
Status LowerExtremum(const Lowering& lowering) {
  const Shape& shape = lowering.operands[0]->shape;
  const bool has_one_shape = ShapeUtil::Compatible(shape, lowering.operands[1]->shape);
  if (!has_one_shape || !shape.IsArray() || !IsComplexType(shape.element_type())) return LowerDirectly(lowering);
  const Term x(lowering.translator, *lowering.operands[0]), y(lowering.translator, *lowering.operands[1]);
  const PrimitiveType part = ComplexComponentType(shape.element_type());
  const Term real_x = x.OfType("real", part), real_y = y.OfType("real", part);
  const Term imag_x = x.OfType("imag", part), imag_y = y.OfType("imag", part);
  const bool is_maximum = lowering.row.name == "maximum";
  const Term precedes = is_maximum ? real_x > real_y || (real_x == real_y && imag_x > imag_y)
                                   : real_x < real_y || (real_x == real_y && imag_x < imag_y);
  lowering.translator.BindResults(lowering.operation, Select(precedes, x, y).instruction());
  return {};
}

// Operand 2 holds the sizes of the result. HLO writes them in the instruction's shape instead.
Status LowerRng(const Lowering& lowering) {
  ASSAY_TRY(const std::string distribution, lowering.attributes().Word("rng_distribution"));
  if (distribution != "UNIFORM" && distribution != "NORMAL") {
    return lowering.Illegal(fmt::format("rng_distribution must be UNIFORM or NORMAL, found {}", distribution));
  }
  ASSAY_TRY(const Lowering sized, lowering.WithResultSizes(2));
  if (const Shape& sizes = lowering.operands[2]->shape; !sizes.IsArray() || sizes.rank() != 1) {
    return lowering.Illegal(fmt::format("operand 2 must be a list of sizes, found {}", sizes.ToStringWithoutLayout()));
  }
  ASSAY_CHECK_OK(CheckResultSizes(sized, 2));
  ASSAY_TRY(HloInstruction * rng, sized.AddResult("rng", sized.OperandsFrom(0, 2)));
  return SetPairs(lowering.attributes(), PairsOf("rng"), *rng);
}

Status LowerRngBitGenerator(const Lowering& lowering) {
  ASSAY_TRY(const std::string algorithm, lowering.attributes().Word("rng_algorithm"));
  if (algorithm != "DEFAULT" && algorithm != "THREE_FRY" && algorithm != "PHILOX") {
    return lowering.Illegal(fmt::format("rng_algorithm must be DEFAULT, THREE_FRY or PHILOX, found {}", algorithm));
  }
  return LowerDirectly(lowering);
}

}  // namespace assay::stablehlo
