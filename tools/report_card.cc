#include "tools/report_card.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>

#include "interpreter/numerics/round.h"
#include "interpreter/types/float_format.h"
#include "interpreter/types/join_text.h"

namespace assay {
namespace {

// The columns of the table. Narrower types share one.
constexpr std::array<PrimitiveType, 4> kWideTypes = {F32, F64, F16, BF16};
constexpr std::array<PrimitiveType, 2> kComplexTypes = {C64, C128};

bool HasSurvey(const AccuracyRow& row) { return row.survey.elements() > 0; }

std::int64_t WrongSpecials(const ErrorSurvey& survey) {
  return survey.count(ErrorClass::kNan) + survey.count(ErrorClass::kInfinity) + survey.count(ErrorClass::kZeroSign);
}

double PercentOf(std::int64_t part, std::int64_t whole) {
  return whole == 0 ? 0 : 100.0 * static_cast<double>(part) / static_cast<double>(whole);
}

// The combined results of several rows.
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

// The remarks of a line about all its types, after a cell for each.
struct Remarks {
  std::string specials, flushed, outside;

  void Add(const AccuracyRow& row) {
    const auto name = PrimitiveTypeName(row.type);
    const auto append = [&](std::string& list, const std::string& entry) {
      list += (list.empty() ? "" : ", ") + entry;
    };
    if (WrongSpecials(row.survey) > 0) append(specials, fmt::format("{} {}", name, WrongSpecials(row.survey)));
    if (row.survey.count(ErrorClass::kFlushed) > 0) append(flushed, std::string(name));
    if (row.survey.outside() > 0) {
      append(outside, fmt::format("{} {}", name, row.survey.outside()));
    } else if (IsFailure(row.verdict)) {
      append(outside, fmt::format("{} {}", name, VerdictName(row.verdict)));
    }
  }
};

struct RealLine {
  std::array<Cell, kWideTypes.size() + 1> cells;
  Remarks remarks;

  void Add(const AccuracyRow& row) {
    cells[std::ranges::find(kWideTypes, row.type) - kWideTypes.begin()].Add(row);
    remarks.Add(row);
  }
};

struct ComplexLine {
  std::array<std::vector<std::string>, kComplexTypes.size()> cells = {{{"-", "-"}, {"-", "-"}}};
  Remarks remarks;

  void Add(const AccuracyRow& row) {
    Cell parts;
    parts.Add(row);
    const bool has_norm = HasSurvey(row) && IsComplexType(row.survey.type());
    cells[std::ranges::find(kComplexTypes, row.type) - kComplexTypes.begin()] = {
        parts.Text(), has_norm ? fmt::format("{:.3g}", row.survey.norm().ulps) : "-"};
    remarks.Add(row);
  }
};

std::string TableRow(const std::vector<std::string>& cells) { return fmt::format("| {} |\n", JoinText(cells, " | ")); }

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
  cells.push_back(IsComplexType(survey.type()) ? fmt::format("{:.3g}", survey.norm().ulps) : "");
  cells.push_back(fmt::format("{:.4g}", survey.mean_ulps()));
  cells.push_back(fmt::format("{:.4g}%", PercentOf(survey.not_exact(), survey.elements())));
  for (const ErrorClass special :
       {ErrorClass::kNan, ErrorClass::kInfinity, ErrorClass::kZeroSign, ErrorClass::kFlushed}) {
    cells.push_back(fmt::format("{}", survey.count(special)));
  }
  cells.push_back(fmt::format("{}", survey.outside()));
  cells.push_back(survey.share() > 0 ? fmt::format("{:.3g}", survey.share()) : "");
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
<p>Distances in ULP from the correctly rounded result, of complex numbers of their parts and of their norm. Verdicts,
and how many results are outside, by the profile {1}. Plots of what is not exact are below the table.</p>
)";

}  // namespace

Verdict ReportCard::worst() const {
  Verdict worst = Verdict::kExact;
  for (const AccuracyRow& row : rows) worst = std::max(worst, row.verdict);
  return worst;
}

