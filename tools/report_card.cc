#include "tools/report_card.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <optional>

#include "tools/error_plot.h"

namespace assay {
namespace {

// The columns of the table; narrower types share one.
constexpr std::array<PrimitiveType, 4> kWideTypes = {F32, F64, F16, BF16};

bool HasSurvey(const AccuracyRow& row) { return row.survey.elements() > 0; }

std::int64_t WrongSpecials(const ErrorSurvey& survey) {
  return survey.count(ErrorClass::kNan) + survey.count(ErrorClass::kInfinity) + survey.count(ErrorClass::kZeroSign);
}

double PercentOf(std::int64_t part, std::int64_t whole) {
  return whole == 0 ? 0 : 100.0 * static_cast<double>(part) / static_cast<double>(whole);
}

// What several rows have together.
struct Cell {
  std::int64_t elements = 0;
  std::int64_t distances = 0;
  double most_ulps = 0;

  void Add(const AccuracyRow& row) {
    elements += row.survey.elements();
    distances += row.survey.count(ErrorClass::kDistance);
    most_ulps = std::max(most_ulps, row.survey.most_ulps());
  }
  std::string Text() const {
    if (elements == 0) return "-";
    if (distances == 0) return "0";
    return fmt::format("{:.6g} / {:.2g}%", most_ulps, PercentOf(distances, elements));
  }
};

struct TableLine {
  std::array<Cell, kWideTypes.size() + 1> cells;
  std::string specials, flushed, others;

  void Add(const AccuracyRow& row) {
    const auto name = PrimitiveTypeName(row.type);
    const auto append = [&](std::string& list, const std::string& entry) {
      list += (list.empty() ? "" : ", ") + entry;
    };
    cells[std::ranges::find(kWideTypes, row.type) - kWideTypes.begin()].Add(row);
    if (WrongSpecials(row.survey) > 0) append(specials, fmt::format("{} {}", name, WrongSpecials(row.survey)));
    if (row.survey.count(ErrorClass::kFlushed) > 0) append(flushed, std::string(name));
    if (row.verdict >= Verdict::kFail) append(others, fmt::format("{} {}", name, VerdictName(row.verdict)));
  }
};

std::string TableRow(const std::vector<std::string>& cells) { return fmt::format("| {} |\n", fmt::join(cells, " | ")); }

std::string HtmlRow(const std::vector<std::string>& cells, std::string_view element) {
  std::string row = "<tr>";
  for (const std::string& cell : cells) row += fmt::format("<{0}>{1}</{0}>", element, cell);
  return row + "</tr>\n";
}

std::vector<std::string> DetailCells(const AccuracyRow& row) {
  const ErrorSurvey& survey = row.survey;
  std::vector<std::string> cells = {std::string(row.op->name), std::string(PrimitiveTypeName(row.type)),
                                    std::string(VerdictName(row.verdict))};
  if (!HasSurvey(row)) return cells;
  cells.push_back(fmt::format("{}{}", survey.elements(), row.is_exhaustive ? "" : " sampled"));
  cells.push_back(fmt::format("{:.6g}", survey.most_ulps()));
  cells.push_back(fmt::format("{:.4g}", survey.mean_ulps()));
  cells.push_back(fmt::format("{:.4g}%", PercentOf(survey.not_exact(), survey.elements())));
  for (const ErrorClass special :
       {ErrorClass::kNan, ErrorClass::kInfinity, ErrorClass::kZeroSign, ErrorClass::kFlushed}) {
    cells.push_back(fmt::format("{}", survey.count(special)));
  }
  return cells;
}

constexpr std::string_view kPageHead = R"(<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>{0}</title>
<style>
body {{ font-family: sans-serif; margin: 2em; }}
table {{ border-collapse: collapse; font-size: 90%; }}
td, th {{ border-bottom: 1px solid #ccc; padding: 2px 10px; text-align: right; }}
td:nth-child(-n+3), th:nth-child(-n+3) {{ text-align: left; }}
</style>
</head>
<body>
<h1>{0}</h1>
<p>Distances in ULP from the correctly rounded result. Plots of what is not exact are below the table.</p>
)";

}  // namespace

Verdict ReportCard::worst() const {
  Verdict worst = Verdict::kExact;
  for (const AccuracyRow& row : rows) worst = std::max(worst, row.verdict);
  return worst;
}

std::string ReportCardTable(const ReportCard& card) {
  std::vector<std::string> header = {"op"};
  for (const PrimitiveType type : kWideTypes) header.emplace_back(PrimitiveTypeName(type));
  header.insert(header.end(), {"narrower", "wrong specials", "flushes", "beyond the allowance"});
  std::string table = TableRow(header) + TableRow(std::vector<std::string>(header.size(), "---"));
  std::map<std::string_view, TableLine> lines;
  for (const AccuracyRow& row : card.rows) lines[row.op->name].Add(row);
  for (const auto& [name, line] : lines) {
    std::vector<std::string> cells = {std::string(name)};
    for (const Cell& cell : line.cells) cells.push_back(cell.Text());
    cells.insert(cells.end(), {line.specials, line.flushed, line.others});
    table += TableRow(cells);
  }
  return table;
}

nlohmann::json ReportCardJson(const ReportCard& card) {
  nlohmann::json rows = nlohmann::json::array();
  for (const AccuracyRow& row : card.rows) {
    nlohmann::json entry = {{"op", row.op->name},
                            {"type", PrimitiveTypeName(row.type)},
                            {"verdict", VerdictName(row.verdict)},
                            {"reason", row.reason},
                            {"exhaustive", row.is_exhaustive}};
    if (HasSurvey(row)) entry["survey"] = row.survey.ToJson();
    rows.push_back(std::move(entry));
  }
  return {{"backend", card.backend}, {"rows", std::move(rows)}};
}

std::string ReportCardPage(const ReportCard& card) {
  std::string page = fmt::format(kPageHead, XmlText("Accuracy of " + card.backend));
  page += "<table>\n" + HtmlRow({"op", "type", "verdict", "inputs", "maximum ULP", "mean ULP", "not exact", "NaN",
                                 "infinity", "sign of zero", "flushed"},
                                "th");
  for (const AccuracyRow& row : card.rows) page += HtmlRow(DetailCells(row), "td");
  page += "</table>\n";
  for (const AccuracyRow& row : card.rows) {
    if (row.survey.not_exact() == 0) continue;
    const std::string name = fmt::format("{} {}", row.op->name, PrimitiveTypeName(row.type));
    page += fmt::format("<h2>{}</h2>\n<p>{}: {}</p>\n{}<pre>{}</pre>\n", name, VerdictName(row.verdict),
                        XmlText(row.reason), SurveyPlot(row.survey, name), XmlText(SurveyText(row.survey)));
  }
  return page + "</body>\n</html>\n";
}

}  // namespace assay
