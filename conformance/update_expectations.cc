#include "conformance/update_expectations.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>

#include "backends/json/json_text.h"
#include "conformance/case_filter.h"
#include "conformance/files.h"

namespace assay {
namespace {

using nlohmann::ordered_json;

// With all verdicts that it came to: the name of one, or a list.
ordered_json EntryOf(const Outcome& outcome, const std::string& reason) {
  std::vector<std::string> verdicts = {std::string(outcome.VerdictText())};
  for (const Verdict verdict : outcome.retries) {
    const std::string name(VerdictName(verdict));
    if (std::ranges::count(verdicts, name) == 0) verdicts.push_back(name);
  }
  const ordered_json verdict = verdicts.size() == 1 ? ordered_json(verdicts[0]) : ordered_json(verdicts);
  return {{"name", outcome.name}, {"verdict", verdict}, {"reason", reason}};
}

class Updater {
 public:
  explicit Updater(std::vector<ordered_json> entries) : entries_(std::move(entries)) {}

  void Take(const CheckEntry& entry) {
    const Outcome& outcome = entry.outcome;
    const auto fitting = std::ranges::find_if(
        entries_, [&](const ordered_json& one) { return FitsPattern(one["name"].get<std::string>(), outcome.name); });
    const bool is_own = fitting != entries_.end() && (*fitting)["name"] == outcome.name;
    if (entry.standing == Standing::kUnexpected && is_own && outcome.verdict() < Verdict::kFail) {
      entries_.erase(fitting);
      ++removed_;
    } else if (entry.standing == Standing::kUnexpected && is_own) {
      *fitting = EntryOf(outcome, (*fitting)["reason"]);
      ++changed_;
    } else if (entry.standing == Standing::kUnexpected || entry.standing == Standing::kFailed ||
               entry.standing == Standing::kFlaky) {
      const std::string& reason = outcome.reason();
      const std::string first_line = reason.substr(0, reason.find('\n'));
      // Before the pattern that fits: the first one that fits counts.
      entries_.insert(fitting, EntryOf(outcome, "not examined: " + first_line));
      ++added_;
    }
  }

  void RemoveStale(const std::vector<std::string>& names) {
    const std::set<std::string> stale(names.begin(), names.end());
    removed_ += std::erase_if(entries_, [&](const ordered_json& one) { return stale.contains(one["name"]); });
  }

  std::string Text() const {
    std::string text = "{\"cases\": [";
    for (std::size_t i = 0; i < entries_.size(); ++i) {
      text += fmt::format("{}\n  {{", i == 0 ? "" : ",");
      std::string separator;
      for (const auto& [field, value] : entries_[i].items()) {
        text += fmt::format("{}{}: {}", separator, ordered_json(field).dump(), value.dump());
        separator = ", ";
      }
      text += "}";
    }
    return text + "\n]}\n";
  }

  std::string Line(const std::string& path) const {
    return fmt::format("{}: {} added, {} changed, {} removed\n", path, added_, changed_, removed_);
  }

 private:
  std::vector<ordered_json> entries_;
  std::size_t added_ = 0, changed_ = 0, removed_ = 0;
};

}  // namespace

Result<std::string> UpdateExpectations(const std::string& path, const CheckReport& report, bool has_run_all) {
  std::vector<ordered_json> entries;
  std::error_code error;
  if (std::filesystem::exists(path, error)) {
    // The check began by reading it, but somebody may have written to it since.
    ASSAY_TRY(const std::string text, ReadFile(path));
    ASSAY_CHECK_OK(Expectations::Read(path));
    entries = ordered_json::parse(text)["cases"].get<std::vector<ordered_json>>();
  }
  Updater updater(std::move(entries));
  if (has_run_all) updater.RemoveStale(report.StaleExpectations());
  for (const CheckEntry& entry : report.entries()) updater.Take(entry);
  ASSAY_CHECK_OK(WriteFileAtomically(path, updater.Text()));
  return updater.Line(path);
}

}  // namespace assay
