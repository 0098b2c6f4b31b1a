// Products of matrices, and convolutions.
#include <fmt/format.h>

#include <algorithm>

#include "interpreter/hlo/op.h"
#include "interpreter/proto/structures.h"
#include "interpreter/stablehlo/dot_algorithms.h"
#include "interpreter/stablehlo/from_hlo_rows.h"
#include "interpreter/types/ascii.h"

namespace assay::stablehlo {
namespace {

// Returns the MLIR type of a name. tf32 is not an element type of HLO, so it is passed on as text.
Attribute PrecisionType(std::string_view name) {
  const auto type = PrimitiveTypeFromName(name);
  if (type) return {Type{ScalarType{*type}}};
  return {Type{OtherType{std::string(name)}}};
}

Attribute AlgorithmFields(const DotAlgorithmRow& row) {
  return Fields("dot_algorithm", {{"lhs_precision_type", PrecisionType(row.lhs)},
                                  {"rhs_precision_type", PrecisionType(row.rhs)},
                                  {"accumulation_type", PrecisionType(row.accumulation)},
                                  {"lhs_component_count", Number(row.components)},
                                  {"rhs_component_count", Number(row.components)},
                                  {"num_primitive_operations", Number(row.operations)},
                                  {"allow_imprecise_accumulation", {row.allows_imprecise}}});
}

Status SetAlgorithm(const Raising& raising, Operation& operation) {
  const HloInstruction& dot = raising.instruction;
  if (!dot.Has("algorithm")) return {};
  const std::string_view name = dot.String("algorithm");
  if (name == kF8Algorithm || name == kFastF8Algorithm) {
    const std::string_view lhs = PrimitiveTypeName(dot.operand(0).shape.element_type());
    const std::string_view rhs = PrimitiveTypeName(dot.operand(1).shape.element_type());
    if (!lhs.starts_with("f8") || !rhs.starts_with("f8")) {
      return raising.Unsupported(fmt::format("{} must have operands of f8, found {} and {}", name, lhs, rhs));
    }
    Set(operation, "algorithm", AlgorithmFields({lhs, rhs, "f32", 1, 1, name == kFastF8Algorithm, name}));
    return {};
  }
  const auto* row = std::ranges::find(kDotAlgorithms, name, &DotAlgorithmRow::name);
  if (row == std::end(kDotAlgorithms)) return raising.Unsupported(fmt::format("StableHLO has no algorithm {}", name));
  Set(operation, "algorithm", AlgorithmFields(*row));
  return {};
}

Status SetPrecision(const Raising& raising, Operation& operation) {
  const HloInstruction& product = raising.instruction;
  for (const AttributeName name : {AttributeName("sparsity_config"), AttributeName("block_scaling_config")}) {
    if (product.op->FindAttribute(name) != nullptr && product.Has(name)) {
      return raising.Unsupported(fmt::format("StableHLO has no {}", std::string_view(name)));
    }
  }
  std::vector<Attribute> words;
  const auto* precision = product.Find<std::vector<std::string>>("operand_precision");
  for (const std::string& written :
       precision == nullptr ? std::vector<std::string>{"default", "default"} : *precision) {
    const std::string word = AsciiUpper(written);
    if (word != "DEFAULT" && word != "HIGH" && word != "HIGHEST") {
      return raising.Unsupported(fmt::format("StableHLO has no precision {}", word));
    }
    const std::string_view dialect = std::string_view(operation.name).substr(0, operation.name.find('.'));
    words.push_back({DialectAttribute{fmt::format("{}.precision", dialect), {{{"value", {word}}}}}});
  }
  const bool is_default = std::ranges::all_of(words, [](const Attribute& word) {
    return std::get<std::string>(word.As<DialectAttribute>()->fields.Find("value")->value) == "DEFAULT";
  });
  if (!is_default && product.Has("algorithm")) {
    return raising.Unsupported("StableHLO has no operand_precision beside an algorithm");
  }
  Set(operation, "precision_config", {std::move(words)});
  return SetAlgorithm(raising, operation);
}

Attribute DimensionNumbers(const ConvolutionDimensionNumbers& labels) {
  std::vector<NamedAttribute> fields;
  for (const auto& member : proto::kMembers<ConvolutionDimensionNumbers>) {
    fields.push_back({std::string(member.field->name),
                      member.list != nullptr ? Numbers(labels.*member.list) : Number(labels.*member.integer)});
  }
  return Fields("conv", std::move(fields));
}

}  // namespace

Status RaiseDot(const Raising& raising) {
  Operation operation = raising.Start();
  Set(operation, "dot_dimension_numbers", Fields("dot", EntriesOf(raising.instruction, PairsOf("#dot"))));
  ASSAY_CHECK_OK(SetPrecision(raising, operation));
  return raising.Finish(std::move(operation));
}

Status RaiseRaggedDot(const Raising& raising) {
  Operation operation = raising.Start();
  std::vector<NamedAttribute> numbers = EntriesOf(raising.instruction, PairsOf("#dot"));
  for (NamedAttribute& entry : EntriesOf(raising.instruction, PairsOf("#ragged_dot")))
    numbers.push_back(std::move(entry));
  Set(operation, "ragged_dot_dimension_numbers", {DialectAttribute{"chlo.ragged_dot", {std::move(numbers)}}});
  ASSAY_CHECK_OK(SetPrecision(raising, operation));
  return raising.Finish(std::move(operation));
}

Status RaiseConvolution(const Raising& raising) {
  const HloInstruction& convolution = raising.instruction;
  // The other kinds compute what a convolution of no kind computes.
  if (convolution.String("convolution_kind") == "dgrad") {
    return raising.Unsupported("StableHLO has no convolution_kind dgrad, which reverses the window");
  }
  Operation operation = raising.Start();
  SetWindowLists(operation, convolution, kConvolutionLists);
  Set(operation, "dimension_numbers", DimensionNumbers(*convolution.Find<ConvolutionDimensionNumbers>("dim_labels")));
  ASSAY_CHECK_OK(SetPrecision(raising, operation));
  return raising.Finish(std::move(operation));
}

}  // namespace assay::stablehlo
