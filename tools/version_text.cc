#include "tools/version_text.h"

#include <fmt/format.h>

#include "backends/process/replies.h"
#include "conformance/cases/case_files.h"
#include "interpreter/stablehlo/vhlo_operations.h"
#include "interpreter/types/version.h"
#include "tools/command_line.h"
#include "tools/report_text.h"

namespace assay {
namespace {

std::string CorpusText() {
  const std::string folder = CorpusOfProgram();
  const Result<CaseFiles> found = FindCaseFiles(folder, {}, {}, {}, /*wants_digest=*/true);
  if (!found) return "none: " + ForTerminal(found.error().message);
  return fmt::format("{} files in {}, digest {}", found->files.size(), ForTerminal(folder), found->digest);
}

}  // namespace

std::string VersionText() {
  return fmt::format(
      "assay {}\n"
      "commit: {}\n"
      "corpus: {}\n"
      "reads:  HLO text and protos, StableHLO text and artifacts up to {}\n"
      "speaks: the process protocol, versions 1 to {}",
      kVersion, *kCommit == '\0' ? "not known" : kCommit, CorpusText(), stablehlo::kNewestStableHlo, kNewestVersion);
}

}  // namespace assay
