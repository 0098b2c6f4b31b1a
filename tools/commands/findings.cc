#include "fuzz/findings.h"

#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "backends/json/json_text.h"
#include "interpreter/types/join_text.h"
#include "tools/command.h"
#include "tools/command_line.h"
#include "tools/options.h"
#include "tools/report_text.h"

namespace assay {
namespace {

struct FindingsOptions {
  std::string folder = "findings", format = "text";
};

int RunFindings(const FindingsOptions& options) {
  const FindingsFolder folder = FindingsFolder::At(options.folder);
  const Result<std::vector<Finding>> findings = folder.Read();
  if (!findings) return Fail(findings.error());
  if (options.format == "json") {
    nlohmann::json list = nlohmann::json::array();
    for (const Finding& finding : *findings) list.push_back(ToJson(finding));
    fmt::print("{}\n", JsonText(list, 2));
    return FlushOutput();
  }
  for (const Finding& finding : *findings) {
    fmt::print("{}\n  {}\n  {} instructions, of {} {}{}; {}\n  {}\n", finding.signature, Shortened(finding.reason),
               finding.instructions, finding.backend, finding.version,
               finding.pass.empty() ? "" : ", by " + finding.pass, finding.Origin(),
               JoinText(folder.CommandsFor(finding), "\n  "));
  }
  fmt::print("{} findings\n", findings->size());
  return FlushOutput();
}

std::function<int()> BindFindings(CLI::App& command) {
  const auto options = std::make_shared<FindingsOptions>();
  AddText(command, "folder", options->folder, "the folder that assay fuzz or a shadow wrote (findings)");
  AddFormat(command, options->format);
  return [options] { return RunFindings(*options); };
}

}  // namespace

const Command command_findings = {
    .name = "findings",
    .help = "list what fuzzing or a shadow has found",
    .example = "assay findings findings",
    .bind = BindFindings,
};

}  // namespace assay
