#include "conformance/running/update_expectations.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <string_view>

#include "backends/files.h"
#include "backends/json/json_text.h"
#include "conformance/cases/case_filter.h"
#include "interpreter/types/join_text.h"

namespace assay {
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
