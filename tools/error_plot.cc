#include "tools/error_plot.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "interpreter/numerics/round.h"
#include "interpreter/types/float_format.h"
#include "interpreter/types/join_text.h"

namespace assay {
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
