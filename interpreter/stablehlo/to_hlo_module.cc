#include <fmt/format.h>

#include <map>

#include "interpreter/hlo/annotation_text.h"
#include "interpreter/hlo/buffer_aliases.h"
#include "interpreter/hlo/names.h"
#include "interpreter/stablehlo/print.h"
#include "interpreter/stablehlo/programs.h"
#include "interpreter/stablehlo/shardy_attributes.h"
#include "interpreter/stablehlo/to_hlo_shardings.h"
#include "interpreter/stablehlo/to_hlo_translator.h"
#include "interpreter/types/join_text.h"

namespace assay::stablehlo {
namespace {

// Returns the attributes of an argument or a result: entry `index` of arg_attrs or res_attrs. Empty if there are none.
const Dictionary& AttributesOfValue(const Operation& function, std::string_view list, std::size_t index) {
  static const Dictionary none;
  const auto* entries = function.attributes.FindAs<std::vector<Attribute>>(list);
  if (entries == nullptr || index >= entries->size()) return none;
  const auto* dictionary = (*entries)[index].As<Dictionary>();
  return dictionary == nullptr ? none : *dictionary;
}

// Sets a layout, a list of dimensions; for a tuple a list of layouts. An empty one is the default.
Status ApplyLayout(const Operation& module, const Attribute& layout, Shape& shape) {
  const auto* list = layout.As<std::vector<Attribute>>();
  if (shape.IsTuple() && list != nullptr) {
    auto& elements = shape.mutable_tuple_shapes();
    for (std::size_t i = 0; i < elements.size() && i < list->size(); ++i) {
      ASSAY_CHECK_OK(ApplyLayout(module, (*list)[i], elements[i]));
    }
    return {};
  }
  const std::optional<Int64List> minor_to_major = IntegersOf(layout);
  if (minor_to_major && minor_to_major->empty()) return {};
  if (!minor_to_major || !shape.IsArray() || std::ssize(*minor_to_major) != shape.rank()) {
    return IllegalAt(module, fmt::format("a layout must have a number for each dimension of {}, found {}",
                                         shape.ToStringWithoutLayout(), ToText(layout)));
  }
  Layout with = ShapeUtil::MakeShapeWithLayout(shape.element_type(), shape.dimensions(), *minor_to_major).layout();
  shape.set_layout(std::move(with));
  return {};
}

Status SetEntryLayoutsOf(const Operation& operation, HloModule& module) {
  SetEntryLayouts(module);
  const auto* layouts =
      operation.attributes.FindAs<std::vector<Attribute>>("mhlo.xla_entry_computation_parameter_layouts");
  for (std::size_t i = 0; layouts != nullptr && i < layouts->size() && i < module.entry_parameter_layouts.size(); ++i) {
    ASSAY_CHECK_OK(ApplyLayout(operation, (*layouts)[i], module.entry_parameter_layouts[i]));
  }
  const Attribute* result = operation.attributes.Find("mhlo.xla_entry_computation_result_layout");
  const auto* results = result == nullptr ? nullptr : result->As<std::vector<Attribute>>();
  if (results == nullptr) return {};
  const bool is_one = results->size() == 1 && !module.entry_result_layout.IsTuple();
  return ApplyLayout(operation, is_one ? (*results)[0] : *result, module.entry_result_layout);
}

// Returns the aliases of tf.aliasing_output: the output with which an argument shares its buffer.
Result<std::map<Int64List, BufferAlias>> AliasesOfArguments(const Operation& main, const HloModule& module) {
  std::map<Int64List, BufferAlias> aliases;
  const auto results = static_cast<std::int64_t>(
      module.entry_result_layout.IsTuple() ? module.entry_result_layout.tuple_shapes().size() : 1);
  for (std::size_t i = 0; i < module.entry_parameter_layouts.size(); ++i) {
    const AttributeReader attributes(main, AttributesOfValue(main, "arg_attrs", i));
    ASSAY_TRY(const std::int64_t output, attributes.Integer("tf.aliasing_output", -1));
    if (output == -1) continue;
    if (output < 0 || output >= results) {
      return IllegalAt(main, fmt::format("tf.aliasing_output of argument {} must be one of {} results, found {}", i,
                                         results, output));
    }
    const Int64List index = module.entry_result_layout.IsTuple() ? Int64List{output} : Int64List();
    aliases[index] = {{static_cast<std::int64_t>(i), {}}, index};
  }
  return aliases;
}

// Adds the aliases of mhlo.input_output_alias, which lists them for the module, with places inside of tuples.
Status AddAliasesOfModule(const Operation& operation, std::map<Int64List, BufferAlias>& aliases) {
  const auto* list = operation.attributes.FindAs<std::vector<Attribute>>("mhlo.input_output_alias");
  for (std::size_t i = 0; list != nullptr && i < list->size(); ++i) {
    const auto* entry = (*list)[i].As<Dictionary>();
    if (entry == nullptr) return IllegalAt(operation, "mhlo.input_output_alias must list dictionaries");
    const AttributeReader reader(operation, *entry);
    ASSAY_TRY(const Int64List output, reader.Integers("output_index"));
    ASSAY_TRY(const AttributeReader fields, reader.RequiredFields("alias"));
    BufferAlias alias;
    ASSAY_TRY(alias.parameter, fields.Integer("parameter_number", 0));
    ASSAY_TRY(alias.index, fields.Integers("parameter_index"));
    ASSAY_TRY(const std::string kind, fields.Word("kind"));
    if (kind == "must_alias") alias.kind = BufferAlias::kMust;
    alias.output = output;
    aliases[output] = std::move(alias);
  }
  return {};
}

Status SetAliases(const Operation& operation, const Operation& main, HloModule& module) {
  ASSAY_TRY(auto aliases, AliasesOfArguments(main, module));
  ASSAY_CHECK_OK(AddAliasesOfModule(operation, aliases));
  std::vector<ParameterBuffer> donors;
  for (std::size_t i = 0; i < module.entry_parameter_layouts.size(); ++i) {
    ASSAY_TRY(const bool is_donor,
              AttributeReader(main, AttributesOfValue(main, "arg_attrs", i)).Bool("jax.buffer_donor"));
    if (is_donor) donors.push_back({static_cast<std::int64_t>(i), {}});
  }
  const auto set = [&](std::string_view name, std::string text) {
    if (!text.empty()) module.header_attributes.emplace(name, std::move(text));
  };
  std::vector<BufferAlias> values;
  for (const auto& [output, alias] : aliases) values.push_back(alias);
  set("input_output_alias", PrintAliases(values));
  set("buffer_donor", PrintDonors(donors));
  return {};
}

Result<std::int64_t> CountOfDevices(const Operation& operation, std::string_view name, std::int64_t if_absent) {
  ASSAY_TRY(const std::int64_t count, AttributeReader(operation).Integer(name, if_absent));
  if (count >= 1) return count;
  return IllegalAt(operation, fmt::format("{} must be positive, found {}", name, count));
}

// Adds a call that marks a result of a function if it has a sharding of Shardy.
Result<HloInstruction*> MarkResult(const Operation& function, const Dictionary& attributes, Translator& translator,
                                   HloInstruction& result) {
  ASSAY_TRY(const FrontendValues values, FrontendValuesOf(function, attributes));
  const auto* sharding = attributes.FindAs<DialectAttribute>("sdy.sharding");
  if (sharding == nullptr) return &result;
  HloInstruction& call = translator.Add("custom-call", result.shape, {&result});
  call.Set("custom_call_target", "xla.sdy.FuncResultSharding");
  call.Set("custom_call_has_side_effect", true);
  call.annotations["frontend_attributes"] = PrintFrontendAttributes({{"xla.sdy.sharding", TextPerValue(*sharding)}});
  return &call;
}

// Shardy's shardings of functions other than main remain frontend attributes: they may be local to a manual
// computation.
Result<std::string> ShardingOfValue(const Program& program, const Operation& function, const Dictionary& attributes) {
  if (StringOf(function, "sym_name") == "main") return ShardingOf(program, function, attributes);
  Dictionary others;
  if (const Attribute* sharding = attributes.Find("mhlo.sharding")) {
    others.entries.push_back({"mhlo.sharding", *sharding});
  }
  return ShardingOf(program, function, others);
}

// Returns one flag for each of the leaves of the argument: true if all replicas have the same value. A single flag
// stands for all leaves.
std::vector<bool> ReplicationOf(const Dictionary& attributes, std::int64_t leaves) {
  std::vector<bool> flags;
  const auto* list = attributes.FindAs<std::vector<Attribute>>("mhlo.parameter_replication");
  for (std::size_t i = 0; list != nullptr && i < list->size(); ++i) {
    const bool* flag = (*list)[i].As<bool>();
    flags.push_back(flag != nullptr && *flag);
  }
  if (flags.size() == 1) flags.resize(leaves, flags[0]);
  return flags;
}

}  // namespace

Status SetModuleAttributes(const Program& program, const Operation& main, HloModule& module) {
  const Operation& operation = program.module;
  ASSAY_TRY(const std::string name, AttributeReader(operation).String("sym_name"));
  module.name = name.empty() ? "main" : SanitizeName(name);
  ASSAY_TRY(module.replica_count, CountOfDevices(operation, "mhlo.num_replicas", module.replica_count));
  ASSAY_TRY(module.num_partitions, CountOfDevices(operation, "mhlo.num_partitions", module.num_partitions));
  ASSAY_CHECK_OK(SetEntryLayoutsOf(operation, module));
  ASSAY_CHECK_OK(SetAliases(operation, main, module));
  ASSAY_TRY(FrontendValues values, FrontendValuesOf(operation, operation.attributes));
  if (std::string meshes = MeshesText(program); !meshes.empty()) values["xla.sdy.meshes"] = std::move(meshes);
  if (!values.empty()) module.header_attributes.emplace("frontend_attributes", PrintFrontendAttributes(values));
  return {};
}

Status AnnotateArgument(const Program& program, const Operation& function, std::size_t index,
                        HloInstruction& parameter) {
  const Dictionary& attributes = AttributesOfValue(function, "arg_attrs", index);
  if (attributes.entries.empty()) return {};
  ASSAY_TRY(std::string sharding, ShardingOfValue(program, function, attributes));
  if (!sharding.empty()) parameter.annotations["sharding"] = std::move(sharding);
  ASSAY_TRY(std::string frontend_attributes, FrontendAttributesOf(function, attributes));
  if (!frontend_attributes.empty()) parameter.annotations["frontend_attributes"] = std::move(frontend_attributes);
  std::vector<bool> replication = ReplicationOf(attributes, ShapeUtil::LeafCount(parameter.shape));
  if (!replication.empty()) parameter.Set("parameter_replication", std::move(replication));
  return {};
}

Result<HloInstruction*> AddFunctionResults(const Program& program, const Operation& function, Translator& translator,
                                           std::vector<HloInstruction*> results) {
  std::vector<std::string> shardings;
  bool has_sharding = false;
  for (std::size_t i = 0; i < results.size(); ++i) {
    const Dictionary& attributes = AttributesOfValue(function, "res_attrs", i);
    ASSAY_TRY(results[i], MarkResult(function, attributes, translator, *results[i]));
    ASSAY_TRY(std::string sharding, ShardingOfValue(program, function, attributes));
    has_sharding |= !sharding.empty();
    shardings.push_back(sharding.empty() ? "{replicated}" : std::move(sharding));
  }
  if (results.size() == 1 && !has_sharding) return results[0];
  if (results.size() != 1) {
    HloInstruction& tuple = translator.AddTuple(std::move(results));
    if (has_sharding) tuple.annotations["sharding"] = fmt::format("{{{}}}", JoinText(shardings, ", "));
    return &tuple;
  }
  HloInstruction& tuple = translator.AddTuple(results);
  const auto of_result = results[0]->annotations.find("sharding");
  if (of_result != results[0]->annotations.end()) tuple.annotations["sharding"] = "{" + of_result->second + "}";
  HloInstruction& element = translator.AddElement(tuple, 0);
  element.annotations["sharding"] = shardings[0];
  return &element;
}

}  // namespace assay::stablehlo
