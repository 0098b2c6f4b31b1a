// The forms of operations with numbers of dimensions.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>

#include "interpreter/stablehlo/text_forms.h"

namespace assay::stablehlo {
namespace {

// Parses "[1] x [0]".
Status ParseDimensionPairs(MlirParser& parser, std::string_view kind, Dictionary& fields) {
  const auto add = [&](std::string_view side, std::vector<std::int64_t> dimensions) {
    if (dimensions.empty()) return;
    fields.entries.push_back({fmt::format("{}_{}_dimensions", side, kind), {DenseArray{S64, std::move(dimensions)}}});
  };
  ASSAY_TRY(std::vector<std::int64_t> lhs, parser.ParseIntegers());
  ASSAY_CHECK_OK(parser.Expect("x"));
  ASSAY_TRY(std::vector<std::int64_t> rhs, parser.ParseIntegers());
  add("lhs", std::move(lhs));
  add("rhs", std::move(rhs));
  return {};
}

Result<Attribute> ParsePaddings(MlirParser& parser) {
  std::vector<std::int64_t> bounds;
  ASSAY_CHECK_OK(parser.ParseList("[", "]", [&]() -> Status {
    const std::size_t begin = parser.token().begin;
    ASSAY_TRY(const std::vector<std::int64_t> pair, parser.ParseIntegers());
    if (pair.size() != 2)
      return parser.FailAt(begin, fmt::format("expected 2 sizes of padding, found {}", pair.size()));
    bounds.insert(bounds.end(), pair.begin(), pair.end());
    return {};
  }));
  DenseElements dense{{S64, {static_cast<std::int64_t>(bounds.size() / 2), 2}, {}}, {}, false};
  for (const std::int64_t bound : bounds) AppendElement(static_cast<std::uint64_t>(bound), S64, dense.bytes);
  JoinEqualElements(dense);
  return Attribute{std::move(dense)};
}

Result<Attribute> ParseBooleans(MlirParser& parser) {
  DenseArray booleans{PRED, {}};
  ASSAY_CHECK_OK(parser.ParseList("[", "]", [&]() -> Status {
    if (parser.At("0") || parser.At("1")) {  // as StableHLO printed them in 2023
      ASSAY_TRY(booleans.values.emplace_back(), parser.ParseInteger());
      return {};
    }
    ASSAY_TRY(const bool value, parser.ParseBoolean());
    booleans.values.push_back(value);
    return {};
  }));
  return Attribute{std::move(booleans)};
}

}  // namespace

Result<Attribute> ParsePrecisions(MlirParser& parser) {
  std::vector<Attribute> precisions;
  ASSAY_CHECK_OK(parser.ParseList("[", "]", [&]() -> Status {
    if (!parser.Is(MlirTokenKind::kWord)) return parser.Expected("a precision such as HIGHEST");
    precisions.push_back(EnumerationOf("stablehlo.precision", parser.token().text));
    parser.Next();
    return {};
  }));
  return Attribute{std::move(precisions)};
}

// Parses () <{value = dense<...> : type}> : () -> type, as StableHLO printed constants in 2022.
Status ParseGenericConstant(MlirParser& parser, Operation& operation) {
  ASSAY_CHECK_OK(parser.ExpectAll({"(", ")"}));
  const bool has_properties = parser.Take("<");
  ASSAY_CHECK_OK(parser.ParseOptionalDictionary(operation.attributes));
  if (has_properties) ASSAY_CHECK_OK(parser.Expect(">"));
  ASSAY_CHECK_OK(parser.Expect(":"));
  return parser.ParseTypeOf(operation);
}

// Parses {attributes} dense<...> : type.
Status ParseConstant(MlirParser& parser, Operation& operation) {
  if (parser.At("(")) return ParseGenericConstant(parser, operation);
  ASSAY_CHECK_OK(parser.ParseOptionalDictionary(operation.attributes));
  const std::size_t begin = parser.token().begin;
  ASSAY_TRY(Attribute value, parser.ParseAttribute());
  const auto* elements = value.As<DenseElements>();
  if (elements == nullptr) {
    return parser.FailAt(begin, "a value must be a tensor: expected elements such as dense<1.0> : tensor<f32>");
  }
  ASSAY_CHECK_OK(parser.SetResultTypes(operation, {Type{elements->type}}, begin));
  AddAttribute(operation, "value", std::move(value));
  return {};
}

// Parses stride = [1, 1], pad = [[0, 0], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, true].
Status ParseWindow(MlirParser& parser, Operation& operation) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 5> kFields = {{
      {"stride", "window_strides"},
      {"pad", "padding"},
      {"lhs_dilate", "lhs_dilation"},
      {"rhs_dilate", "rhs_dilation"},
      {"reverse", "window_reversal"},
  }};
  return parser.ParseList("{", "}", [&]() -> Status {
    if (parser.At("}")) return {};  // after a comma at the end
    const auto field = std::ranges::find_if(kFields, [&](const auto& each) { return parser.At(each.first); });
    if (field == kFields.end()) return parser.Expected("stride, pad, lhs_dilate, rhs_dilate or reverse");
    parser.Next();
    ASSAY_CHECK_OK(parser.Expect("="));
    Attribute value;
    if (field->first == "pad") {
      ASSAY_TRY(value, ParsePaddings(parser));
    } else if (field->first == "reverse") {
      ASSAY_TRY(value, ParseBooleans(parser));
    } else {
      ASSAY_TRY(std::vector<std::int64_t> values, parser.ParseIntegers());
      value = {DenseArray{S64, std::move(values)}};
    }
    AddAttribute(operation, std::string(field->second), std::move(value));
    return {};
  });
}

