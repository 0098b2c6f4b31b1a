#include "backends/json/json_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <vector>

#include "backends/json/printable.h"

namespace assay {
namespace {

constexpr int kMaxDepth = 1000;

bool IsNestedTooDeep(std::string_view text) {
  int depth = 0;
  bool is_string = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (is_string) {
      if (c == '\\') ++i;
      is_string = c != '"';
    } else if (c == '"') {
      is_string = true;
    } else if (c == '[' || c == '{') {
      if (++depth > kMaxDepth) return true;
    } else if (c == ']' || c == '}') {
      --depth;
    }
  }
  return false;
}

// The keys of the open objects. It rejects duplicate keys, of which the parser would silently keep the last.
class KeyWatch {
 public:
  bool Hear(nlohmann::json::parse_event_t event, const nlohmann::json& parsed) {
    using Event = nlohmann::json::parse_event_t;
    if (event == Event::object_start) keys_.emplace_back();
    if (event == Event::object_end) keys_.pop_back();
    if (event == Event::key && !keys_.back().insert(parsed.get<std::string>()).second)
      twice_ = parsed.get<std::string>();
    return true;
  }
  const std::optional<std::string>& twice() const { return twice_; }

 private:
  std::vector<std::set<std::string>> keys_;
  std::optional<std::string> twice_;
};

// Describes the error at a byte: the first one that does not fit, counted from 1.
std::string WhereAndWhy(std::string_view text, std::size_t byte) {
  const std::string_view before = text.substr(0, byte > 0 ? byte - 1 : 0);
  const auto line = std::ranges::count(before, '\n') + 1;
  const std::size_t column = before.size() - (before.rfind('\n') + 1) + 1;
  const bool is_end = before.size() >= text.size();
  return fmt::format("line {}, column {}: {}", line, column,
                     is_end ? "the text ends"
                            : fmt::format("unexpected {}", Printable(text.substr(before.size(), 20), Lines::kOne, 20)));
}

}  // namespace

Result<nlohmann::json> ParseJson(std::string_view text) {
  if (IsNestedTooDeep(text)) {
    return Error{ErrorCode::kInput, fmt::format("JSON nested more than {} levels deep", kMaxDepth)};
  }
  try {
    KeyWatch keys;
    nlohmann::json json = nlohmann::json::parse(text, [&](int, nlohmann::json::parse_event_t event,
                                                          nlohmann::json& parsed) { return keys.Hear(event, parsed); });
    if (keys.twice()) {
      return Error{ErrorCode::kInput, fmt::format("duplicate key {} in one object", JsonText(*keys.twice()))};
    }
    return json;
  } catch (const nlohmann::json::parse_error& error) {
    return Error{ErrorCode::kInput, fmt::format("not valid JSON: {}", WhereAndWhy(text, error.byte))};
  } catch (const nlohmann::json::exception& error) {
    return Error{ErrorCode::kInput, fmt::format("not valid JSON: {}", error.what())};
  }
}

std::string JsonText(const nlohmann::json& json, int indent) {
  return json.dump(indent, ' ', /*ensure_ascii=*/false, nlohmann::json::error_handler_t::replace);
}

}  // namespace assay
