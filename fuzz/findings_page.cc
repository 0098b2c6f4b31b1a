#include <fmt/format.h>

#include <map>
#include <set>
#include <vector>

#include "backends/files.h"
#include "fuzz/findings.h"
#include "interpreter/types/join_text.h"

namespace assay {
namespace {

constexpr std::string_view kHead = R"(<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>assay fuzz: findings</title>
<style>
  body { font: 15px/1.5 system-ui, sans-serif; margin: 2em auto; max-width: 70em; padding: 0 1em; color: #222; }
  h1 { font-size: 1.5em; } h2 { font-size: 1.2em; margin-top: 2em; }
  table { border-collapse: collapse; margin: 1em 0; display: block; overflow-x: auto; }
  th, td { border: 1px solid #ccc; padding: .25em .6em; text-align: right; white-space: nowrap; }
  th { background: #f3f3f3; } th:first-child, td:first-child { text-align: left; }
  pre { background: #f7f7f7; border: 1px solid #ddd; padding: .6em; overflow-x: auto; font-size: 13px; }
  summary { cursor: pointer; } details { margin: .5em 0; } .reason { color: #555; }
</style>
)";

std::string Escaped(std::string_view text) {
  std::string escaped;
  for (const char c : text) {
    if (c == '<') {
      escaped += "&lt;";
    } else if (c == '&') {
      escaped += "&amp;";
    } else if (c == '"') {
      escaped += "&quot;";
    } else {
      escaped += c;
    }
  }
  return escaped;
}

template <class Cells>
std::string Row(std::string_view tag, const Cells& cells) {
  std::string row = "<tr>";
  for (const std::string& cell : cells) row += fmt::format("<{}>{}</{}>", tag, Escaped(cell), tag);
  return row + "</tr>\n";
}

std::string CountOf(const std::map<Verdict, std::int64_t>& counts, Verdict verdict) {
  const auto found = counts.find(verdict);
  return std::to_string(found == counts.end() ? 0 : found->second);
}

std::string RunsTable(const std::map<std::string, RunState>& runs) {
  std::set<Verdict> verdicts;
  for (const auto& [name, run] : runs) {
    for (const auto& [verdict, count] : run.count.by_verdict) verdicts.insert(verdict);
  }
  std::vector<std::string> head = {"run", "programs", "seconds", "a second", "accepted"};
  for (const Verdict verdict : verdicts) head.emplace_back(VerdictName(verdict));
  for (const char* name : {"differ in bits", "show little", "not judged", "findings", "ops", "with types", "attributes",
                           "with types", "neighbours"}) {
    head.emplace_back(name);
  }
  std::string table = "<table>\n" + Row("th", head);
  for (const auto& [name, run] : runs) {
    const FuzzCount& count = run.count;
    std::vector<std::string> cells = {
        name, std::to_string(count.programs), fmt::format("{:.0f}", count.seconds),
        fmt::format("{:.1f}", count.seconds > 0 ? static_cast<double>(count.programs) / count.seconds : 0),
        fmt::format("{:.1f} %", 100 * count.accepted_share())};
    for (const Verdict verdict : verdicts) {
      cells.push_back(CountOf(count.by_verdict, verdict));
    }
    for (const std::int64_t number : {count.differing, count.uniform, count.not_evaluated, count.findings,
                                      count.coverage.ops(), std::ssize(count.coverage.types), count.coverage.classes(),
                                      std::ssize(count.coverage.attributes), std::ssize(count.coverage.neighbours)}) {
      cells.push_back(std::to_string(number));
    }
    table += Row("td", cells);
  }
  return table + "</table>\n";
}

// Returns a table of the programs that differ by more than kMuch, the threshold of public reports, by verdict.
std::string DifferencesTable(const std::map<std::string, RunState>& runs) {
  const std::vector<Verdict> verdicts = {Verdict::kLegal, Verdict::kSpecGap, Verdict::kWeak, Verdict::kSuspect,
                                         Verdict::kFail};
  std::vector<std::string> head = {fmt::format("programs that differ by more than {}, relative", kMuch)};
  for (const Verdict verdict : verdicts) head.emplace_back(VerdictName(verdict));
  std::string table = "<table>\n" + Row("th", head);
  for (const auto& [name, run] : runs) {
    std::vector<std::string> cells = {name};
    for (const Verdict verdict : verdicts) {
      cells.push_back(CountOf(run.count.differing_much, verdict));
    }
    table += Row("td", cells);
  }
  return table + "</table>\n";
}

std::string FindingText(const FindingsFolder& folder, const Finding& finding) {
  const Result<std::string> module = ReadFile(fmt::format("{}/{}/module.hlo", folder.path(), finding.signature));
  return fmt::format(
      "<details><summary>{}: {} instructions{}</summary>\n<p class=\"reason\">{}</p>\n<p>{} {}, {}</p>"
      "\n<pre>{}</pre>\n<pre>{}</pre>\n</details>\n",
      Escaped(finding.signature), finding.instructions, finding.pass.empty() ? "" : ", by " + Escaped(finding.pass),
      Escaped(finding.reason), Escaped(finding.backend), Escaped(finding.version), Escaped(finding.Origin()),
      Escaped(module ? *module : module.error().message), Escaped(JoinText(folder.CommandsFor(finding), "\n")));
}

}  // namespace

Result<std::string> FindingsPage(const FindingsFolder& folder) {
  ASSAY_TRY(const auto runs, folder.Runs());
  ASSAY_TRY(const std::vector<Finding> findings, folder.Read());
  std::string page(kHead);
  page += "<h1>assay fuzz</h1>\n<h2>Runs</h2>\n" + RunsTable(runs) + DifferencesTable(runs);
  page += fmt::format("<h2>{} findings</h2>\n", findings.size());
  for (const Finding& finding : findings) page += FindingText(folder, finding);
  return page + "</html>\n";
}

Status WriteFindingsPage(const FindingsFolder& folder) {
  ASSAY_TRY(const std::string page, FindingsPage(folder));
  return WriteFileAtomically(folder.path() + "/index.html", page);
}

}  // namespace assay