std::string ReportCardTable(const ReportCard& card) {
  std::map<std::string_view, RealLine> real;
  std::map<std::string_view, ComplexLine> complex;
  for (const AccuracyRow& row : card.rows) {
    IsComplexType(row.type) ? complex[row.op->name].Add(row) : real[row.op->name].Add(row);
  }
  std::string tables;
  const auto start = [&](std::vector<std::string> header) {
    header.insert(header.end(), {"wrong specials", "flushes", "outside"});
    tables += TableRow(header) + TableRow(std::vector<std::string>(header.size(), "---"));
  };
  const auto add = [&](std::vector<std::string> cells, const Remarks& remarks) {
    cells.insert(cells.end(), {remarks.specials, remarks.flushed, remarks.outside});
    tables += TableRow(cells);
  };
  if (!real.empty()) start({"op", "f32", "f64", "f16", "bf16", "narrower"});
  for (const auto& [name, line] : real) {
    std::vector<std::string> cells = {std::string(name)};
    for (const Cell& cell : line.cells) cells.push_back(cell.Text());
    add(std::move(cells), line.remarks);
  }
  if (!real.empty() && !complex.empty()) tables += '\n';
  if (!complex.empty()) start({"op", "c64 parts", "c64 norm", "c128 parts", "c128 norm"});
  for (const auto& [name, line] : complex) {
    std::vector<std::string> cells = {std::string(name)};
    for (const auto& of_type : line.cells) cells.insert(cells.end(), of_type.begin(), of_type.end());
    add(std::move(cells), line.remarks);
  }
  return tables;
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
  return {{"backend", card.backend}, {"profile", card.profile}, {"rows", std::move(rows)}};
}

std::string ReportCardPage(const ReportCard& card) {
  std::string page = fmt::format(kPageHead, XmlText("Accuracy of " + card.backend), XmlText(card.profile));
  page += "<table>\n" + HtmlRow({"op", "type", "verdict", "inputs", "maximum ULP", "norm ULP", "mean ULP", "not exact",
                                 "NaN", "infinity", "sign of zero", "flushed", "outside", "share of the allowance"},
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

namespace {

constexpr double kLeft = 60, kTop = 40, kWidth = 768, kHeight = 200;
constexpr double kBottom = kTop + kHeight;

std::string LineElement(double x1, double y1, double x2, double y2, std::string_view stroke) {
  return fmt::format("<line x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\" stroke=\"{}\"/>\n", x1, y1, x2, y2,
                     stroke);
}

std::string Label(double x, double y, std::string_view anchor, std::string_view text) {
  return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\">{}</text>\n", x, y, anchor, XmlText(text));
}

// Returns the axis of operand 0: the patterns in the order of their numbers, with labels for some of them.
std::string InputAxis(const FloatFormat& format) {
  const double patterns = std::ldexp(1.0, format.bits());
  const double half = static_cast<double>(format.sign_mask());
  const std::uint64_t one = static_cast<std::uint64_t>(format.bias) << format.mantissa_bits;
  std::string svg;
  const auto mark = [&](double position, std::string_view name) {
    const double x = kLeft + kWidth * position / patterns;
    svg += LineElement(x, kBottom, x, kBottom + 5, "#444") + Label(x, kBottom + 30, "middle", name);
  };
  const auto mark_magnitude = [&](std::uint64_t magnitude, std::string_view name) {
    mark(half + static_cast<double>(magnitude), name);
    if (format.has_sign && magnitude != 0) mark(half - static_cast<double>(magnitude), fmt::format("-{}", name));
  };
  if (format.has_zero) mark_magnitude(0, "0");
  mark_magnitude(one, "1");
  mark_magnitude(format.max_finite_bits(), fmt::format("{:.3g}", ToDouble(format, format.max_finite_bits())));
  return svg + Label(kLeft + kWidth / 2, kBottom + 52, "middle",
                     "operand 0 (its real part), in the order of the format's numbers");
}

}  // namespace

std::string XmlText(std::string_view text) {
  std::string escaped;
  for (const char c : text) {
    switch (c) {
      case '&':
        escaped += "&amp;";
        break;
      case '<':
        escaped += "&lt;";
        break;
      case '>':
        escaped += "&gt;";
        break;
      case '"':
        escaped += "&quot;";
        break;
      default:
        escaped += c;
    }
  }
  return escaped;
}

std::string SurveyPlot(const ErrorSurvey& survey, std::string_view title) {
  const auto scale = [](double ulps) { return std::log2(1 + ulps); };
  const double top = std::max(1.0, std::ceil(scale(survey.most_ulps())));
  const auto y_of = [&](double ulps) { return kBottom - kHeight * scale(ulps) / top; };
  std::string svg = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" width=\"{0}\" height=\"{1}\" "
      "font-family=\"sans-serif\" font-size=\"12\">\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n",
      kLeft + kWidth + 40, kBottom + 64);
  svg += Label(kLeft, 20, "start", title);
  // The levels 0, 1, 3, 7, ... are the whole numbers of the logarithmic scale.
  const double step = std::max(1.0, std::ceil(top / 8));
  for (double level = 0; level <= top; level += step) {
    const double ulps = std::exp2(level) - 1;
    svg += LineElement(kLeft, y_of(ulps), kLeft + kWidth, y_of(ulps), "#ddd");
    svg += Label(kLeft - 6, y_of(ulps) + 4, "end", fmt::format("{:.6g}", ulps));
  }
  svg += Label(kLeft - 6, kTop - 8, "end", "ULP");
  const double width = kWidth / static_cast<double>(survey.columns().size());
  for (std::size_t i = 0; i < survey.columns().size(); ++i) {
    const ErrorSurvey::Column& column = survey.columns()[i];
    const double x = kLeft + width * static_cast<double>(i);
    const auto bar = [&](double y, double height, std::string_view fill) {
      svg += fmt::format("<rect x=\"{:.2f}\" y=\"{:.2f}\" width=\"{:.2f}\" height=\"{:.2f}\" fill=\"{}\"/>\n", x, y,
                         width, height, fill);
    };
    if (column.most_ulps > 0) bar(y_of(column.most_ulps), kBottom - y_of(column.most_ulps), "#3366aa");
    if (column.wrong_specials > 0) bar(kBottom + 6, 8, "#cc2222");
  }
  svg += InputAxis(FloatFormatOf(ComplexComponentType(survey.type())));
  return svg + "</svg>\n";
}

