#include "conformance/expectations.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>

#include "backends/json/json_text.h"
#include "conformance/case_filter.h"
#include "conformance/files.h"

namespace assay {

Result<Expectations> Expectations::Read(const std::string& path) {
  using nlohmann::json;
  Expectations expectations;
  if (path.empty()) return expectations;
  ASSAY_TRY(const std::string text, ReadFile(path));
  const Result<json> document = ParseJson(text);
  if (!document) return Error{ErrorCode::kInput, fmt::format("{}: {}", path, document.error().message)};
  if (!document->is_object() || !document->contains("cases") || !(*document)["cases"].is_array()) {
    return Error{ErrorCode::kInput, fmt::format("{}: expected an object with a list named cases", path)};
  }
  for (const json& entry : (*document)["cases"]) {
    const auto is_text = [](const json& value) { return value.is_string() && value != ""; };
    for (const char* field : {"name", "verdict", "reason"}) {
      const json value = entry.is_object() ? entry.value(field, json()) : json();
      const bool is_list = field == std::string_view("verdict") && value.is_array() && !value.empty();
      if (is_list ? std::ranges::all_of(value, is_text) : is_text(value)) continue;
      return Error{ErrorCode::kInput, fmt::format("{}: an entry has no {}: {}", path, field, JsonText(entry))};
    }
    const json& verdict = entry["verdict"];
    Entry expected = {entry["name"], {}};
    if (verdict.is_string()) expected.verdicts.push_back(verdict);
    if (verdict.is_array()) expected.verdicts = verdict.get<std::vector<std::string>>();
    expectations.entries_.push_back(std::move(expected));
  }
  return expectations;
}

std::vector<std::string> Expectations::Of(const std::string& name) const {
  const auto entry = std::ranges::find_if(entries_, [&](const Entry& entry) { return FitsPattern(entry.name, name); });
  return entry == entries_.end() ? std::vector<std::string>() : entry->verdicts;
}

std::vector<std::string> Expectations::FittingNone(const std::vector<std::string>& cases) const {
  std::vector<std::string> names;
  for (const Entry& entry : entries_) {
    const bool fits =
        std::ranges::any_of(cases, [&](const std::string& name) { return FitsPattern(entry.name, name); });
    if (!fits) names.push_back(entry.name);
  }
  return names;
}

}  // namespace assay
