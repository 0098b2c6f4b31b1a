#include "backends/json_text.h"

#include <fmt/format.h>

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

}  // namespace

Result<nlohmann::json> ParseJson(std::string_view text) {
  if (IsNestedTooDeep(text)) {
    return Error{ErrorCode::kInput, fmt::format("JSON nested more than {} levels deep", kMaxDepth)};
  }
  nlohmann::json json = nlohmann::json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (json.is_discarded()) return Error{ErrorCode::kInput, "not valid JSON"};
  return json;
}

std::string JsonText(const nlohmann::json& json, int indent) {
  return json.dump(indent, ' ', /*ensure_ascii=*/false, nlohmann::json::error_handler_t::replace);
}

}  // namespace assay
