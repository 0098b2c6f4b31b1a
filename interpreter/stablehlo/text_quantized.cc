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

// Parses "0.5:3" or "0.5".
Status MlirParser::ParseParameter(Quantization& quantization) {
  ASSAY_TRY(quantization.scales.emplace_back(), ParseScale());
  quantization.zero_points.push_back(0);
  if (!Take(":")) return {};
  ASSAY_TRY(quantization.zero_points.back(), ParseInteger());
  return {};
}

// Parses "{{0.5, 0.25:3}, {1.0, 2.0}}" and returns the shape of the lists, here 2x2.
Status MlirParser::ParseParameterLists(Quantization& quantization, std::vector<std::int64_t>& counts) {
  const Nesting nesting(*this);
  if (nesting.is_too_deep()) return TooDeep();
  std::vector<std::int64_t> inner;
  counts = {0};
  ASSAY_CHECK_OK(ParseList("{", "}", [&]() -> Status {
    std::vector<std::int64_t> item;
    const std::size_t begin = token().begin;
    ASSAY_CHECK_OK(At("{") ? ParseParameterLists(quantization, item) : ParseParameter(quantization));
    if (counts[0]++ == 0) inner = item;
    if (item == inner) return {};
    return FailAt(begin, "the lists of scales must have one shape");
  }));
  if (counts[0] == 0) return Expected("a scale before the end of the list");
  counts.insert(counts.end(), inner.begin(), inner.end());
  return {};
}

// Parses "{0:1, 1:2}, {{0.5, 0.25}, {1.0, 2.0}}", with scales of the expressed type.
Status MlirParser::ParseBlocks(Quantization& quantization) {
  QuantizationBlocks blocks;
  ASSAY_CHECK_OK(ParseList("{", "}", [&]() -> Status {
    auto& [dimension, size] = blocks.sizes.emplace_back();
    ASSAY_TRY(dimension, ParseInteger());
    ASSAY_CHECK_OK(Expect(":"));
    ASSAY_TRY(size, ParseInteger());
    return {};
  }));
  ASSAY_CHECK_OK(Expect(","));
  ASSAY_CHECK_OK(ParseParameterLists(quantization, blocks.counts));
  const FloatFormat& format = FloatFormatOf(quantization.expressed_type);
  for (double& scale : quantization.scales) scale = ToDouble(format, RoundDouble(format, scale));
  WrapZeroPoints(quantization);
  quantization.blocks = std::move(blocks);
  return {};
}

// Parses the type whose name is the current token: "!quant.uniform<i8:f32:1, {0.5, 0.25:3}>".
Result<Type> MlirParser::ParseQuantizedType() {
  Quantization quantization;
  Next();
  ASSAY_CHECK_OK(Expect("<"));
  ASSAY_CHECK_OK(ParseQuantizedElement(quantization));
  const bool has_place = Take(":");
  if (has_place && At("{")) {
    ASSAY_CHECK_OK(ParseBlocks(quantization));
  } else {
    if (has_place) {
      ASSAY_TRY(quantization.dimension, ParseInteger());
    }
    ASSAY_CHECK_OK(Expect(","));
    const auto parameter = [&] { return ParseParameter(quantization); };
    ASSAY_CHECK_OK(has_place ? ParseList("{", "}", parameter) : parameter());
  }
  ASSAY_CHECK_OK(Expect(">"));
  return Type{QuantizedType{std::make_shared<const Quantization>(std::move(quantization))}};
}

}  // namespace assay::stablehlo
