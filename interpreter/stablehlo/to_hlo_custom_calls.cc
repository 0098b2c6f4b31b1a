// Custom calls: targets that XLA's conversion knows, and all others.
#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "interpreter/hlo/annotation_text.h"
#include "interpreter/stablehlo/print.h"
#include "interpreter/stablehlo/to_hlo_operations.h"
#include "interpreter/stablehlo/to_hlo_shardings.h"

namespace assay::stablehlo {
namespace {

constexpr std::int64_t kTypedFfi = 4;
constexpr const char* kApiVersions[] = {"API_VERSION_ORIGINAL", "API_VERSION_ORIGINAL", "API_VERSION_STATUS_RETURNING",
                                        "API_VERSION_STATUS_RETURNING_UNIFIED", "API_VERSION_TYPED_FFI"};

// Returns the name of the attribute with the call's configuration. JAX writes a typed call with an empty string for
// older readers, and the dictionary as a second attribute.
std::string_view ConfigName(const Lowering& lowering) {
  return lowering.attributes().Find("mhlo.backend_config") != nullptr ? "mhlo.backend_config" : "backend_config";
}

Result<std::int64_t> ApiVersionOf(const Lowering& lowering) {
  if (ConfigName(lowering) == "mhlo.backend_config") return kTypedFfi;
  return lowering.attributes().Integer("api_version", 1);
}

// Sets the configuration: a string for older versions of the interface, a dictionary for typed calls.
Status SetBackendConfig(const Lowering& lowering, std::int64_t api_version, HloInstruction& call) {
  const Attribute* config = lowering.attributes().Find(ConfigName(lowering));
  if (config == nullptr) return {};
  const auto* words = config->As<std::string>();
  const bool is_typed = config->As<Dictionary>() != nullptr, is_absent = words != nullptr && words->empty();
  if (!is_absent && is_typed != (api_version == kTypedFfi)) {
    return lowering.Illegal(fmt::format("backend_config must be {} for the api_version {}, found {}",
                                        is_typed ? "a string" : "a dictionary", api_version, ToText(*config)));
  }
  const std::string text = is_typed ? ToText(*config) : words == nullptr ? "" : *words;
  if (!text.empty()) call.annotations["backend_config"] = PrintBackendConfig(text);
  return {};
}

Status SetAliasing(const Lowering& lowering, HloInstruction& call) {
  const Attribute* attribute = lowering.attributes().Find("output_operand_aliases");
  if (attribute == nullptr) return {};
  const auto* list = attribute->As<std::vector<Attribute>>();
  if (list == nullptr) return lowering.Illegal("the attribute output_operand_aliases must be a list");
  std::vector<OutputOperandAlias> aliases;
  for (const Attribute& item : *list) {
    const auto* fields = item.As<DialectAttribute>();
    if (fields == nullptr)
      return lowering.Illegal("output_operand_aliases must list #stablehlo.output_operand_alias<>");
    const AttributeReader reader(lowering.operation, fields->fields);
    OutputOperandAlias& alias = aliases.emplace_back();
    ASSAY_TRY(alias.output_index, reader.Integers("output_tuple_indices"));
    ASSAY_TRY(alias.operand, reader.Integer("operand_index", 0));
    ASSAY_TRY(alias.operand_index, reader.Integers("operand_tuple_indices"));
  }
  if (!aliases.empty()) call.Set("output_to_operand_aliasing", std::move(aliases));
  return {};
}

// Sets a shape's layout from a list of dimensions, minor to major.
Status SetLayout(const Lowering& lowering, const Attribute& layout, Shape& shape) {
  const std::optional<Int64List> minor_to_major = IntegersOf(layout);
  if (minor_to_major && shape.IsToken() && minor_to_major->empty()) return {};
  Int64List sorted = minor_to_major.value_or(Int64List()), all(shape.IsArray() ? shape.rank() : 0);
  std::ranges::sort(sorted);
  std::iota(all.begin(), all.end(), 0);
  if (!minor_to_major || !shape.IsArray() || sorted != all) {
    return lowering.Illegal(fmt::format("a layout must be an order of the dimensions of {}, found {}",
                                        shape.ToStringWithoutLayout(), ToText(layout)));
  }
  std::vector<bool> is_dynamic;
  for (std::int64_t d = 0; d < shape.rank(); ++d) is_dynamic.push_back(shape.is_dynamic_dimension(d));
  shape = ShapeUtil::MakeShapeWithLayout(shape.element_type(), shape.dimensions(), *minor_to_major);
  for (std::int64_t d = 0; d < shape.rank(); ++d) shape.set_dynamic_dimension(d, is_dynamic[d]);
  return {};
}

Status SetLayouts(const Lowering& lowering, std::string_view name, std::vector<Shape*> shapes) {
  static const Attribute empty{std::vector<Attribute>()};
  const Attribute* given = lowering.attributes().Find(name);
  const auto* layouts = (given == nullptr ? empty : *given).As<std::vector<Attribute>>();
  if (layouts == nullptr || layouts->size() != shapes.size()) {
    return lowering.Illegal(fmt::format("the attribute {} must list {} layouts", name, shapes.size()));
  }
  for (std::size_t i = 0; i < shapes.size(); ++i) ASSAY_CHECK_OK(SetLayout(lowering, (*layouts)[i], *shapes[i]));
  return {};
}

Status SetCallLayouts(const Lowering& lowering, HloInstruction& call) {
  const AttributeReader attributes = lowering.attributes();
  // An empty list may be omitted.
  if (attributes.Find("operand_layouts") == nullptr && attributes.Find("result_layouts") == nullptr) return {};
  std::vector<Shape> operands = ShapesOf(lowering.operands);
  std::vector<Shape*> operand_shapes, result_shapes;
  for (Shape& shape : operands) operand_shapes.push_back(&shape);
  if (call.shape.IsTuple()) {
    for (Shape& shape : call.shape.mutable_tuple_shapes()) result_shapes.push_back(&shape);
  } else {
    result_shapes.push_back(&call.shape);
  }
  ASSAY_CHECK_OK(SetLayouts(lowering, "operand_layouts", operand_shapes));
  ASSAY_CHECK_OK(SetLayouts(lowering, "result_layouts", result_shapes));
  call.Set("operand_layout_constraints", std::move(operands));
  return {};
}

// Sets the literal and the schedule, which programs converted from HLO have.
Status SetExtensions(const Lowering& lowering, HloInstruction& call) {
  if (const Attribute* attribute = lowering.attributes().Find("mhlo.literal")) {
    const auto* elements = attribute->As<DenseElements>();
    if (elements == nullptr) return lowering.Illegal("the attribute mhlo.literal must be the elements of a tensor");
    ASSAY_TRY(Literal literal, LiteralOf(lowering.operation, *elements));
    call.Set("literal", std::move(literal));
  }
  ASSAY_TRY(const std::string schedule, lowering.attributes().Word("custom_call_schedule"));
  if (schedule == "LATEST") call.Set("schedule", "SCHEDULE_LATEST");
  if (schedule == "EARLIEST") call.Set("schedule", "SCHEDULE_EARLIEST");
  return {};
}

// Removes the operands that hold the sizes of results: XLA refines shapes by them, and a target does not see them.
Status RemoveShapeOperands(const Lowering& lowering, HloInstruction& call) {
  ASSAY_TRY(const Int64List numbers, lowering.attributes().Integers("indices_of_shape_operands"));
  const auto* layouts = call.Find<std::vector<Shape>>("operand_layout_constraints");
  std::vector<HloInstruction*> operands;
  std::vector<Shape> kept;
  for (std::size_t i = 0; i < call.operands.size(); ++i) {
    if (std::ranges::find(numbers, static_cast<std::int64_t>(i)) != numbers.end()) continue;
    operands.push_back(call.operands[i]);
    if (layouts != nullptr) kept.push_back((*layouts)[i]);
  }
  call.operands = std::move(operands);
  if (layouts != nullptr) call.Set("operand_layout_constraints", std::move(kept));
  return {};
}

Status LowerAnyCall(const Lowering& lowering, std::string target) {
  const AttributeReader attributes = lowering.attributes();
  ASSAY_TRY(const bool has_side_effect, attributes.Bool("has_side_effect"));
  ASSAY_TRY(const std::int64_t api_version, ApiVersionOf(lowering));
  if (api_version < 0 || api_version > kTypedFfi) {
    return lowering.Unsupported(fmt::format("api_version must be at most {}, found {}", kTypedFfi, api_version));
  }
  ASSAY_TRY(const std::vector<std::string> called, attributes.Symbols("called_computations"));
  if (called.size() > 1) return lowering.Unsupported("HLO's custom-call has one called computation at most");
  std::vector<HloComputation*> computations;
  for (const std::string& name : called) {
    ASSAY_TRY(computations.emplace_back(), lowering.translator.LowerFunction(lowering.operation, name));
  }
  ASSAY_TRY(HloInstruction * call, lowering.AddResult());
  call->Set("custom_call_target", std::move(target));
  if (has_side_effect) call->Set("custom_call_has_side_effect", true);
  if (api_version > 1) call->Set("api_version", kApiVersions[api_version]);
  if (!computations.empty()) call->Set("called_computations", std::move(computations));
  ASSAY_CHECK_OK(SetBackendConfig(lowering, api_version, *call));
  ASSAY_CHECK_OK(SetAliasing(lowering, *call));
  ASSAY_CHECK_OK(SetCallLayouts(lowering, *call));
  ASSAY_CHECK_OK(RemoveShapeOperands(lowering, *call));
  return SetExtensions(lowering, *call);
}

Status LowerRaggedAllToAll(const Lowering& lowering) {
  ASSAY_TRY(const AttributeReader config, lowering.attributes().RequiredFields(ConfigName(lowering)));
  ASSAY_TRY(std::vector<Int64List> groups, config.Rows("replica_groups"));
  ASSAY_TRY(const std::int64_t channel, config.Integer("channel_id", 0));
  ASSAY_TRY(HloInstruction * exchange, lowering.AddResult("ragged-all-to-all", lowering.operands));
  exchange->Set("replica_groups", ReplicaGroups{std::move(groups), ""});
  if (channel > 0) exchange->Set("channel_id", channel);
  return {};
}

}  // namespace

// Lowers to a sort by the comparator and slices, XLA's own form for devices other than TPUs. A TPU's call stays one.
Status LowerApproxTopK(const Lowering& lowering) {
  Translator& translator = lowering.translator;
  const Operation& operation = lowering.operation;
  const std::size_t count = operation.results.size();
  if (count == 0 || lowering.operands.size() != 2 * count) {
    return lowering.Illegal(
        fmt::format("ApproxTopK must have an operand and an initial value for each of its {} results, "
                    "found {} operands",
                    count, lowering.operands.size()));
  }
  ASSAY_TRY(const AttributeReader config, lowering.attributes().RequiredFields(ConfigName(lowering)));
  ASSAY_TRY(const std::int64_t dimension, config.RequiredInteger("reduction_dim"));
  ASSAY_TRY(const bool is_fallback, config.Bool("is_fallback"));
  if (!is_fallback) return LowerAnyCall(lowering, "ApproxTopK");
  ASSAY_TRY(const std::vector<std::string> comparator, lowering.attributes().Symbols("called_computations"));
  if (comparator.size() != 1) return lowering.Illegal("ApproxTopK must have one called computation");
  ASSAY_TRY(HloComputation * body, translator.LowerFunction(operation, comparator[0]));
  std::vector<HloInstruction*> inputs = lowering.OperandsFrom(0, count);
  const Shape sorted_shape = count == 1 ? inputs[0]->shape : ShapeUtil::MakeTupleShape(ShapesOf(inputs));
  HloInstruction& sort = translator.Add("sort", sorted_shape, std::move(inputs));
  sort.Set("dimensions", Int64List{dimension});
  sort.Set("to_apply", body);
  std::vector<HloInstruction*> slices;
  for (std::size_t i = 0; i < count; ++i) {
    HloInstruction& sorted = count == 1 ? sort : translator.AddElement(sort, static_cast<std::int64_t>(i));
    ASSAY_TRY(Shape shape, lowering.ResultShape(i));
    if (!shape.IsArray()) return lowering.Illegal("the results must be tensors");
    HloInstruction& slice = translator.Add("slice", shape, {&sorted});
    ASSAY_CHECK_OK(
        SetSlice(lowering, slice, {{Int64List(shape.rank(), 0), shape.dimensions(), Int64List(shape.rank(), 1)}}));
    slices.push_back(&slice);
  }
  translator.BindResults(operation, translator.AddTupleUnlessOne(std::move(slices)));
  return {};
}

// Lowers an operation of the dialect check to the call of the same name. A constant is its second operand.
Status LowerCheck(const Lowering& lowering) {
  constexpr std::string_view kConstant = "_const";
  std::string target = lowering.operation.name;
  std::vector<HloInstruction*> operands = lowering.operands;
  const AttributeReader attributes = lowering.attributes();
  if (target.ends_with(kConstant)) {
    target.resize(target.size() - kConstant.size());
    const auto* elements = attributes.FindAs<DenseElements>("value");
    if (elements == nullptr) return lowering.Illegal("the attribute value must be the elements of a tensor");
    ASSAY_TRY(operands.emplace_back(), AddConstantOf(lowering.translator, lowering.operation, *elements));
  }
  std::string config;
  if (target == "check.expect_almost_eq") {
    const auto* number = attributes.FindAs<FloatAttribute>("tolerance");
    config = fmt::format("{{tolerance = {:e} : f64}}", number == nullptr ? 1e-4 : number->value);
  } else if (target == "check.expect_close") {
    ASSAY_TRY(const std::int64_t most, attributes.Integer("max_ulp_difference", 1));
    ASSAY_TRY(const std::int64_t least, attributes.Integer("min_ulp_difference", 0));
    config = fmt::format("{{max_ulp_difference = {} : ui64, min_ulp_difference = {} : ui64}}",
                         static_cast<std::uint64_t>(most), static_cast<std::uint64_t>(least));
  } else if (target == "check.expect_serialized_eq") {
    ASSAY_TRY(const std::string id, attributes.String("probe_id"));
    ASSAY_TRY(const std::int64_t iteration, attributes.Integer("iteration", 0));
    config = fmt::format("{{iteration = {} : ui32, probe_id = {}}}", iteration, ToText(Attribute{id}));
  }
  HloInstruction& call = lowering.translator.Add("custom-call", ShapeUtil::MakeTupleShape({}), std::move(operands));
  call.Set("custom_call_target", std::move(target));
  call.Set("custom_call_has_side_effect", true);
  if (!config.empty()) {
    call.Set("api_version", std::string(kApiVersions[kTypedFfi]));
    call.annotations["backend_config"] = PrintBackendConfig(config);
  }
  return {};
}

Status LowerCustomCall(const Lowering& lowering) {
  ASSAY_TRY(std::string target, lowering.attributes().String("call_target_name"));
  ASSAY_TRY(const Dictionary* extended, lowering.attributes().Fields("mhlo.attributes"));
  if (extended != nullptr && (target.starts_with("mhlo.") || target.starts_with("chlo."))) {
    std::string name = target == "mhlo.topk" ? "chlo.top_k" : target;
    ASSAY_TRY(const bool is_lowered, LowerNamedOperation(lowering, std::move(name), extended));
    if (is_lowered) return {};
  }
  if (target == "ragged_all_to_all" && lowering.operation.results.size() == 1) return LowerRaggedAllToAll(lowering);
  if (!lowering.translator.is_unbounded()) {
    if (target == "ApproxTopK") return LowerApproxTopK(lowering);
    // A refinement of shapes leaves an unbounded program's assertions, on constants.
    const bool is_known = std::ranges::any_of(lowering.operation.operands, [&](const ValueId operand) {
      return lowering.translator.ConstantOf(operand) != nullptr;
    });
    if (!is_known) return LowerAnyCall(lowering, std::move(target));
  }
  Lowering sized = lowering;
  ASSAY_TRY(const bool is_lowered, LowerDynamicCall(sized, target));
  return is_lowered ? Status() : LowerAnyCall(sized, std::move(target));
}

}  // namespace assay::stablehlo
