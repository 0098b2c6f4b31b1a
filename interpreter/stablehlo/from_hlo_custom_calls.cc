// Custom calls: the inverse of to_hlo_custom_calls.cc.
#include <fmt/format.h>

#include <span>

#include "interpreter/hlo/annotation_text.h"
#include "interpreter/stablehlo/from_hlo_rows.h"
#include "interpreter/stablehlo/text_parser.h"

namespace assay::stablehlo {
namespace {

// The attributes of the op that StableHLO's lacks. `schedule` is advice to the compiler.
constexpr AttributeName kUnstated[] = {"window",
                                       "dim_labels",
                                       "literal",
                                       "called_computations",
                                       "feature_group_count",
                                       "batch_group_count",
                                       "operand_precision",
                                       "padding_type"};

// Returns the dimensions of an array from minor to major, as the elements of a tensor; those of a token are none.
Attribute LayoutOf(const Shape& shape) {
  Int64List minor_to_major;
  if (shape.IsArray())
    minor_to_major.assign(shape.layout().minor_to_major.begin(), shape.layout().minor_to_major.end());
  return {WholeNumbers(minor_to_major, {std::ssize(minor_to_major)})};
}

Attribute LayoutsOf(std::span<const Shape> shapes) {
  std::vector<Attribute> layouts;
  for (const Shape& shape : shapes) layouts.push_back(LayoutOf(shape));
  return {std::move(layouts)};
}

// Returns the results of the operation: the elements of a tuple.
std::vector<Shape> CallResults(const HloInstruction& call) {
  return call.shape.IsTuple() ? call.shape.tuple_shapes() : std::vector<Shape>{call.shape};
}

Status AddLayouts(const Raising& raising, Operation& operation) {
  const auto* operands = raising.instruction.Find<std::vector<Shape>>("operand_layout_constraints");
  if (operands == nullptr) return {};
  const std::vector<Shape> results = CallResults(raising.instruction);
  for (const Shape& result : results) {
    if (result.IsTuple()) return raising.Unsupported("StableHLO's custom_call has no layout for a tuple in a tuple");
  }
  Set(operation, "operand_layouts", LayoutsOf(*operands));
  Set(operation, "result_layouts", LayoutsOf(results));
  return {};
}

Status AddAliases(const Raising& raising, Operation& operation) {
  const auto* aliases = raising.instruction.Find<std::vector<OutputOperandAlias>>("output_to_operand_aliasing");
  if (aliases == nullptr) return {};
  // The only element of a tuple is the result itself.
  const bool is_one = CallResults(raising.instruction).size() == 1;
  std::vector<Attribute> list;
  for (const OutputOperandAlias& alias : *aliases) {
    list.push_back(
        Fields("output_operand_alias", {{"operand_index", Number(alias.operand)},
                                        {"operand_tuple_indices", Numbers(alias.operand_index)},
                                        {"output_tuple_indices", Numbers(is_one ? Int64List() : alias.output_index)}}));
  }
  Set(operation, "output_operand_aliases", {std::move(list)});
  return {};
}

// Sets the configuration: a string, or the dictionary of a typed call.
Status AddConfig(const Raising& raising, bool is_typed, Operation& operation) {
  const auto config = raising.instruction.annotations.find("backend_config");
  if (config == raising.instruction.annotations.end()) return {};
  if (!is_typed) {
    Set(operation, "backend_config", {UnquotedText(config->second)});
    return {};
  }
  MlirParser parser(config->second);
  Result<Attribute> attribute = parser.ParseAttribute();
  if (!attribute || attribute->As<Dictionary>() == nullptr || !parser.Is(MlirTokenKind::kEnd)) {
    return raising.Unsupported("the backend_config of a typed call must be a dictionary of MLIR");
  }
  Set(operation, "backend_config", *std::move(attribute));
  return {};
}

}  // namespace

Status RaiseCustomCall(const Raising& raising) {
  const HloInstruction& call = raising.instruction;
  for (const AttributeName name : kUnstated) {
    if (call.Has(name))
      return raising.Unsupported(fmt::format("StableHLO's custom_call has no {}", std::string_view(name)));
  }
  if (raising.operands.size() != call.operands.size())
    return raising.Unsupported("StableHLO's custom_call has no tuple as an operand");
  const std::string_view version = call.String("api_version");
  Operation operation = raising.Start();
  Set(operation, "call_target_name", {std::string(call.String("custom_call_target"))});
  Set(operation, "has_side_effect", {call.Bool("custom_call_has_side_effect")});
  if (version == "API_VERSION_STATUS_RETURNING") Set(operation, "api_version", Number(2, S32));
  if (version == "API_VERSION_STATUS_RETURNING_UNIFIED") Set(operation, "api_version", Number(3, S32));
  if (version == "API_VERSION_TYPED_FFI") Set(operation, "api_version", Number(4, S32));
  ASSAY_CHECK_OK(AddConfig(raising, version == "API_VERSION_TYPED_FFI", operation));
  ASSAY_CHECK_OK(AddLayouts(raising, operation));
  ASSAY_CHECK_OK(AddAliases(raising, operation));
  return raising.Finish(std::move(operation));
}

}  // namespace assay::stablehlo