// Parses [0:4:2, 1:3].
Status ParseRanges(MlirParser& parser, Operation& operation) {
  DenseArray starts, limits, strides;
  ASSAY_CHECK_OK(parser.ParseList("[", "]", [&]() -> Status {
    ASSAY_TRY(starts.values.emplace_back(), parser.ParseInteger());
    ASSAY_CHECK_OK(parser.Expect(":"));
    ASSAY_TRY(limits.values.emplace_back(), parser.ParseInteger());
    std::int64_t& stride = strides.values.emplace_back(1);
    if (parser.Take(":")) {
      ASSAY_TRY(stride, parser.ParseInteger());
    }
    return {};
  }));
  AddAttribute(operation, "limit_indices", {std::move(limits)});
  AddAttribute(operation, "start_indices", {std::move(starts)});
  AddAttribute(operation, "strides", {std::move(strides)});
  return {};
}

// Parses %0, %1, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [...], algorithm = <...>.
Status ParseDotGeneral(MlirParser& parser, Operation& operation) {
  ASSAY_TRY(operation.operands.emplace_back(), parser.ParseOperand());
  ASSAY_CHECK_OK(parser.Expect(","));
  ASSAY_TRY(operation.operands.emplace_back(), parser.ParseOperand());
  Dictionary numbers;
  for (const std::string_view kind : {"batching", "contracting"}) {
    const std::string word = fmt::format("{}_dims", kind);
    if (kind == "batching" && !parser.IsBefore(word)) continue;
    for (const std::string_view expected : {std::string_view(","), std::string_view(word), std::string_view("=")}) {
      ASSAY_CHECK_OK(parser.Expect(expected));
    }
    ASSAY_CHECK_OK(ParseDimensionPairs(parser, kind, numbers));
  }
  AddAttribute(operation, "dot_dimension_numbers", DialectAttributeOf("stablehlo.dot", std::move(numbers.entries)));
  while (parser.Take(",")) {
    const bool is_algorithm = parser.At("algorithm");
    if (!is_algorithm && !parser.At("precision")) return parser.Expected("precision or algorithm");
    parser.Next();
    ASSAY_CHECK_OK(parser.Expect("="));
    if (is_algorithm) {
      ASSAY_CHECK_OK(parser.Expect("<"));
      ASSAY_TRY(Attribute algorithm, parser.ParseDialectBody("stablehlo.dot_algorithm"));
      AddAttribute(operation, "algorithm", std::move(algorithm));
    } else {
      ASSAY_TRY(Attribute precisions, ParsePrecisions(parser));
      AddAttribute(operation, "precision_config", std::move(precisions));
    }
  }
  ASSAY_CHECK_OK(parser.ParseOptionalDictionary(operation.attributes));
  ASSAY_CHECK_OK(parser.Expect(":"));
  return parser.ParseTypeOf(operation);
}

