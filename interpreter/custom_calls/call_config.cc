#include "interpreter/custom_calls/call_config.h"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "interpreter/custom_calls/stand_in.h"
#include "interpreter/hlo/annotation_text.h"
#include "interpreter/types/join_text.h"
#include "interpreter/types/number_in_text.h"

namespace assay {

namespace {

const nlohmann::json* FindField(const nlohmann::json& message, std::string_view field) {
  const auto found = message.find(std::string(field));
  return found == message.end() || found->is_null() ? nullptr : &*found;
}

// Reads a number; the JSON form of protocol buffers writes "Infinity" and "NaN" as strings.
std::optional<double> NumberOf(const nlohmann::json& value) {
  if (value.is_number()) return value.get<double>();
  if (!value.is_string()) return std::nullopt;
  return NumberInText<double>(value.get_ref<const std::string&>());
}

std::optional<std::int64_t> IntegerOf(const nlohmann::json& value) {
  const std::optional<double> number = NumberOf(value);
  constexpr double kLargest = 0x1p53;
  if (!number || *number != std::trunc(*number) || std::fabs(*number) > kLargest) return std::nullopt;
  return static_cast<std::int64_t>(*number);
}

}  // namespace

Result<CallConfig> CallConfig::Of(const HloInstruction& call, std::string_view section) {
  const std::string text = BackendConfig(call);
  const auto json =
      std::make_shared<const nlohmann::json>(nlohmann::json::parse(text, nullptr, /*allow_exceptions=*/false));
  if (!json->is_object()) {
    return BadCall(call, "backend_config must be a JSON object, found {}", text.empty() ? "none" : text);
  }
  CallConfig whole(call, json);
  if (!whole.Has(section)) return whole;
  return whole.Message(section);
}

Error CallConfig::Bad(std::string_view field, std::string_view expected) const {
  const nlohmann::json* value = FindField(*json_, field);
  return BadCall(*call_, "backend_config: {} must be {}, found {}", field, expected,
                 value == nullptr ? "none" : value->dump());
}

bool CallConfig::Has(std::string_view field) const { return FindField(*json_, field) != nullptr; }

Status CallConfig::Require(std::string_view field) const {
  if (Has(field)) return {};
  return BadCall(*call_, "backend_config must have {}", field);
}

Result<CallConfig> CallConfig::Message(std::string_view field) const {
  const nlohmann::json* value = FindField(*json_, field);
  if (value != nullptr && !value->is_object()) return Bad(field, "an object");
  return CallConfig(*call_,
                    std::make_shared<const nlohmann::json>(value == nullptr ? nlohmann::json::object() : *value));
}

Result<double> CallConfig::Double(std::string_view field) const {
  const nlohmann::json* value = FindField(*json_, field);
  if (value == nullptr) return 0.0;
  const std::optional<double> number = NumberOf(*value);
  if (!number) return Bad(field, "a number");
  return *number;
}

Result<std::int64_t> CallConfig::Integer(std::string_view field) const {
  const nlohmann::json* value = FindField(*json_, field);
  if (value == nullptr) return std::int64_t{0};
  const std::optional<std::int64_t> number = IntegerOf(*value);
  if (!number) return Bad(field, "an integer");
  return *number;
}

Result<bool> CallConfig::Bool(std::string_view field) const {
  const nlohmann::json* value = FindField(*json_, field);
  if (value == nullptr) return false;
  if (!value->is_boolean()) return Bad(field, "true or false");
  return value->get<bool>();
}

Result<std::string> CallConfig::String(std::string_view field) const {
  const nlohmann::json* value = FindField(*json_, field);
  if (value == nullptr) return std::string();
  if (!value->is_string()) return Bad(field, "a string");
  return value->get<std::string>();
}

// Returns the entries of a list, each read by `entry`, which returns nothing for an invalid entry.
template <class T, class Entry>
std::optional<std::vector<T>> CallConfig::ListOf(std::string_view field, Entry entry) const {
  std::vector<T> list;
  const nlohmann::json* value = FindField(*json_, field);
  if (value == nullptr) return list;
  if (!value->is_array()) return std::nullopt;
  for (const nlohmann::json& written : *value) {
    const std::optional<T> read = entry(written);
    if (!read) return std::nullopt;
    list.push_back(*read);
  }
  return list;
}

Result<std::vector<double>> CallConfig::Doubles(std::string_view field) const {
  auto list = ListOf<double>(field, NumberOf);
  if (!list) return Bad(field, "a list of numbers");
  return *std::move(list);
}

Result<std::vector<std::int64_t>> CallConfig::Integers(std::string_view field) const {
  auto list = ListOf<std::int64_t>(field, IntegerOf);
  if (!list) return Bad(field, "a list of integers");
  return *std::move(list);
}

Result<std::vector<std::string>> CallConfig::Strings(std::string_view field) const {
  auto list = ListOf<std::string>(field, [](const nlohmann::json& entry) -> std::optional<std::string> {
    return entry.is_string() ? std::optional(entry.get<std::string>()) : std::nullopt;
  });
  if (!list) return Bad(field, "a list of words");
  return *std::move(list);
}

Result<std::string_view> CallConfig::Word(std::string_view field, const std::vector<std::string_view>& words) const {
  const nlohmann::json* value = FindField(*json_, field);
  if (value == nullptr) return words.front();
  const std::optional<std::int64_t> number = IntegerOf(*value);
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (number ? *number == static_cast<std::int64_t>(i) : *value == words[i]) return words[i];
  }
  return Bad(field, fmt::format("one of {}", JoinText(words, ", ")));
}

}  // namespace assay
