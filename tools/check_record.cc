#include "tools/check_record.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <sstream>

#include "tools/report.h"

namespace assay {
namespace {

constexpr std::string_view kIndent = "\n           ";

std::vector<std::string> LinesOf(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

// What stands below the first line of a reason, as a rule a program's last words: how they begin and how they end.
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

// The verdict with all that belongs to it.
std::string Entry(const Outcome& outcome) {
  const std::vector<std::string> lines = LinesOf(outcome.reason());
  std::string text = fmt::format("{:<8} {}: {}{}{}", outcome.VerdictText(), outcome.name, lines.empty() ? "" : lines[0],
                                 PlaceOf(outcome), Below(lines));
  if (!outcome.unjudged && outcome.judgement.not_exact > 0) {
    text += fmt::format("{}{}", kIndent, DescribeWorst(outcome.judgement.worst));
  }
  return text;
}

// The same in one line.
std::string Line(const Outcome& outcome) {
  const std::vector<std::string> lines = LinesOf(outcome.reason());
  std::string reason = lines.empty() ? "" : lines[0];
  if (lines.size() > 1) reason += " " + lines[1];
  return fmt::format("{:<8} {}: {}{}", outcome.VerdictText(), outcome.name, Shortened(reason), PlaceOf(outcome));
}

std::string List(std::string_view title, const std::vector<std::string>& entries) {
  if (entries.empty()) return "";
  std::string text = fmt::format("\n{}\n", title);
  for (const std::string& entry : entries) text += fmt::format("  {}\n", entry);
  return text;
}

}  // namespace

std::string CheckRecord::Add(const Outcome& outcome) {
  ++total_;
  outcome.op.empty() ? AddModel(outcome) : AddGolden(outcome);
  if (outcome.unjudged) {
    has_broken_cases_ |= outcome.unjudged->code != ErrorCode::kLimit;
    unjudged_.push_back(Entry(outcome));
    return Line(outcome);
  }
  const Verdict verdict = outcome.verdict();
  ++verdicts_[verdict];
  const std::vector<std::string> expected = expectations_.Of(outcome.name);
  const bool is_expected = std::ranges::count(expected, VerdictName(verdict)) > 0;
  if (!expected.empty() && !is_expected) {
    const std::string correct = fmt::format("{} was expected: correct the expectations", fmt::join(expected, " or "));
    failures_.push_back(fmt::format("{}{}{}", Entry(outcome), kIndent, correct));
    has_failed_ = true;
    return fmt::format("{}; {}", Line(outcome), correct);
  }
  if (verdict == Verdict::kUnsupported) {
    const std::string reason = outcome.reason().substr(0, outcome.reason().find('\n'));
    ++unsupported_[fmt::format("{}: {}", outcome.name.substr(0, outcome.name.find('/')), reason)];
  } else if (is_expected) {
    expected_.push_back(Entry(outcome));
  } else if (verdict == Verdict::kWeak) {
    weak_.push_back(Entry(outcome));
  } else if (verdict >= Verdict::kFail) {
    failures_.push_back(Entry(outcome));
    has_failed_ = true;
    return Line(outcome);
  }
  return "";
}

void CheckRecord::AddGolden(const Outcome& outcome) {
  Row& row = goldens_[outcome.op];
  ++row.cases;
  cases_.push_back(outcome.ToJson());
  if (outcome.unjudged) return;
  const Judgement& judgement = outcome.judgement;
  for (const PrimitiveType type : outcome.types) matrix_.Add(outcome.op, type, judgement.verdict);
  ++row.verdicts[judgement.verdict];
  row.worst_ulps = std::max(row.worst_ulps, judgement.worst.ulps.value_or(0));
}

void CheckRecord::AddModel(const Outcome& outcome) {
  models_.push_back(outcome.ToJson());
  std::string line =
      fmt::format("{:<11} {:<50}", outcome.VerdictText(), outcome.name.substr(outcome.name.find('/') + 1));
  if (outcome.model) {
    const ModuleReport& report = *outcome.model;
    line += fmt::format(" reference {:>7.2f} s, {} of {} outputs exact", report.reference_seconds,
                        report.outputs.elements - report.outputs.not_exact, report.outputs.elements);
    if (report.was_cut) {
      line += fmt::format("; cut: {} of {} instructions exact", report.pieces_exact, report.pieces);
    }
  }
  model_lines_.push_back(std::move(line));
}

int CheckRecord::exit_code() const {
  if (!unjudged_.empty()) return has_broken_cases_ ? 2 : 4;
  return has_failed_ ? 1 : 0;
}

std::string CheckRecord::RowText(const std::string& name, const Row& row) {
  const auto count = [&](Verdict verdict) {
    const auto it = row.verdicts.find(verdict);
    return it == row.verdicts.end() ? 0 : it->second;
  };
  const int exact = count(Verdict::kExact), legal = count(Verdict::kLegal);
  int failed = 0;
  for (const auto& [verdict, n] : row.verdicts) failed += verdict >= Verdict::kFail ? n : 0;
  return fmt::format("{:<28} {:>5} {:>6} {:>6} {:>6} {:>6} {:>11}\n", name, row.cases, exact, legal,
                     row.cases - exact - legal - failed, failed, fmt::format("{:.4g}", row.worst_ulps));
}

std::string CheckRecord::Summary(bool with_types) const {
  std::string text = fmt::format("{:<28} {:>5} {:>6} {:>6} {:>6} {:>6} {:>11}\n", "op", "cases", "exact", "legal",
                                 "other", "failed", "worst ULP");
  for (const auto& [op, row] : goldens_) text += RowText(op, row);
  if (with_types) text += "\n" + matrix_.ToText();
  if (!model_lines_.empty()) text += "\nmodels, with seeded inputs\n";
  for (const std::string& line : model_lines_) text += line + "\n";
  std::vector<std::string> unsupported;
  for (const auto& [what, count] : unsupported_) unsupported.push_back(fmt::format("{} cases of {}", count, what));
  text += List("unsupported by the backend (the report names each case)", unsupported);
  text += List("as expected", expected_);
  text += List("weak: they prove nothing, and fail nothing", weak_);
  text += List("not judged: the case is broken, or beyond the limits of the reference", unjudged_);
  return text + List("offenders", failures_);
}

std::string CheckRecord::Totals() const {
  std::string text = fmt::format("{} cases", total_);
  for (const auto& [verdict, count] : verdicts_) text += fmt::format(", {} {}", count, VerdictName(verdict));
  if (!unjudged_.empty()) text += fmt::format(", {} {}", unjudged_.size(), kUnjudged);
  return text;
}

nlohmann::json CheckRecord::ToJson() const {
  return {{"cases", cases_}, {"types", matrix_.ToJson()}, {"models", models_}};
}

}  // namespace assay
