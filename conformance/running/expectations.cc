#include "conformance/running/expectations.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "backends/files.h"
#include "backends/json/json_text.h"
#include "conformance/cases/case_filter.h"
#include "conformance/reports/check_report.h"
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

namespace {

using nlohmann::ordered_json;

// Returns all verdicts of the outcome's runs: the name of one, or a list.
ordered_json VerdictOf(const Outcome& outcome) {
  std::vector<std::string> verdicts = {std::string(outcome.VerdictText())};
  for (const Verdict verdict : outcome.retries) {
    const std::string name(VerdictName(verdict));
    if (std::ranges::count(verdicts, name) == 0) verdicts.push_back(name);
  }
  return verdicts.size() == 1 ? ordered_json(verdicts[0]) : ordered_json(verdicts);
}

constexpr std::string_view kNotExamined = "not examined: ";

// Returns the reason of an entry that nobody has examined yet.
std::string ReasonOf(const Outcome& outcome) {
  return fmt::format("{}{}", kNotExamined, outcome.reason().substr(0, outcome.reason().find('\n')));
}

// Prints JSON on one line, with a blank after each colon and comma.
std::string InOneLine(const ordered_json& value) {
  if (!value.is_structured()) return value.dump();
  std::vector<std::string> parts;
  for (const auto& [field, part] : value.items()) {
    parts.push_back(value.is_array() ? InOneLine(part)
                                     : fmt::format("{}: {}", ordered_json(field).dump(), InOneLine(part)));
  }
  return fmt::format("{}{}{}", value.is_array() ? '[' : '{', JoinText(parts, ", "), value.is_array() ? ']' : '}');
}

// Changes the entries of an expectations file. Other fields, of the file and of an entry, stay unchanged.
class Updater {
 public:
  explicit Updater(ordered_json document)
      : document_(std::move(document)), entries_(document_["cases"].get<std::vector<ordered_json>>()) {}

  void Take(const CheckEntry& entry) {
    const Outcome& outcome = entry.outcome;
    const auto fitting = std::ranges::find_if(
        entries_, [&](const ordered_json& one) { return FitsPattern(one["name"].get<std::string>(), outcome.name); });
    const bool is_own = fitting != entries_.end() && (*fitting)["name"] == outcome.name;
    if (entry.standing == Standing::kUnexpected && is_own && !IsFailure(outcome.verdict())) {
      entries_.erase(fitting);
      ++removed_;
    } else if (entry.standing == Standing::kUnexpected && is_own) {
      (*fitting)["verdict"] = VerdictOf(outcome);
      // A reason that someone has written may hold for the other verdict too.
      if ((*fitting)["reason"].get<std::string>().starts_with(kNotExamined)) (*fitting)["reason"] = ReasonOf(outcome);
      ++changed_;
    } else if (!outcome.died_once.empty() && entry.standing == Standing::kFlaky) {
      document_[kDiedOnce] = fmt::format("not examined: {}, among others", outcome.name);
    } else if (entry.standing == Standing::kUnexpected || entry.standing == Standing::kFailed ||
               entry.standing == Standing::kFlaky) {
      // The entry goes before the pattern that matches, because the first match counts.
      ordered_json entry;
      entry["name"] = outcome.name;
      entry["verdict"] = VerdictOf(outcome);
      entry["reason"] = ReasonOf(outcome);
      entries_.insert(fitting, std::move(entry));
      ++added_;
    }
  }

  void RemoveStale(const std::vector<std::string>& names) {
    const std::set<std::string> stale(names.begin(), names.end());
    removed_ += std::erase_if(entries_, [&](const ordered_json& one) { return stale.contains(one["name"]); });
  }

  std::string Text() const {
    std::vector<std::string> fields;
    for (const auto& [field, value] : document_.items()) {
      fields.push_back(
          fmt::format("{}: {}", ordered_json(field).dump(), field == "cases" ? EntriesText() : value.dump()));
    }
    return fmt::format("{{{}}}\n", JoinText(fields, ",\n "));
  }

  std::string Line(const std::string& path) const {
    return fmt::format("{}: {} added, {} changed, {} removed\n", path, added_, changed_, removed_);
  }

 private:
  // Prints each entry on its own line.
  std::string EntriesText() const {
    std::vector<std::string> lines;
    for (const ordered_json& entry : entries_) lines.push_back("\n  " + InOneLine(entry));
    return fmt::format("[{}\n]", JoinText(lines, ","));
  }

  ordered_json document_;
  std::vector<ordered_json> entries_;
  std::size_t added_ = 0, changed_ = 0, removed_ = 0;
};

}  // namespace

Result<std::string> UpdateExpectations(const std::string& path, const CheckReport& report, bool has_run_all) {
  ordered_json document;
  document["cases"] = ordered_json::array();
  std::error_code error;
  if (std::filesystem::exists(path, error)) {
    // The check read the file when it began, but the file may have changed since.
    ASSAY_TRY(const std::string text, ReadFile(path));
    ASSAY_CHECK_OK(Expectations::Read(path));
    document = ordered_json::parse(text);
  }
  Updater updater(std::move(document));
  if (has_run_all) updater.RemoveStale(report.StaleExpectations());
  for (const CheckEntry& entry : report.entries()) updater.Take(entry);
  ASSAY_CHECK_OK(WriteFileAtomically(path, updater.Text()));
  return updater.Line(path);
}

}  // namespace assay
