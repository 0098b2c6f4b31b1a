#include "conformance/running/expectations.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <span>
#include <string_view>
#include <utility>

#include "backends/files.h"
#include "backends/json/json_text.h"
#include "conformance/cases/case_filter.h"
#include "interpreter/acceptance/judge.h"
#include "interpreter/hlo/suggest.h"
#include "interpreter/types/join_text.h"

namespace assay {
namespace {

using nlohmann::json;

bool IsText(const json& value) { return value.is_string() && value != ""; }

// Rejects a field whose name is close to a known one: it is probably a typing error. Other unknown fields are the
// user's.
Status CheckFields(const json& object, std::span<const std::string_view> known) {
  for (const auto& [field, value] : object.items()) {
    if (std::ranges::find(known, field) != known.end()) continue;
    const std::string meant = Suggest(field, known);
    if (!meant.empty()) return Error{ErrorCode::kInput, fmt::format("unknown field {}{}", field, meant)};
  }
  return {};
}

Status CheckVerdict(const std::string& name) {
  if (FindVerdict(name)) return {};
  std::vector<std::string_view> names;
  for (int i = 0; i <= static_cast<int>(Verdict::kCrash); ++i) names.push_back(VerdictName(static_cast<Verdict>(i)));
  return Error{ErrorCode::kInput,
               fmt::format("unknown verdict {}: expected one of {}", JsonText(name), JoinText(names, ", "))};
}

// Returns the verdicts of an entry. Fails if a field is missing.
Result<std::vector<std::string>> VerdictsOf(const json& entry) {
  static constexpr std::array<std::string_view, 3> kFields = {"name", "verdict", "reason"};
  if (!entry.is_object()) return Error{ErrorCode::kInput, "expected an object"};
  ASSAY_CHECK_OK(CheckFields(entry, kFields));
  for (const std::string_view field : kFields) {
    const json value = entry.value(field, json());
    const bool is_list = field == "verdict" && value.is_array() && !value.empty();
    if (is_list ? std::ranges::all_of(value, IsText) : IsText(value)) continue;
    return Error{ErrorCode::kInput, fmt::format("an entry has no {}", field)};
  }
  const json& verdict = entry["verdict"];
  const auto verdicts =
      verdict.is_string() ? std::vector{verdict.get<std::string>()} : verdict.get<std::vector<std::string>>();
  for (const std::string& name : verdicts) ASSAY_CHECK_OK(CheckVerdict(name));
  return verdicts;
}

}  // namespace

Result<Expectations> Expectations::Read(const std::string& path) {
  Expectations expectations;
  if (path.empty()) return expectations;
  ASSAY_TRY(const std::string text, ReadFile(path));
  const auto bad = [&](const std::string& what) { return Error{ErrorCode::kInput, fmt::format("{}: {}", path, what)}; };
  const Result<json> document = ParseJson(text);
  if (!document) return bad(document.error().message);
  static constexpr std::array<std::string_view, 2> kFields = {"cases", kDiedOnce};
  if (document->is_object()) {
    if (const Status known = CheckFields(*document, kFields); !known) return bad(known.error().message);
  }
  if (!document->is_object() || !document->contains("cases") || !(*document)["cases"].is_array()) {
    return bad("expected an object with a list named cases");
  }
  if (document->contains(kDiedOnce)) {
    if (!IsText((*document)[kDiedOnce])) return bad(fmt::format("{} has no reason", kDiedOnce));
    expectations.accept_single_deaths_ = true;
  }
  const json& cases = (*document)["cases"];
  for (std::size_t i = 0; i < cases.size(); ++i) {
    Result<std::vector<std::string>> verdicts = VerdictsOf(cases[i]);
    if (!verdicts) return bad(fmt::format("cases[{}]: {}: {}", i, verdicts.error().message, JsonText(cases[i])));
    expectations.entries_.push_back({cases[i]["name"], *std::move(verdicts)});
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