// Parses e5m10.
Status ParseFormat(MlirParser& parser, Operation& operation) {
  const std::string_view format = parser.token().text;
  const char* const end = format.data() + format.size();
  int exponent = 0, mantissa = 0;
  const auto read = std::from_chars(format.data() + !format.empty(), end, exponent);
  const bool has_mantissa = format.starts_with('e') && read.ec == std::errc() && read.ptr != end && *read.ptr == 'm';
  const auto last = has_mantissa ? std::from_chars(read.ptr + 1, end, mantissa) : read;
  if (!has_mantissa || last.ec != std::errc() || last.ptr != end) return parser.Expected("a format such as e5m10");
  parser.Next();
  AddAttribute(operation, "exponent_bits", {IntegerAttribute{exponent, S32}});
  AddAttribute(operation, "mantissa_bits", {IntegerAttribute{mantissa, S32}});
  return {};
}

// Parses %0, %1, tolerance = 0.1 : f64 : type, or %0, dense<...> : type; types and bounds are optional.
Status ParseCheck(MlirParser& parser, Operation& operation) {
  const std::size_t begin = parser.token().begin;
  ASSAY_TRY(operation.operands.emplace_back(), parser.ParseOperand());
  ASSAY_CHECK_OK(parser.Expect(","));
  if (operation.name.ends_with("_const")) {
    ASSAY_TRY(Attribute value, parser.ParseAttribute());
    AddAttribute(operation, "value", std::move(value));
  } else {
    ASSAY_TRY(operation.operands.emplace_back(), parser.ParseOperand());
  }
  while (parser.Take(",")) {
    std::string name(parser.token().text);
    parser.Next();
    ASSAY_CHECK_OK(parser.Expect("="));
    if (name != "tolerance") {
      const MlirToken number = parser.token();
      parser.Next();
      ASSAY_TRY(Attribute ulps, parser.NumberOfType(/*is_negative=*/false, number, U64));
      AddAttribute(operation, std::move(name), std::move(ulps));
      continue;
    }
    ASSAY_TRY(Attribute tolerance, parser.ParseAttribute());
    AddAttribute(operation, std::move(name), std::move(tolerance));
  }
  const bool has_types = parser.Take(":");
  ASSAY_CHECK_OK(parser.ParseOptionalDictionary(operation.attributes));
  if (has_types || parser.Take(":")) {
    ASSAY_TRY(const std::vector<Type> types, parser.ParseTypes());
  }
  FunctionType type;
  for (const ValueId operand : operation.operands) type.inputs.push_back(parser.TypeOf(operand));
  return parser.SetFunctionType(operation, type, begin);
}

// Parses {attributes} %0, %1 : types; or ().
Status ParseBarrier(MlirParser& parser, Operation& operation) {
  ASSAY_CHECK_OK(parser.ParseOptionalDictionary(operation.attributes));
  const std::size_t begin = parser.token().begin;
  if (parser.Take("(")) {
    ASSAY_CHECK_OK(parser.Expect(")"));
    return parser.SetResultTypes(operation, {}, begin);
  }
  ASSAY_CHECK_OK(parser.ParseOperands(operation.operands));
  ASSAY_CHECK_OK(parser.Expect(":"));
  ASSAY_TRY(const std::vector<Type> types, parser.ParseTypes());
  return parser.SetFunctionType(operation, {types, types}, begin);
}

}  // namespace assay::stablehlo
