#include "tools/check_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <sstream>
#include <utility>

#include "conformance/reports/check_report.h"
#include "interpreter/types/join_text.h"
#include "tools/report_text.h"

namespace assay {
namespace {

constexpr std::string_view kIndent = "\n           ";

std::vector<std::string> LinesOf(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

// Returns the first and last lines after the first line of a reason, which usually are a program's last messages.
std::string Below(const std::vector<std::string>& lines) {
  constexpr std::size_t kFirst = 3, kLast = 2;
  std::string text;
  for (std::size_t i = 1; i < lines.size(); ++i) {
    const bool is_shown = i <= kFirst || i + kLast >= lines.size();
    if (is_shown) text += fmt::format("{}{}", kIndent, Shortened(lines[i]));
    if (!is_shown && i == kFirst + 1) {
      text += fmt::format("{}({} more lines in the report)", kIndent, lines.size() - 1 - kFirst - kLast);
    }
  }
  return text;
}

std::string PlaceOf(const Outcome& outcome) { return outcome.place.empty() ? "" : fmt::format(" ({})", outcome.place); }

// Returns the verdict of an outcome with its details.
std::string Text(const Outcome& outcome) {
  const std::vector<std::string> lines = LinesOf(outcome.reason());
  std::string text = fmt::format("{:<8} {}{}{}{}", outcome.VerdictText(), outcome.name,
                                 lines.empty() ? "" : ": " + lines[0], PlaceOf(outcome), Below(lines));
  if (!outcome.unjudged && outcome.judgement.not_exact > 0) {
    text += fmt::format("{}{}", kIndent, DescribeWorst(outcome.judgement.worst));
  }
  return text;
}

// Returns the outcome in one line: with its cause, or with the first two lines of a reason whose first line is the
// cause.
std::string OutcomeLine(const Outcome& outcome) {
  const std::vector<std::string> lines = LinesOf(outcome.reason());
  std::string reason = lines.empty() ? "" : ": " + outcome.cause();
  if (lines.size() > 1 && outcome.cause() == lines[0]) reason += " " + lines[1];
  return fmt::format("{:<8} {}{}{}", outcome.VerdictText(), outcome.name, Shortened(reason), PlaceOf(outcome));
}

std::string List(std::string_view title, const std::vector<std::string>& entries) {
  if (entries.empty()) return "";
  std::string text = fmt::format("\n{}\n", title);
  for (const std::string& entry : entries) text += fmt::format("  {}\n", entry);
  return text;
}

// Returns the correction that the user has to make for a verdict that the expectations do not name.
std::string Correction(const CheckEntry& entry) {
  return fmt::format("{} was expected: correct the expectations", JoinText(entry.expected, " or "));
}

// Returns "it ran again: EXACT, FAIL".
std::string Again(const CheckEntry& entry) {
  if (!entry.outcome.died_once.empty()) {
    return "it died once, and not when the case ran again alone: what ran before may have damaged it";
  }
  if (const auto& flips = entry.outcome.flips) {
    std::string text =
        fmt::format("a flake: {} of {} further runs returned something else: {}{}{}, then {}", flips->differing,
                    flips->runs, flips->element, flips->element.empty() ? "" : " was ", flips->before, flips->after);
    for (const auto& [setting, runs] : flips->settings) text += fmt::format("; {} of them with {}", runs, setting);
    return text;
  }
  std::vector<std::string_view> names;
  for (const Verdict verdict : entry.outcome.retries) names.push_back(VerdictName(verdict));
  return fmt::format("a flake: it ran again, and came to {}", JoinText(names, ", "));
}

std::string Text(const CheckEntry& entry) {
  const std::string text = Text(entry.outcome);
  if (entry.standing == Standing::kFlaky) return text + std::string(kIndent) + Again(entry);
  return entry.standing == Standing::kUnexpected ? text + std::string(kIndent) + Correction(entry) : text;
}

// A line of the summary: the results of an op's goldens.
struct Row {
  int cases = 0;
  std::map<Verdict, int> verdicts;
  double worst_ulps = 0;

  int Count(Verdict verdict) const {
    const auto it = verdicts.find(verdict);
    return it == verdicts.end() ? 0 : it->second;
  }
  int failed() const {
    int failed = 0;
    for (const auto& [verdict, n] : verdicts) failed += IsFailure(verdict) ? n : 0;
    return failed;
  }
  void Add(const Row& other) {
    cases += other.cases;
    for (const auto& [verdict, n] : other.verdicts) verdicts[verdict] += n;
    worst_ulps = std::max(worst_ulps, other.worst_ulps);
  }
};

std::string RowText(const std::string& name, const Row& row) {
  const int exact = row.Count(Verdict::kExact), legal = row.Count(Verdict::kLegal), failed = row.failed();
  return fmt::format("{:<28} {:>5} {:>6} {:>6} {:>6} {:>6} {:>11}\n", name, row.cases, exact, legal,
                     row.cases - exact - legal - failed, failed, fmt::format("{:.4g}", row.worst_ulps));
}

// Returns one row for each op. If there are many, the ops with most failures have a row each, and the others share one.
std::string RowsText(const CheckReport& report, bool is_verbose) {
  std::map<std::string, Row> rows;
  for (const CheckEntry& entry : report.entries()) {
    if (entry.outcome.is_model()) continue;
    Row& row = rows[entry.outcome.op];
    ++row.cases;
    if (entry.outcome.unjudged) continue;
    ++row.verdicts[entry.outcome.verdict()];
    row.worst_ulps = std::max(row.worst_ulps, entry.outcome.judgement.worst.ulps.value_or(0));
  }
  constexpr std::size_t kMany = 20, kShown = 10;
  std::set<std::string> shown;
  if (!is_verbose && rows.size() > kMany) {
    std::vector<std::pair<int, std::string>> failing;
    for (const auto& [op, row] : rows) {
      if (row.failed() > 0) failing.emplace_back(-row.failed(), op);
    }
    std::ranges::sort(failing);
    if (failing.size() > kShown) failing.resize(kShown);
    for (const auto& [failed, op] : failing) shown.insert(op);
  } else {
    for (const auto& [op, row] : rows) shown.insert(op);
  }
  std::string text = fmt::format("{:<28} {:>5} {:>6} {:>6} {:>6} {:>6} {:>11}\n", "op", "cases", "exact", "legal",
                                 "other", "failed", "worst ULP");
  Row others;
  for (const auto& [op, row] : rows) {
    if (shown.contains(op)) {
      text += RowText(op, row);
    } else {
      others.Add(row);
    }
  }
  if (others.cases > 0)
    text += RowText(fmt::format("{} {}ops", rows.size() - shown.size(), shown.empty() ? "" : "more "), others);
  return text;
}

std::string ModelLine(const Outcome& outcome) {
  std::string line =
      fmt::format("{:<11} {:<50}", outcome.VerdictText(), outcome.name.substr(outcome.name.find('/') + 1));
  if (!outcome.model) return line;
  const ModuleReport& report = *outcome.model;
  line += fmt::format(" reference {:>7.2f} s, {} of {} outputs exact", report.reference_seconds,
                      report.outputs.elements - report.outputs.not_exact, report.outputs.elements);
  if (report.was_cut) line += fmt::format("; cut: {} of {} instructions exact", report.pieces_exact, report.pieces);
  return line;
}

std::string ModelsText(const CheckReport& report) {
  std::string text;
  for (const CheckEntry& entry : report.entries()) {
    if (entry.outcome.is_model()) text += ModelLine(entry.outcome) + "\n";
  }
  return text.empty() ? "" : "\nmodels, with seeded inputs\n" + text;
}

// Returns the unsupported cases by reason, the most frequent first: a backend declines many cases for one reason.
std::string UnsupportedText(const CheckReport& report, bool is_verbose) {
  struct Declined {
    int cases = 0;
    std::set<std::string> ops;
  };
  std::map<std::string, Declined> by_reason;
  int total = 0;
  for (const CheckEntry& entry : report.entries()) {
    if (entry.standing != Standing::kUnsupported) continue;
    Declined& declined = by_reason[entry.outcome.cause()];
    ++declined.cases;
    declined.ops.insert(entry.outcome.is_model() ? "models" : entry.outcome.op);
    ++total;
  }
  std::vector<std::pair<std::string, Declined>> sorted(by_reason.begin(), by_reason.end());
  std::ranges::stable_sort(sorted, std::ranges::greater(), [](const auto& row) { return row.second.cases; });
  constexpr std::size_t kOps = 3;
  const std::size_t most_reasons = is_verbose ? sorted.size() : 5;
  std::vector<std::string> lines;
  int shown = 0;
  for (const auto& [reason, declined] : sorted) {
    if (lines.size() == most_reasons) break;
    std::vector<std::string> named(declined.ops.begin(), declined.ops.end());
    const std::size_t others = named.size() - std::min(kOps, named.size());
    named.resize(named.size() - others);
    lines.push_back(fmt::format("{:>5} of {}{}: {}", declined.cases, JoinText(named, ", "),
                                others > 0 ? fmt::format(" and {} more operations", others) : "", Shortened(reason)));
    shown += declined.cases;
  }
  if (sorted.size() > most_reasons) {
    lines.push_back(fmt::format("{:>5} for {} more reasons", total - shown, sorted.size() - most_reasons));
  }
  return List("unsupported by the backend, cases by reason (the report names each case)", lines);
}

// Returns all entries of a list if verbose; otherwise its most important causes, each with its smallest case.
std::string ListOf(const CheckReport& report, std::string_view title, std::initializer_list<Standing> standings,
                   bool is_verbose) {
  std::vector<std::string> texts;
  if (is_verbose) {
    for (const CheckEntry& entry : report.entries()) {
      if (std::ranges::count(standings, entry.standing) > 0) texts.push_back(Text(entry));
    }
    return List(title, texts);
  }
  constexpr std::size_t kCauses = 10;
  const std::vector<Cluster> clusters = ClustersOf(report, standings);
  std::size_t others = 0;
  for (std::size_t i = 0; i < clusters.size(); ++i) {
    const std::size_t cases = clusters[i].entries.size();
    if (i >= kCauses) {
      others += cases;
      continue;
    }
    texts.push_back(Text(*clusters[i].witness));
    const std::string& op = clusters[i].outcome().op;
    if (cases > 1) {
      texts.back() +=
          fmt::format("{}and {} more of {} for this reason", kIndent, cases - 1, op.empty() ? "models" : op);
    }
  }
  if (others > 0) {
    texts.push_back(fmt::format("and {} more for {} more reasons (the report has all, and so has --verbose)", others,
                                clusters.size() - kCauses));
  }
  return List(title, texts);
}

}  // namespace

std::string FailureLine(const CheckEntry& entry) {
  switch (entry.standing) {
    case Standing::kFailed:
    case Standing::kUnjudged:
      return OutcomeLine(entry.outcome);
    case Standing::kUnexpected:
      return fmt::format("{}; {}", OutcomeLine(entry.outcome), Correction(entry));
    case Standing::kFlaky:
      return fmt::format("{}; {}", OutcomeLine(entry.outcome), Again(entry));
    default:
      return "";
  }
}

std::string CheckSummary(const CheckReport& report, const SummaryParts& parts) {
  std::string text = RowsText(report, parts.is_verbose);
  if (parts.types) text += "\n" + report.types().ToText();
  text += ModelsText(report);
  text += UnsupportedText(report, parts.is_verbose);
  if (parts.is_verbose) text += ListOf(report, "as expected", {Standing::kExpected}, true);
  if (parts.stale_expectations) text += List("expectations that fit no case", report.StaleExpectations());
  text += ListOf(report, "weak: they prove nothing, and fail nothing", {Standing::kWeak}, parts.is_verbose);
  text += ListOf(report, "not judged: the case is broken, or beyond the limits of the reference", {Standing::kUnjudged},
                 parts.is_verbose);
  text += ListOf(report, "offenders", {Standing::kFailed, Standing::kUnexpected, Standing::kFlaky}, parts.is_verbose);
  if (!parts.claim.empty()) text += "\n" + parts.claim;
  return text;
}

std::string CheckTotals(const CheckReport& report) {
  std::string text = fmt::format("{} cases", report.entries().size());
  for (const auto& [verdict, count] : report.verdicts()) {
    text += fmt::format(", {} {}", count, VerdictName(verdict));
    const int expected = report.CountExpected(verdict);
    if (expected > 0) text += expected == count ? " (expected)" : fmt::format(" ({} expected)", expected);
  }
  const int unjudged = report.Count(Standing::kUnjudged);
  const std::int64_t missing = report.MissingSupport();
  if (unjudged > 0) text += fmt::format(", {} {}", unjudged, kUnjudged);
  const auto died_once =
      std::ranges::count_if(report.entries(), [](const CheckEntry& entry) { return !entry.outcome.died_once.empty(); });
  if (died_once > 0) text += fmt::format("; deaths that did not happen again: {}", died_once);
  if (missing > 0) text += fmt::format("; {} more cases would have to be supported (--min-supported)", missing);
  return text;
}

}  // namespace assay
