#include <fmt/format.h>

#include <optional>
#include <set>

#include "interpreter/hlo/buffer_aliases.h"
#include "interpreter/hlo/verifier_rules.h"
#include "interpreter/types/join_text.h"

namespace assay {
namespace {

// Returns the shape of a parameter's buffer. Adds an error and returns nothing if there is none.
std::optional<Shape> ParameterShape(const HloModule& module, const ParameterBuffer& buffer, std::string_view what,
                                    ErrorList& errors) {
  const auto parameters = module.entry->Parameters();
  if (buffer.parameter >= 0 && buffer.parameter < static_cast<std::int64_t>(parameters.size())) {
    auto shape = ShapeUtil::GetSubshape(parameters[buffer.parameter]->shape, buffer.index);
    if (shape) return *shape;
  }
  errors.Add(module, "{} names {}, which is not a buffer of the entry's parameters", what, buffer.ToString());
  return std::nullopt;
}

void CheckAlias(const HloModule& module, const BufferAlias& alias, ErrorList& errors) {
  const bool is_must = alias.kind == BufferAlias::kMust;
  const auto result = ShapeUtil::GetSubshape(module.entry->root->shape, alias.output);
  if (!result) {
    errors.Add(module, "input_output_alias names output {{{}}}, which {} does not have", JoinText(alias.output, ","),
               module.entry->root->shape.ToStringWithoutLayout());
  }
  const auto parameter = ParameterShape(module, alias, "input_output_alias", errors);
  if (!result || !parameter) return;
  const auto result_bytes = ShapeUtil::CheckedByteSizeOf(*result);
  const auto parameter_bytes = ShapeUtil::CheckedByteSizeOf(*parameter);
  const bool are_arrays = result->IsArray() && parameter->IsArray();
  if (!is_must && are_arrays && result_bytes && parameter_bytes && *result_bytes != *parameter_bytes) {
    errors.Add(module, "output {{{}}} and its alias {} must have the same size, found {} and {}",
               JoinText(alias.output, ","), alias.ToString(), result->ToStringWithoutLayout(),
               parameter->ToStringWithoutLayout());
  }
  if (!is_must || ShapeUtil::Compatible(*result, *parameter)) return;
  errors.Add(module, "the must-alias pair of output {{{}}} and parameter {} must have the same shape, found {} and {}",
             JoinText(alias.output, ","), alias.ToString(), result->ToStringWithoutLayout(),
             parameter->ToStringWithoutLayout());
}

// Returns what a header attribute lists; nothing, after an error, if its text cannot be read.
template <class Entry>
std::vector<Entry> EntriesOf(const HloModule& module, std::string_view name,
                             Result<std::vector<Entry>> (*parse)(TextParser&), ErrorList& errors) {
  const auto attribute = module.header_attributes.find(name);
  if (attribute == module.header_attributes.end()) return {};
  TextParser parser(attribute->second);
  Result<std::vector<Entry>> entries = parse(parser);
  if (entries) return *std::move(entries);
  errors.Add(module, "{} cannot be read: {}", name, attribute->second);
  return {};
}

void CheckAliases(const HloModule& module, ErrorList& errors) {
  std::set<ParameterBuffer> aliased;
  std::set<Int64List> outputs;
  for (const BufferAlias& alias : EntriesOf(module, "input_output_alias", ParseAliases, errors)) {
    CheckAlias(module, alias, errors);
    if (!aliased.insert(alias).second) errors.Add(module, "input_output_alias names {} twice", alias.ToString());
    if (!outputs.insert(alias.output).second) {
      errors.Add(module, "input_output_alias names output {{{}}} twice", JoinText(alias.output, ","));
    }
  }
  for (const ParameterBuffer& donor : EntriesOf(module, "buffer_donor", ParseDonors, errors)) {
    ParameterShape(module, donor, "buffer_donor", errors);
    if (!aliased.contains(donor)) continue;
    errors.Add(module, "buffer_donor names {}, which is aliased already", donor.ToString());
  }
}

void CheckEntryLayout(const HloModule& module, ErrorList& errors) {
  if (module.entry_result_layout == Shape()) return;  // neither written nor filled in by a parser
  const auto parameters = module.entry->Parameters();
  if (module.entry_parameter_layouts.size() != parameters.size()) {
    errors.Add(module, "entry_computation_layout must have {} parameters, found {}", parameters.size(),
               module.entry_parameter_layouts.size());
    return;
  }
  const auto check = [&](std::optional<std::size_t> parameter, const Shape& written, const Shape& declared) {
    Status status = ShapeUtil::ValidateShape(written);
    if (!status) {
      errors.Add(std::move(status).error());
    } else if (!ShapeUtil::Compatible(written, declared)) {
      errors.Add(module, "{} of entry_computation_layout must have the shape {}, found {}",
                 parameter ? fmt::format("parameter {}", *parameter) : "the result", declared.ToStringWithoutLayout(),
                 written.ToStringWithoutLayout());
    }
  };
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    check(i, module.entry_parameter_layouts[i], parameters[i]->shape);
  }
  check(std::nullopt, module.entry_result_layout, module.entry->root->shape);
}

}  // namespace

void CheckEntry(const HloModule& module, ErrorList& errors) {
  CheckEntryLayout(module, errors);
  CheckAliases(module, errors);
}

}  // namespace assay
