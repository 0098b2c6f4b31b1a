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

std::string ForTerminal(std::string_view text) { return Printable(text, Lines::kMany, std::string::npos); }

std::string Shortened(const std::string& line) {
  constexpr std::size_t kLongest = 160;
  return ForTerminal(line.size() <= kLongest ? line : line.substr(0, kLongest - 3) + "...");
}

}  // namespace assay
