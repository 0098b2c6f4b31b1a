#include "tools/report_text.h"

#include <fmt/format.h>

#include "backends/json/printable.h"
#include "interpreter/types/join_text.h"

namespace assay {

std::string DescribeWorst(const ElementReport& worst) {
  std::string text = worst.name;
  if (!worst.inputs.empty()) text += fmt::format(" of {}", JoinText(worst.inputs, " and "));
  text += fmt::format(": got {}, want {}", worst.got, worst.want);
  if (!worst.exact.empty()) text += fmt::format(", exact value {}", worst.exact);
  if (worst.ulps) text += fmt::format(", {} ULP", *worst.ulps);
  if (worst.share > 0) text += fmt::format(", {:.3g} of the allowance", worst.share);
  return text;
}

std::string DescribeMetrics(const ArrayMetrics& metrics) {
  std::string place;
  for (const std::int64_t i : metrics.tuple_index) place += fmt::format("({})", i);
  const auto answer = [](bool is_close) { return is_close ? "yes" : "no"; };
  return fmt::format(
      "{}{}: PCC {:.9g}, cosine {:.9g}, relative L2 {:.3g}, largest error {:g} ULP, {:.3g} absolute, {:.3g} relative; "
      "allclose: numpy {}, torch {}",
      place.empty() ? "" : " of ", place, metrics.pcc, metrics.cosine, metrics.relative_l2, metrics.max_ulps,
      metrics.max_absolute, metrics.max_relative, answer(metrics.is_close_by_numpy), answer(metrics.is_close_by_torch));
}

std::string ForTerminal(std::string_view text) { return Printable(text, Lines::kMany, std::string::npos); }

std::string Shortened(const std::string& line) {
  constexpr std::size_t kLongest = 160;
  return ForTerminal(line.size() <= kLongest ? line : line.substr(0, kLongest - 3) + "...");
}

}  // namespace assay
