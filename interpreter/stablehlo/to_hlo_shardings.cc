#include "interpreter/stablehlo/to_hlo_shardings.h"

#include <fmt/format.h>

#include "interpreter/hlo/annotation_text.h"
#include "interpreter/hlo/sharding_text.h"
#include "interpreter/hlo/text_parser.h"
#include "interpreter/proto/sharding.h"
#include "interpreter/stablehlo/shardy_attributes.h"
#include "interpreter/stablehlo/to_hlo_operations.h"

namespace assay::stablehlo {
namespace {

constexpr std::string_view kShardyKey = "xla.sdy.sharding";

// Returns the normal form of a serialized OpSharding.
Result<std::string> SerializedSharding(std::string_view bytes) {
  ASSAY_CHECK_OK(proto::CheckMessage(bytes, proto::MessageType::OpSharding));
  return proto::ReadSharding(proto::Message(bytes));
}

// Returns the normal form of mhlo.sharding, which is text in braces or a serialized OpSharding; empty if there is none.
Result<std::string> XlaSharding(const Operation& operation, const Dictionary& attributes) {
  ASSAY_TRY(const std::string text, AttributeReader(operation, attributes).String("mhlo.sharding"));
  if (text.empty()) return text;
  assay::TextParser parser(text);
  Result<std::string> sharding = text.starts_with('{') ? ParseSharding(parser) : SerializedSharding(text);
  if (!sharding) return IllegalAt(operation, fmt::format("mhlo.sharding: {}", sharding.error().message));
  return sharding;
}

const DialectAttribute* ShardyOf(const Dictionary& attributes, std::string_view name) {
  return attributes.FindAs<DialectAttribute>(name);
}

}  // namespace

Result<FrontendValues> FrontendValuesOf(const Operation& operation, const Dictionary& attributes) {
  FrontendValues values;
  ASSAY_TRY(const Dictionary* strings, AttributeReader(operation, attributes).Fields("mhlo.frontend_attributes"));
  if (strings != nullptr) {
    for (const NamedAttribute& entry : strings->entries) {
      if (const auto* text = entry.value.As<std::string>()) values[entry.name] = *text;
    }
  }
  if (const DialectAttribute* sharding = ShardyOf(attributes, "sdy.sharding")) {
    values[std::string(kShardyKey)] = ShardyText(*sharding);
  }
  if (const DialectAttribute* rule = ShardyOf(attributes, "sdy.sharding_rule")) {
    values["xla.sdy.sharding_rule"] = ShardyText(*rule);
  }
  return values;
}

Result<std::string> FrontendAttributesOf(const Operation& operation, const Dictionary& attributes) {
  ASSAY_TRY(const FrontendValues values, FrontendValuesOf(operation, attributes));
  return PrintFrontendAttributes(values);
}

Result<std::vector<std::string>> ShardingsOf(const Operation& operation) {
  ASSAY_TRY(const std::string sharding, XlaSharding(operation, operation.attributes));
  if (sharding.empty()) return std::vector<std::string>();
  if (sharding.starts_with("{{")) return SplitShardings(sharding);
  return std::vector<std::string>(operation.results.size(), sharding);
}

Result<std::string> ShardingOf(const Program& program, const Operation& operation, const Dictionary& attributes) {
  ASSAY_TRY(std::string sharding, XlaSharding(operation, attributes));
  const DialectAttribute* shardy = ShardyOf(attributes, "sdy.sharding");
  if (!sharding.empty() || shardy == nullptr) return sharding;
  return XlaShardingOf(program, operation, *shardy);
}

Result<bool> LowerNamedOperation(const Lowering& lowering, std::string name, const Dictionary* attributes) {
  const OpRow* row = FindRow(name);
  if (row == nullptr || row->lower == nullptr) return false;
  Operation operation = lowering.operation;
  operation.name = std::move(name);
  operation.attributes = attributes == nullptr ? Dictionary() : *attributes;
  // A custom call has no regions: it names functions in their place.
  ASSAY_TRY(const std::vector<std::string> called, lowering.attributes().Symbols("called_computations"));
  for (const std::string& each : called) {
    const Operation* function = row->regions == 0 ? nullptr : lowering.translator.FindFunction(each);
    if (function != nullptr) operation.regions.push_back(function->regions[0]);
  }
  ASSAY_CHECK_OK(CheckCounts(operation, *row));
  ASSAY_CHECK_OK(row->lower({lowering.translator, operation, *row, lowering.operands}));
  return true;
}

namespace {

// Returns the word of allowed_direction, which the generic form has as a number; empty if it is absent.
Result<std::string> DirectionOf(const AttributeReader& attributes) {
  constexpr std::string_view kDirections[] = {"NONE", "FORWARD", "BACKWARD", "BOTH"};
  const auto* number = attributes.FindAs<IntegerAttribute>("allowed_direction");
  if (number != nullptr && number->value >= 0 && number->value < std::ssize(kDirections)) {
    return std::string(kDirections[number->value]);
  }
  return attributes.Word("allowed_direction");
}

}  // namespace

// The result keeps its elements: the call only describes their placement. Shardy's collectives are no exception: their
// operands and results are whole arrays, and an unreduced one is the sum of its parts.
Status LowerShardingMark(const Lowering& lowering) {
  const Dictionary& attributes = lowering.operation.attributes;
  const DialectAttribute* out_sharding = ShardyOf(attributes, "out_sharding");
  const DialectAttribute* sharding = out_sharding != nullptr ? out_sharding : ShardyOf(attributes, "sharding");
  const Program& program = lowering.translator.program();
  ASSAY_TRY(HloInstruction * call, lowering.AddResult("custom-call", lowering.operands));
  call->Set("custom_call_target", std::string(lowering.row.op));
  ASSAY_TRY(FrontendValues values, FrontendValuesOf(lowering.operation, attributes));
  if (sharding != nullptr) {
    values[std::string(kShardyKey)] = TextPerValue(*sharding);
    ASSAY_TRY(call->annotations["sharding"], XlaShardingOf(program, lowering.operation, *sharding));
  }
  ASSAY_TRY(const std::string direction, DirectionOf(lowering.attributes()));
  if (!direction.empty()) values["xla.sdy.allowed_direction"] = direction;
  if (!values.empty()) call->annotations["frontend_attributes"] = PrintFrontendAttributes(values);
  return {};
}

Status LowerShardingGroup(const Lowering& lowering) {
  ASSAY_TRY(const std::int64_t group, lowering.attributes().RequiredInteger("group_id"));
  HloInstruction& call = lowering.translator.Add("custom-call", ShapeUtil::MakeTupleShape({}), lowering.operands);
  call.Set("custom_call_target", std::string(lowering.row.op));
  call.Set("custom_call_has_side_effect", true);
  call.annotations["frontend_attributes"] =
      PrintFrontendAttributes({{"xla.sdy.sharding_group_id", fmt::format("{} : i64", group)}});
  return {};
}

namespace {

// Adds one of the calls at the border of a manual computation.
HloInstruction& AddBorder(const Lowering& lowering, std::vector<HloInstruction*> operands, std::vector<Shape> shapes,
                          const char* target, const FrontendValues& values) {
  Shape shape = shapes.size() == 1 ? shapes[0] : ShapeUtil::MakeTupleShape(std::move(shapes));
  HloInstruction& call = lowering.translator.Add("custom-call", std::move(shape), std::move(operands));
  call.Set("custom_call_target", target);
  call.Set("custom_call_has_side_effect", true);
  call.annotations["frontend_attributes"] = PrintFrontendAttributes(values);
  return call;
}

// Returns the shardings of the operands or the results, and the axes over which the body runs.
Result<FrontendValues> BorderValues(const Lowering& lowering, const char* shardings) {
  const DialectAttribute* listed = ShardyOf(lowering.operation.attributes, shardings);
  const DialectAttribute* axes = ShardyOf(lowering.operation.attributes, "manual_axes");
  if (listed == nullptr || axes == nullptr) {
    return lowering.Illegal(fmt::format("it must have the attributes {} and manual_axes", shardings));
  }
  FrontendValues values;
  values[fmt::format("xla.sdy.{}", shardings)] = ShardyText(*listed);
  values["xla.sdy.manual_axes"] = ShardyText(*axes);
  return values;
}

}  // namespace

// Slices the operands into their tiles, calls the body on them, and joins the tiles of its results.
Status LowerManualComputation(const Lowering& lowering) {
  Translator& translator = lowering.translator;
  const Operation& operation = lowering.operation;
  ASSAY_TRY(const FrontendValues of_operands, BorderValues(lowering, "in_shardings"));
  ASSAY_TRY(const FrontendValues of_results, BorderValues(lowering, "out_shardings"));
  ASSAY_TRY(HloComputation * body,
            translator.LowerRegion(operation, operation.regions[0], "xla.sdy.manual_computation_body"));
  std::vector<HloInstruction*> tiles;
  std::vector<Shape> shapes;
  for (const HloInstruction* parameter : body->Parameters()) shapes.push_back(parameter->shape);
  if (shapes.size() != lowering.operands.size()) {
    return lowering.Illegal(fmt::format("its region must have an argument for each of the {} operands, found {}",
                                        lowering.operands.size(), shapes.size()));
  }
  if (!shapes.empty()) {
    tiles = translator.ElementsOf(
        AddBorder(lowering, lowering.operands, shapes, "xla.sdy.GlobalToLocalShape", of_operands));
  }
  {
    Annotations annotations = translator.annotations();
    annotations.frontend_attributes = PrintFrontendAttributes({{"inlineable", "false"}});
    const Translator::ScopedAnnotations scope(translator, std::move(annotations));
    HloInstruction& call = translator.Add("call", body->root->shape, std::move(tiles));
    call.Set("to_apply", body);
    tiles = translator.ElementsOf(call);
  }
  ASSAY_TRY(std::vector<Shape> results, lowering.ResultShapes());
  if (results.empty()) return {};
  HloInstruction& joined =
      AddBorder(lowering, std::move(tiles), std::move(results), "xla.sdy.LocalToGlobalShape", of_results);
  translator.BindResults(operation, joined);
  return {};
}

}  // namespace assay::stablehlo
