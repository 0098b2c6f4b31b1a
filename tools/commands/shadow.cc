#include <fmt/format.h>

#include <filesystem>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>

#include "backends/files.h"
#include "backends/json/json_text.h"
#include "backends/pjrt/device/shadow/tally.h"
#include "conformance/reports/report_files.h"
#include "conformance/running/check_run.h"
#include "tools/command.h"
#include "tools/command_line.h"
#include "tools/options.h"
#include "tools/report_text.h"

namespace assay {
namespace {

using nlohmann::json;

struct ShadowOptions {
  std::string folder = "assay-shadow", report, format = "text";
};

Result<std::vector<json>> ReadJournal(const std::string& folder) {
  const std::string path = fmt::format("{}/{}", folder, pjrt::kJournal);
  ASSAY_TRY(const std::string text, ReadFile(path));
  std::vector<json> lines;
  int number = 0;
  // The last line may be incomplete, because the program was killed or is writing it.
  for (std::size_t start = 0, stop; (stop = text.find('\n', start)) != std::string::npos; start = stop + 1) {
    ++number;
    Result<json> line = ParseJson(std::string_view(text).substr(start, stop - start));
    if (!line) return Error{ErrorCode::kInput, fmt::format("{}:{}: {}", path, number, line.error().message)};
    lines.push_back(*std::move(line));
  }
  return lines;
}

// Returns a report with the judged executions as its models.
json DocumentOf(const std::vector<json>& lines) {
  CheckRun run = {.backend = {},
                  .backend_option = "",
                  .corpus = "",
                  .profile = "",
                  .filter = "",
                  .tags = {},
                  .shard = {},
                  .digest = ""};
  CheckReport report{Expectations()};
  for (const json& line : lines) {
    if (line.contains("run")) {
      line["run"].at("plugin").get_to(run.backend.name);
      line["run"].at("version").get_to(run.backend.version);
      line["run"].at("profile").get_to(run.profile);
    }
    if (!line.contains("report")) continue;
    json entry = line["report"];
    entry["name"] = fmt::format("{}, execution {}", line.at("program").get<std::string>(),
                                line.at("execution").get<std::int64_t>());
    entry["elided_constants_filled"] = 0;
    report.Add(Outcome::FromJson(entry, /*is_model=*/true));
  }
  return ReportDocument(run.ToJson(), report, {});
}

Result<int> Show(const ShadowOptions& options) {
  ASSAY_TRY(const std::vector<json> lines, ReadJournal(options.folder));
  pjrt::ShadowTally tally;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (const Status taken = tally.Take(lines[i]); !taken) {
      return Error{taken.error().code,
                   fmt::format("{}/{}:{}: {}", options.folder, pjrt::kJournal, i + 1, taken.error().message)};
    }
  }
  std::string of_report;
  if (!options.report.empty() || options.format == "json") {
    const json document = DocumentOf(lines);
    if (!options.report.empty()) {
      ASSAY_CHECK_OK(PrepareFolder(options.report));
      ASSAY_TRY(of_report, WriteReportFiles(options.report, document));
    }
    if (options.format == "json") of_report = JsonText(document, 2) + "\n";
  }
  fmt::print("{}{}", options.format == "json" ? "" : ForTerminal(tally.Text()),
             options.format == "json" ? of_report : ForTerminal(of_report));
  return tally.has_failures() ? 1 : 0;
}

Result<int> RunShadow(const ShadowOptions& options) {
  try {
    return Show(options);
  } catch (const json::exception& error) {
    return Error{ErrorCode::kInput, fmt::format("{}: not the journal of a shadow: {}", options.folder, error.what())};
  }
}

void AddShadowOptions(CLI::App& command, ShadowOptions& options) {
  AddText(command, "folder", options.folder, "the folder that the shadow wrote (assay-shadow)");
  AddText(command, "--report", options.report, "folder for a report of all judged executions");
  AddFormat(command, options.format);
}

}  // namespace

const Command command_shadow = {
    .name = "shadow",
    .help = "show the verdicts on programs that ran on a shadowed PJRT plugin",
    .example = "assay shadow assay-shadow --report report",
    .bind = BindCommand<ShadowOptions, AddShadowOptions, RunShadow>,
};

}  // namespace assay
