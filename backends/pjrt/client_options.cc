#include "backends/pjrt/client_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "interpreter/types/number_in_text.h"

namespace assay::pjrt {
namespace {

// The integers between the commas; nothing if a part is none.
std::optional<std::vector<std::int64_t>> IntegersIn(std::string_view text) {
  std::vector<std::int64_t> integers;
  while (true) {
    const std::size_t comma = text.find(',');
    const auto integer = NumberInText<std::int64_t>(text.substr(0, comma));
    if (!integer) return std::nullopt;
    integers.push_back(*integer);
    if (comma == std::string_view::npos) return integers;
    text.remove_prefix(comma + 1);
  }
}

}  // namespace

Result<ClientOptions> ClientOptions::Parse(std::string_view text) {
  ClientOptions options;
  while (!text.empty()) {
    const std::string_view option = text.substr(0, text.find(';'));
    text.remove_prefix(std::min(option.size() + 1, text.size()));
    const std::size_t sign = option.find('=');
    if (sign == 0 || sign == std::string_view::npos) {
      return Error{ErrorCode::kUsage, fmt::format("pjrt: an option must be OPTION=VALUE, found '{}'", option)};
    }
    const std::string_view name = option.substr(0, sign), value = option.substr(sign + 1);
    if (name.starts_with("xla_")) {
      options.compiler_settings_.push_back({std::string(name), std::string(value)});
    } else if (name == "format") {
      options.format_ = ProgramFormatOf(value);
      if (!options.format_) {
        return Error{ErrorCode::kUsage, fmt::format("pjrt: format must be hlo or mlir, found '{}'", value)};
      }
    } else {
      options.options_.push_back(ParseOption(name, value));
    }
  }
  return options;
}

ClientOptions::Option ClientOptions::ParseOption(std::string_view name, std::string_view value) {
  Option option = {.name = std::string(name), .text = std::string(value)};
  if (value == "true" || value == "false") {
    option.type = PJRT_NamedValue_kBool;
  } else if (auto integers = IntegersIn(value)) {
    option.type = integers->size() == 1 ? PJRT_NamedValue_kInt64 : PJRT_NamedValue_kInt64List;
    option.integers = *std::move(integers);
  } else if (NumberInText<float>(value)) {
    option.type = PJRT_NamedValue_kFloat;
  }
  return option;
}

std::vector<PJRT_NamedValue> ClientOptions::Values() const {
  std::vector<PJRT_NamedValue> values;
  for (const Option& option : options_) {
    PJRT_NamedValue& value = values.emplace_back();
    value.name = option.name.data();
    value.name_size = option.name.size();
    value.type = option.type;
    value.value_size = 1;
    switch (option.type) {
      case PJRT_NamedValue_kString:
        value.string_value = option.text.data();
        value.value_size = option.text.size();
        break;
      case PJRT_NamedValue_kInt64:
        value.int64_value = option.integers[0];
        break;
      case PJRT_NamedValue_kInt64List:
        value.int64_array_value = option.integers.data();
        value.value_size = option.integers.size();
        break;
      case PJRT_NamedValue_kFloat:
        value.float_value = *NumberInText<float>(option.text);
        break;
      case PJRT_NamedValue_kBool:
        value.bool_value = option.text == "true";
        break;
    }
  }
  return values;
}

}  // namespace assay::pjrt
