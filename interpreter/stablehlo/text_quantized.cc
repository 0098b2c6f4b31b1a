#include <fmt/format.h>

#include <memory>
#include <utility>

#include "interpreter/numerics/round.h"
#include "interpreter/stablehlo/quantized_types.h"
#include "interpreter/stablehlo/text_parser.h"
#include "interpreter/types/float_format.h"

namespace assay::stablehlo {

// Parses "i8<-127:127>:f32".
Status MlirParser::ParseQuantizedElement(Quantization& quantization) {
  const std::size_t begin = token().begin;
  const std::string_view storage = token().text;
  quantization.storage_type = StorageTypeOf(storage);
  Next();
  const auto invalid = [&](std::string_view expressed) {
    return FailAt(begin, fmt::format("{}, found {} and {}", kQuantizedTypes, storage, expressed));
  };
  if (quantization.storage_type == PRIMITIVE_TYPE_INVALID) return invalid("the type after the colon");
  quantization.storage_min = LeastOf(quantization.storage_type);
  quantization.storage_max = LargestOf(quantization.storage_type);
  if (Take("<")) {
    ASSAY_TRY(quantization.storage_min, ParseInteger());
    ASSAY_CHECK_OK(Expect(":"));
    ASSAY_TRY(quantization.storage_max, ParseInteger());
    ASSAY_CHECK_OK(Expect(">"));
  }
  ASSAY_CHECK_OK(Expect(":"));
  const std::string_view expressed = token().text;
  const auto type = ElementType(expressed);
  if (!type || !IsFloatingPointType(*type)) return invalid(expressed);
  quantization.expressed_type = *type;
  Next();
  return {};
}

Result<double> MlirParser::ParseScale() {
  const bool is_negative = Take("-");
  MlirToken number = token();
  const bool is_number = Is(MlirTokenKind::kFloat) || Is(MlirTokenKind::kInteger);
  if (!number.text.starts_with("0x")) number.kind = MlirTokenKind::kFloat;
  const auto bits = is_number ? ReadReal(is_negative, number, F64) : std::nullopt;
  if (!bits) return Expected("a scale, such as 0.5");
  Next();
  return ToDouble(FloatFormatOf(F64), *bits);
}

// Parses the type whose name is the current token: "!quant.uniform<i8:f32:1, {0.5, 0.25:3}>". Types quantized by blocks
// of several dimensions are not in StableHLO's specification.
Result<Type> MlirParser::ParseQuantizedType() {
  const std::size_t begin = token().begin;
  Quantization quantization;
  Next();
  ASSAY_CHECK_OK(Expect("<"));
  ASSAY_CHECK_OK(ParseQuantizedElement(quantization));
  if (Take(":")) {
    if (At("{")) return FailAt(begin, "StableHLO has no types that are quantized by blocks");
    ASSAY_TRY(quantization.dimension, ParseInteger());
  }
  ASSAY_CHECK_OK(Expect(","));
  const auto parameter = [&]() -> Status {
    ASSAY_TRY(quantization.scales.emplace_back(), ParseScale());
    quantization.zero_points.push_back(0);
    if (!Take(":")) return {};
    ASSAY_TRY(quantization.zero_points.back(), ParseInteger());
    return {};
  };
  ASSAY_CHECK_OK(quantization.dimension ? ParseList("{", "}", parameter) : parameter());
  ASSAY_CHECK_OK(Expect(">"));
  return Type{QuantizedType{std::make_shared<const Quantization>(std::move(quantization))}};
}

}  // namespace assay::stablehlo
