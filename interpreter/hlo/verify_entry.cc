#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <set>

#include "interpreter/hlo/verifier_rules.h"
#include "interpreter/types/join_text.h"

namespace assay {
namespace {

using Index = std::vector<std::int64_t>;

// A reader of the normal form of the header attributes: `{ {0}: (1, {}, may-alias), ... }` and `{ (0, {1}), ... }`.
class AliasReader {
 public:
  explicit AliasReader(std::string_view text) : text_(text) {}

  bool Skip(std::string_view token) {
    while (!text_.empty() && (text_.front() == ' ' || text_.front() == ',' || text_.front() == '\n')) {
      text_.remove_prefix(1);
    }
    if (!text_.starts_with(token)) return false;
    text_.remove_prefix(token.size());
    return true;
  }
  bool Number(std::int64_t& number) {
    Skip("");
    const auto [end, code] = std::from_chars(text_.data(), text_.data() + text_.size(), number);
    if (code != std::errc()) return false;
    text_.remove_prefix(end - text_.data());
    return true;
  }
  bool IndexPath(Index& index) {
    if (!Skip("{")) return false;
    for (std::int64_t i = 0; Number(i);) index.push_back(i);
    return Skip("}");
  }

 private:
  std::string_view text_;
};

struct Buffer {
  std::int64_t parameter = 0;
  Index index;
  auto operator<=>(const Buffer&) const = default;
  std::string ToString() const { return fmt::format("({}, {{{}}})", parameter, JoinText(index, ",")); }
};

// Returns the shape of a parameter's buffer. Adds an error and returns nothing if there is none.
std::optional<Shape> ParameterShape(const HloModule& module, const Buffer& buffer, std::string_view what,
                                    ErrorList& errors) {
  const auto parameters = module.entry->Parameters();
  if (buffer.parameter >= 0 && buffer.parameter < static_cast<std::int64_t>(parameters.size())) {
    auto shape = ShapeUtil::GetSubshape(parameters[buffer.parameter]->shape, buffer.index);
    if (shape) return *shape;
  }
  errors.Add(module, "{} names {}, which is not a buffer of the entry's parameters", what, buffer.ToString());
  return std::nullopt;
}

void CheckAlias(const HloModule& module, const Index& output, const Buffer& buffer, bool must_alias,
                ErrorList& errors) {
  const auto result = ShapeUtil::GetSubshape(module.entry->root->shape, output);
  if (!result) {
    errors.Add(module, "input_output_alias names output {{{}}}, which {} does not have", JoinText(output, ","),
               module.entry->root->shape.ToStringWithoutLayout());
  }
  const auto parameter = ParameterShape(module, buffer, "input_output_alias", errors);
  if (!result || !parameter) return;
  const auto result_bytes = ShapeUtil::CheckedByteSizeOf(*result);
  const auto parameter_bytes = ShapeUtil::CheckedByteSizeOf(*parameter);
  const bool are_arrays = result->IsArray() && parameter->IsArray();
  if (!must_alias && are_arrays && result_bytes && parameter_bytes && *result_bytes != *parameter_bytes) {
    errors.Add(module, "output {{{}}} and its alias {} must have the same size, found {} and {}", JoinText(output, ","),
               buffer.ToString(), result->ToStringWithoutLayout(), parameter->ToStringWithoutLayout());
  }
  if (!must_alias || ShapeUtil::Compatible(*result, *parameter)) return;
  errors.Add(module, "the must-alias pair of output {{{}}} and parameter {} must have the same shape, found {} and {}",
             JoinText(output, ","), buffer.ToString(), result->ToStringWithoutLayout(),
             parameter->ToStringWithoutLayout());
}

std::set<Buffer> CheckInputOutputAlias(const HloModule& module, std::string_view text, ErrorList& errors) {
  AliasReader reader(text);
  std::set<Buffer> aliased;
  std::set<Index> outputs;
  reader.Skip("{");
  while (!reader.Skip("}")) {
    Index output;
    Buffer buffer;
    if (!reader.IndexPath(output) || !reader.Skip(":") || !reader.Skip("(") || !reader.Number(buffer.parameter) ||
        !reader.IndexPath(buffer.index)) {
      errors.Add(module, "input_output_alias cannot be read: {}", text);
      return aliased;
    }
    const bool must_alias = reader.Skip("must-alias");
    if (!must_alias) reader.Skip("may-alias");
    if (!reader.Skip(")")) {
      errors.Add(module, "input_output_alias cannot be read: {}", text);
      return aliased;
    }
    CheckAlias(module, output, buffer, must_alias, errors);
    if (!aliased.insert(buffer).second) {
      errors.Add(module, "input_output_alias names {} twice", buffer.ToString());
    }
    if (!outputs.insert(output).second) {
      errors.Add(module, "input_output_alias names output {{{}}} twice", JoinText(output, ","));
    }
  }
  return aliased;
}

void CheckBufferDonor(const HloModule& module, std::string_view text, const std::set<Buffer>& aliased,
                      ErrorList& errors) {
  AliasReader reader(text);
  reader.Skip("{");
  while (!reader.Skip("}")) {
    Buffer buffer;
    if (!reader.Skip("(") || !reader.Number(buffer.parameter) || !reader.IndexPath(buffer.index) || !reader.Skip(")")) {
      errors.Add(module, "buffer_donor cannot be read: {}", text);
      return;
    }
    ParameterShape(module, buffer, "buffer_donor", errors);
    if (aliased.contains(buffer)) {
      errors.Add(module, "buffer_donor names {}, which is aliased already", buffer.ToString());
    }
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
  const auto header = [&](std::string_view name) -> const std::string* {
    const auto attribute = module.header_attributes.find(name);
    return attribute == module.header_attributes.end() ? nullptr : &attribute->second;
  };
  std::set<Buffer> aliased;
  if (const std::string* text = header("input_output_alias")) aliased = CheckInputOutputAlias(module, *text, errors);
  if (const std::string* text = header("buffer_donor")) CheckBufferDonor(module, *text, aliased, errors);
}

}  // namespace assay