std::string SurveyText(const ErrorSurvey& survey) {
  const auto share = [&](std::int64_t count) {
    return survey.elements() == 0 ? 0 : 100.0 * static_cast<double>(count) / static_cast<double>(survey.elements());
  };
  const auto example_text = [](const ErrorExample& example) {
    return fmt::format("at {}: got {}, want {}", JoinText(example.operands, ", "), example.got, example.want);
  };
  std::string text;
  text += fmt::format("  {:<20}{}\n", IsComplexType(survey.type()) ? "parts of results" : "inputs", survey.elements());
  text += fmt::format("  {:<20}{} ({:.4g} %)\n", "not exact", survey.not_exact(), share(survey.not_exact()));
  text += fmt::format("  {:<20}{}\n", "mean ULP", survey.mean_ulps());
  text += fmt::format("  {:<20}{}", "maximum ULP", survey.most_ulps());
  if (survey.most_ulps() > 0) text += " " + example_text(survey.example(ErrorClass::kDistance));
  text += '\n';
  if (IsComplexType(survey.type())) {
    text += fmt::format("  {:<20}{:.6g}", "maximum norm ULP", survey.norm().ulps);
    if (survey.norm().input >= 0) text += " " + example_text(survey.norm());
    text += '\n';
  }
  for (const auto& [error_class, name] :
       {std::pair{ErrorClass::kNan, "NaN or number"}, std::pair{ErrorClass::kInfinity, "infinity or number"},
        std::pair{ErrorClass::kZeroSign, "sign of zero"}, std::pair{ErrorClass::kFlushed, "subnormals as zeros"}}) {
    text += fmt::format("  {:<20}{}", name, survey.count(error_class));
    if (survey.count(error_class) > 0) text += " first " + example_text(survey.example(error_class));
    text += '\n';
  }
  if (survey.verdict() > Verdict::kExact) {
    text += fmt::format("  {:<20}{}", "outside", survey.outside());
    if (survey.share() > 0) text += fmt::format(", the worst uses {:.4g} of its allowance", survey.share());
    text += ": " + example_text(survey.worst()) + '\n';
  }
  text += "  ULP                 results\n";
  for (int i = 0; i < ErrorSurvey::kBuckets; ++i) {
    const std::int64_t count = survey.histogram()[i];
    if (count > 0) text += fmt::format("  {:<20}{} ({:.4g} %)\n", ErrorSurvey::BucketName(i), count, share(count));
  }
  return text;
}

}  // namespace assay
