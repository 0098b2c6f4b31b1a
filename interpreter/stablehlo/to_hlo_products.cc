// Products of matrices, and convolutions.
#include <fmt/format.h>

#include <algorithm>

#include "interpreter/proto/structures.h"
#include "interpreter/stablehlo/dot_algorithms.h"
#include "interpreter/stablehlo/print.h"
#include "interpreter/stablehlo/to_hlo_operations.h"
#include "interpreter/types/ascii.h"

namespace assay::stablehlo {
namespace {

// Returns "f32" for the type f32, and "tf32" for a type that is not an element type.
Result<std::string> PrecisionTypeOf(const AttributeReader& algorithm, const Lowering& lowering, std::string_view name) {
  const auto* type = algorithm.FindAs<Type>(name);
  if (type == nullptr) return lowering.Illegal(fmt::format("the algorithm must have a type {}", name));
  if (const auto* scalar = std::get_if<ScalarType>(&type->value)) {
    return std::string(PrimitiveTypeName(scalar->element_type));
  }
  return ToText(*type);
}

Result<std::string> AlgorithmOf(const Lowering& lowering) {
  ASSAY_TRY(const Dictionary* fields, lowering.attributes().Fields("algorithm"));
  if (fields == nullptr) return std::string();
  const AttributeReader reader(lowering.operation, *fields);
  ASSAY_TRY(const std::string lhs, PrecisionTypeOf(reader, lowering, "lhs_precision_type"));
  ASSAY_TRY(const std::string rhs, PrecisionTypeOf(reader, lowering, "rhs_precision_type"));
  ASSAY_TRY(const std::string accumulation, PrecisionTypeOf(reader, lowering, "accumulation_type"));
  ASSAY_TRY(const std::int64_t lhs_components, reader.Integer("lhs_component_count", 1));
  ASSAY_TRY(const std::int64_t rhs_components, reader.Integer("rhs_component_count", 1));
  ASSAY_TRY(const std::int64_t operations, reader.Integer("num_primitive_operations", 1));
  ASSAY_TRY(const bool allows_imprecise, reader.Bool("allow_imprecise_accumulation"));
  const auto is_f8 = [](std::string_view type) { return type.starts_with("f8"); };
  const bool has_one_component = lhs_components == 1 && rhs_components == 1;
  if (is_f8(lhs) && is_f8(rhs) && accumulation == "f32" && has_one_component && operations == 1) {
    return std::string(allows_imprecise ? kFastF8Algorithm : kF8Algorithm);
  }
  for (const DotAlgorithmRow& row : kDotAlgorithms) {
    const bool is_same = row.lhs == lhs && row.rhs == rhs && row.accumulation == accumulation && has_one_component &&
                         row.operations == operations && row.allows_imprecise == allows_imprecise;
    if (is_same) return std::string(row.name);
  }
  return lowering.Unsupported(fmt::format(
      "HLO has no algorithm of {} and {} with {} and {} components, accumulated in {} by {} operations{}", lhs, rhs,
      lhs_components, rhs_components, accumulation, operations, allows_imprecise ? ", imprecisely" : ""));
}

Result<ConvolutionDimensionNumbers> DimensionLabels(const Lowering& lowering) {
  ASSAY_TRY(const AttributeReader numbers, lowering.attributes().RequiredFields("dimension_numbers"));
  ConvolutionDimensionNumbers labels;
  for (const auto& member : proto::kMembers<ConvolutionDimensionNumbers>) {
    if (member.list != nullptr) {
      ASSAY_TRY(labels.*member.list, numbers.Integers(member.field->name));
    } else {
      ASSAY_TRY(labels.*member.integer, numbers.Integer(member.field->name, 0));
    }
  }
  return labels;
}

// Returns the window of a convolution; its sizes are those of the kernel.
Result<Window> ConvolutionWindow(const Lowering& lowering, const Shape& kernel,
                                 const ConvolutionDimensionNumbers& labels, const std::vector<Int64List>& padding) {
  Window window;
  for (const std::int64_t d : labels.kernel_spatial_dimensions) {
    WindowDimension& dimension = window.dimensions.emplace_back();
    if (kernel.IsArray() && d >= 0 && d < kernel.rank()) dimension.size = kernel.dimensions(d);
  }
  ASSAY_CHECK_OK(SetWindowNumbers(lowering, kConvolutionLists, "", padding, window));
  return window;
}

}  // namespace

Status SetPrecision(const Lowering& lowering, HloInstruction& instruction) {
  ASSAY_TRY(std::vector<std::string> precision, lowering.attributes().Words("precision_config"));
  for (std::string& word : precision) word = AsciiLower(word);
  if (precision.size() > 2) {
    return lowering.Illegal(
        fmt::format("precision_config must have one word for each of two operands, found {}", precision.size()));
  }
  ASSAY_TRY(std::string algorithm, AlgorithmOf(lowering));
  if (std::ranges::any_of(precision, [](const std::string& word) { return word != "default"; })) {
    if (!algorithm.empty()) return lowering.Illegal("precision_config must be DEFAULT where there is an algorithm");
    instruction.Set("operand_precision", std::move(precision));
  }
  if (!algorithm.empty()) instruction.Set("algorithm", std::move(algorithm));
  return {};
}

Status LowerDot(const Lowering& lowering) {
  ASSAY_TRY(HloInstruction * dot, lowering.AddResult());
  const Shape& lhs = lowering.operands[0]->shape;
  dot->Set("lhs_contracting_dims", Int64List{lhs.IsArray() && lhs.rank() == 1 ? 0 : 1});
  dot->Set("rhs_contracting_dims", Int64List{0});
  return SetPrecision(lowering, *dot);
}

Status LowerDotGeneral(const Lowering& lowering) {
  ASSAY_TRY(const AttributeReader numbers, lowering.attributes().RequiredFields("dot_dimension_numbers"));
  ASSAY_TRY(HloInstruction * dot, lowering.AddResult());
  ASSAY_CHECK_OK(SetPairs(numbers, PairsOf("#dot"), *dot));
  return SetPrecision(lowering, *dot);
}

// Reads the dimension numbers from fields, or from six lists in a composite. MHLO has the numbers of a dot in an
// attribute of their own.
Status LowerChloRaggedDot(const Lowering& lowering) {
  constexpr std::string_view kName = "ragged_dot_dimension_numbers";
  const auto* lists = lowering.attributes().FindAs<std::vector<Attribute>>(kName);
  Dictionary fields;
  if (lists != nullptr && lists->size() == 6) {
    constexpr const char* kNames[] = {"lhs_batching_dimensions",    "rhs_batching_dimensions",
                                      "lhs_contracting_dimensions", "rhs_contracting_dimensions",
                                      "lhs_ragged_dimensions",      "rhs_group_dimensions"};
    for (std::size_t i = 0; i < 6; ++i) fields.entries.push_back({kNames[i], (*lists)[i]});
  } else {
    ASSAY_TRY(const Dictionary* given, lowering.attributes().Fields(kName));
    if (given == nullptr) return lowering.Illegal("the attribute ragged_dot_dimension_numbers is missing");
    fields = *given;
  }
  const AttributeReader numbers(lowering.operation, fields);
  ASSAY_TRY(const Dictionary* of_dot, numbers.Fields("dot_dimension_numbers"));
  ASSAY_TRY(HloInstruction * dot, lowering.AddResult());
  ASSAY_CHECK_OK(
      SetPairs(of_dot == nullptr ? numbers : AttributeReader(lowering.operation, *of_dot), PairsOf("#dot"), *dot));
  ASSAY_CHECK_OK(SetPairs(numbers, PairsOf("#ragged_dot"), *dot));
  return SetPrecision(lowering, *dot);
}

Status SetConvolution(const Lowering& lowering, HloInstruction& convolution, std::vector<Int64List> padding) {
  const AttributeReader attributes = lowering.attributes();
  ASSAY_TRY(ConvolutionDimensionNumbers labels, DimensionLabels(lowering));
  ASSAY_TRY(Window window, ConvolutionWindow(lowering, convolution.operand(1).shape, labels, padding));
  const Shape &lhs = convolution.operand(0).shape, &rhs = convolution.operand(1).shape;
  if (lhs.IsArray() && rhs.IsArray() && lhs.element_type() != rhs.element_type()) {
    return lowering.Illegal(fmt::format("the operands must have one element type, found {} and {}",
                                        PrimitiveTypeName(lhs.element_type()), PrimitiveTypeName(rhs.element_type())));
  }
  if (!window.dimensions.empty()) convolution.Set("window", std::move(window));
  convolution.Set("dim_labels", std::move(labels));
  ASSAY_TRY(const std::int64_t feature_groups, attributes.Integer("feature_group_count", 1));
  ASSAY_TRY(const std::int64_t batch_groups, attributes.Integer("batch_group_count", 1));
  convolution.Set("feature_group_count", feature_groups);
  convolution.Set("batch_group_count", batch_groups);
  return SetPrecision(lowering, convolution);
}

Status LowerConvolution(const Lowering& lowering) {
  ASSAY_TRY(std::vector<Int64List> padding, lowering.attributes().Rows("padding"));
  ASSAY_TRY(HloInstruction * convolution, lowering.AddResult());
  return SetConvolution(lowering, *convolution, std::move(padding));
}

}  // namespace assay::stablehlo
