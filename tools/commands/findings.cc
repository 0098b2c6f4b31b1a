#include "fuzz/findings.h"

#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>

#include "backends/json/json_text.h"
#include "backends/pjrt/device/shadow/tally.h"
#include "interpreter/types/join_text.h"
#include "tools/command.h"
#include "tools/command_line.h"
#include "tools/options.h"
#include "tools/report_text.h"

namespace assay {
namespace {

struct FindingsOptions {
  std::vector<std::string> folders;
  std::string format = "text", merged;
};

// Returns a folder for reading. Fails with kUsage if it has no findings, and neither fuzz nor a shadow wrote to it.
Result<FindingsFolder> FolderWithFindings(const std::string& path) {
  FindingsFolder folder = FindingsFolder::At(path);
  ASSAY_TRY(const std::vector<Finding> findings, folder.Read());
  std::error_code error;
  const bool is_of_shadow = std::filesystem::exists(fmt::format("{}/{}", path, pjrt::kJournal), error);
  if (!findings.empty() || folder.HasRuns() || is_of_shadow) return folder;
  return Error{ErrorCode::kUsage,
               fmt::format("{}: expected the folder that assay fuzz or a shadow wrote, found no file of theirs", path)};
}

// Copies the findings and runs of several folders into the folder of --merge. Returns that folder.
Result<FindingsFolder> Merged(const FindingsOptions& options) {
  ASSAY_TRY(FindingsFolder merged, FindingsFolder::Open(options.merged));
  for (const std::string& folder : options.folders) {
    ASSAY_TRY(const FindingsFolder other, FolderWithFindings(folder));
    ASSAY_TRY(const std::int64_t copied, merged.Absorb(other));
    fmt::print(stderr, "note: {}: {} findings are new\n", ForTerminal(folder), copied);
  }
  ASSAY_CHECK_OK(WriteFindingsPage(merged));
  return merged;
}

Result<FindingsFolder> FolderOf(const FindingsOptions& options) {
  if (!options.merged.empty()) return Merged(options);
  if (options.folders.size() < 2) return FolderWithFindings(options.folders.empty() ? "findings" : options.folders[0]);
  return Error{ErrorCode::kUsage, fmt::format("several folders need --merge FOLDER: expected one folder, found {}",
                                              options.folders.size())};
}

Result<int> RunFindings(const FindingsOptions& options) {
  ASSAY_TRY(const FindingsFolder folder, FolderOf(options));
  ASSAY_TRY(const std::vector<Finding> findings, folder.Read());
  if (options.format == "json") {
    nlohmann::json list = nlohmann::json::array();
    for (const Finding& finding : findings) list.push_back(ToJson(finding));
    fmt::print("{}\n", JsonText(list, 2));
    return 0;
  }
  for (const Finding& finding : findings) {
    fmt::print("{}\n  {}\n  {} instructions, of {} {}{}; {}\n  {}\n", finding.signature, Shortened(finding.reason),
               finding.instructions, finding.backend, finding.version,
               finding.pass.empty() ? "" : ", by " + finding.pass, finding.Origin(),
               JoinText(folder.CommandsFor(finding), "\n  "));
  }
  fmt::print("{} findings\n", findings.size());
  return 0;
}

void AddFindingsOptions(CLI::App& command, FindingsOptions& options) {
  AddTexts(command, "folder", options.folders,
           "the folder that assay fuzz or a shadow wrote (findings), or several to merge");
  AddText(command, "--merge", options.merged,
          "copy the findings and runs of all folders into this one, each finding once");
  AddFormat(command, options.format);
}

}  // namespace

const Command command_findings = {
    .name = "findings",
    .help = "list what fuzzing or a shadow has found",
    .example = "assay findings findings",
    .bind = BindCommand<FindingsOptions, AddFindingsOptions, RunFindings>,
};

}  // namespace assay
