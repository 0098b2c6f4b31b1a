#include "backends/pjrt/device/options.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <string_view>

namespace assay::pjrt {
namespace {

constexpr int kMostDevicesOfClient = 1024;
constexpr std::int64_t kMostBytes = std::int64_t{1} << 50;

// Options that JAX passes to every plugin in a distributed program.
constexpr std::string_view kIgnored[] = {"node_id", "num_nodes", "partition_index"};

struct OptionValue {
  std::string_view name;
  std::string text;

  Error Wrong(std::string_view expected) const {
    return {ErrorCode::kUsage, fmt::format("option {}: expected {}, found {}", name, expected, text)};
  }
};

std::string TextOf(const PJRT_NamedValue& value) {
  switch (value.type) {
    case PJRT_NamedValue_kString:
      return std::string(value.string_value, value.value_size);
    case PJRT_NamedValue_kInt64:
      return std::to_string(value.int64_value);
    case PJRT_NamedValue_kFloat:
      return fmt::format("{}", value.float_value);
    case PJRT_NamedValue_kBool:
      return value.bool_value ? "true" : "false";
    default:
      return "a list";
  }
}

template <class Number>
Result<Number> ReadNumber(const OptionValue& option, Number least, Number most) {
  Number number{};
  const char* const end = option.text.data() + option.text.size();
  const auto [stop, error] = std::from_chars(option.text.data(), end, number);
  if (error == std::errc() && stop == end && number >= least && number <= most) return number;
  return option.Wrong(fmt::format("a number from {} to {}", least, most));
}

}  // namespace

Result<ClientOptions> ClientOptions::Read(std::span<const PJRT_NamedValue> values) {
  ClientOptions options;
  std::optional<OptionValue> engine, profile;
  for (const PJRT_NamedValue& value : values) {
    const OptionValue option = {{value.name, value.name_size}, TextOf(value)};
    if (option.name == "num_devices") {
      ASSAY_TRY(options.num_devices, ReadNumber<int>(option, 1, kMostDevicesOfClient));
    } else if (option.name == "memory_limit") {
      ASSAY_TRY(options.memory_limit, ReadNumber<std::int64_t>(option, 1, kMostBytes));
    } else if (option.name == "time_limit") {
      ASSAY_TRY(options.time_limit, ReadNumber<double>(option, 0, 1e9));
    } else if (option.name == "engine") {
      if (option.text != "reference" && option.text != "simd") return option.Wrong("reference or simd");
      engine = option;
    } else if (option.name == "profile") {
      if (option.text != "exact" && !option.text.starts_with("lawful:")) {
        return option.Wrong("exact or lawful:PROFILE[:SEED]");
      }
      profile = option;
    } else if (std::ranges::count(kIgnored, option.name) == 0) {
      return Error{ErrorCode::kUsage, fmt::format("unknown option {}: expected num_devices, engine, profile, "
                                                  "memory_limit or time_limit",
                                                  option.name)};
    }
  }
  const bool has_noise = profile && profile->text != "exact";
  if (has_noise && engine && engine->text != "reference") {
    return engine->Wrong("reference, with which a lawful profile runs");
  }
  if (engine) options.engine = engine->text;
  if (has_noise) options.engine = profile->text;
  return options;
}

}  // namespace assay::pjrt
