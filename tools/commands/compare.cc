#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "backends/files.h"
#include "backends/json/json_text.h"
#include "conformance/reports/report_changes.h"
#include "conformance/reports/report_files.h"
#include "conformance/running/check_run.h"
#include "tools/command.h"
#include "tools/command_line.h"
#include "tools/options.h"
#include "tools/report_text.h"

namespace assay {
namespace {

// The number of each kind in the text; --verbose and the page have all.
constexpr int kMostChangesShown = 20;

struct CompareReportsOptions {
  std::vector<std::string> reports;  // the earlier and the later one
  std::string format = "text";
  std::string page;  // the file for a page; empty: none
  bool is_verbose = false;
};

// Returns "xla-cpu jaxlib 0.10.2, profile xla-cpu".
std::string TitleOfReport(const MergedReport& report) {
  const nlohmann::json& backend = report.run["backend"];
  return fmt::format("{} {}, profile {}", backend["name"].get<std::string>(), backend["version"].get<std::string>(),
                     report.run["profile"].get<std::string>());
}

std::string_view VerdictOf(const CheckEntry* entry) { return entry == nullptr ? "-" : entry->outcome.VerdictText(); }

std::string ChangeLine(const Change& change) {
  const std::string reason = change.either().cause();
  return fmt::format("  {:<8} was {:<8} {}{}\n", VerdictOf(change.after), VerdictOf(change.before),
                     change.either().name, reason.empty() ? "" : Shortened(": " + reason));
}

// Returns a row for each op and type of which a case of both reports has changed: a report may be a part of the other.
std::string ChangesTable(const ReportChanges& changes) {
  std::string text = fmt::format("{:<28} {:<8} {:>6}", "op", "type", "cases");
  for (int kind = 0; kind < kChangeKinds; ++kind) text += fmt::format(" {:>13}", ChangeKindName(ChangeKind{kind}));
  text += "\n";
  for (const auto& [op_and_type, row] : changes.rows) {
    std::string counts;
    bool has_changed = false;
    for (int kind = 0; kind < kChangeKinds; ++kind) {
      counts += fmt::format(" {:>13}", row.changes[kind]);
      has_changed = has_changed || (row.changes[kind] > 0 && ChangeKind{kind} < ChangeKind::kAdded);
    }
    if (!has_changed) continue;
    text += fmt::format("{:<28} {:<8} {:>6}{}\n", op_and_type.first, op_and_type.second, row.cases, counts);
  }
  return text;
}

std::string ChangeTotals(const ReportChanges& changes) {
  std::string totals;
  for (int kind = 0; kind < kChangeKinds; ++kind) {
    totals +=
        fmt::format("{}{} {}", kind > 0 ? ", " : "", changes.Count(ChangeKind{kind}), ChangeKindName(ChangeKind{kind}));
  }
  return totals;
}

std::string ChangesText(const ReportChanges& changes, bool is_verbose) {
  std::string text = changes.changes.empty() ? "" : ChangesTable(changes);
  std::map<ChangeKind, int> shown;
  for (const Change& change : changes.changes) {
    const int number = ++shown[change.kind];
    if (number == 1) text += fmt::format("\n{}\n", ChangeKindName(change.kind));
    if (is_verbose || number <= kMostChangesShown) text += ChangeLine(change);
    if (!is_verbose && number == kMostChangesShown + 1) {
      text += fmt::format("  and {} more (--verbose)\n", changes.Count(change.kind) - kMostChangesShown);
    }
  }
  return text + ChangeTotals(changes) + "\n";
}

// Returns a text as code in a cell of a table: it may come from a backend, and must be neither markup nor a mention.
std::string MarkdownCell(std::string text) {
  std::ranges::replace_if(
      text, [](char letter) { return letter == '`' || letter == '|' || letter == '\n'; }, ' ');
  return text.empty() ? "" : fmt::format("`{}`", ForTerminal(text));
}

// Returns the changes for a comment on a change of code: the totals, and a folded table for each kind.
std::string ChangesMarkdown(const ReportChanges& changes, bool is_verbose) {
  std::string text = fmt::format("**{}**\n", ChangeTotals(changes));
  for (int kind = 0; kind < kChangeKinds; ++kind) {
    const int count = changes.Count(ChangeKind{kind});
    if (count == 0) continue;
    text += fmt::format("\n<details><summary>{} {}</summary>\n\n| case | was | is | reason |\n|---|---|---|---|\n",
                        count, ChangeKindName(ChangeKind{kind}));
    int shown = 0;
    for (const Change& change : changes.changes) {
      if (change.kind != ChangeKind{kind} || (++shown > kMostChangesShown && !is_verbose)) continue;
      text += fmt::format("| {} | {} | {} | {} |\n", MarkdownCell(change.either().name), VerdictOf(change.before),
                          VerdictOf(change.after), MarkdownCell(Shortened(change.either().cause())));
    }
    if (shown > kMostChangesShown && !is_verbose) text += fmt::format("\nand {} more\n", shown - kMostChangesShown);
    text += "\n</details>\n";
  }
  return text;
}

Result<int> CompareReports(const CompareReportsOptions& options) {
  if (options.reports.size() != 2) return Error{ErrorCode::kUsage, "compare needs two reports"};
  ASSAY_TRY(const MergedReport before, MergeReports({options.reports[0]}, {}));
  ASSAY_TRY(const MergedReport after, MergeReports({options.reports[1]}, {}));
  const ReportChanges changes = FindChanges(before.report, after.report);
  nlohmann::json json = changes.ToJson();
  json["before"] = TitleOfReport(before);
  json["after"] = TitleOfReport(after);
  if (!options.page.empty()) {
    const nlohmann::json document = ReportDocument(after.run, after.report, {.ended_by = "", .not_run = after.not_run});
    ASSAY_CHECK_OK(WriteFileAtomically(options.page, ReportPage(document, JsonText(json))));
  }
  if (options.format == "json") {
    fmt::print("{}\n", JsonText(json, 1));
  } else if (options.format == "markdown") {
    fmt::print("{}", ChangesMarkdown(changes, options.is_verbose));
  } else {
    fmt::print("{}", ForTerminal(fmt::format("before: {}\nafter:  {}\n{}", TitleOfReport(before), TitleOfReport(after),
                                             ChangesText(changes, options.is_verbose))));
  }
  return changes.Count(ChangeKind::kNewlyWrong) == 0 ? 0 : 1;
}

void AddCompareOptions(CLI::App& command, CompareReportsOptions& options) {
  AddTexts(command, "report", options.reports, "the earlier and the later results.json, or the folders that hold them");
  AddText(command, "--page", options.page, "a file for the later report as a page that shows the changes");
  AddFlag(command, "--verbose", options.is_verbose, "every change");
  AddChoice(command, "--format", options.format, {"text", "json", "markdown"}, "text, json, or Markdown for a comment");
}

}  // namespace

const Command command_compare = {
    .name = "compare",
    .help = "list what changed from one report to another",
    .example = "assay compare report-0.10.1 report-0.10.2 --page changes.html",
    .bind = BindCommand<CompareReportsOptions, AddCompareOptions, CompareReports>,
};

}  // namespace assay
