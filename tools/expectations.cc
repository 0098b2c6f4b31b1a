#include "tools/expectations.h"

#include <fmt/format.h>
#include <fnmatch.h>

#include "backends/json_text.h"
#include "tools/files.h"

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
    for (const char* field : {"name", "verdict", "reason"}) {
      if (entry.is_object() && entry.contains(field) && entry[field].is_string() && entry[field] != "") continue;
      return Error{ErrorCode::kInput, fmt::format("{}: an entry has no {}: {}", path, field, JsonText(entry))};
    }
    expectations.entries_.push_back({entry["name"], entry["verdict"]});
  }
  return expectations;
}

std::string Expectations::Of(const std::string& name) const {
  for (const Entry& entry : entries_) {
    if (fnmatch(entry.name.c_str(), name.c_str(), 0) == 0) return entry.verdict;
  }
  return "";
}

}  // namespace assay
