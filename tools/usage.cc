#include "tools/usage.h"

#include <fmt/format.h>

#include <span>
#include <string_view>
#include <vector>

#include "backends/process/replies.h"
#include "conformance/cases/case_files.h"
#include "interpreter/hlo/suggest.h"
#include "interpreter/stablehlo/vhlo_operations.h"
#include "interpreter/types/version.h"
#include "tools/command_line.h"
#include "tools/commit.h"
#include "tools/report_text.h"

namespace assay {
namespace {

std::string UnknownCommand(const CLI::App& app, std::string_view word) {
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) {
    names.push_back(command->get_name());
  }
  const std::vector<std::string_view> candidates(names.begin(), names.end());
  return fmt::format("error: unknown command {}{}\nassay --help lists the commands", word, Suggest(word, candidates));
}

// Returns the first unknown option; empty if there is none.
std::string UnknownOption(const CLI::App& command, std::span<const char* const> words) {
  std::vector<std::string> names;
  for (const CLI::Option* option : command.get_options()) {
    if (!option->get_lnames().empty()) names.push_back("--" + option->get_lnames()[0]);
  }
  const std::vector<std::string_view> candidates(names.begin(), names.end());
  for (const std::string_view text : words.subspan(1)) {
    const std::string word(text.substr(0, text.find('=')));
    if (!word.starts_with("--") || word == "--" || command.get_option_no_throw(word) != nullptr) continue;
    return fmt::format("error: {} has no option {}{}\nassay {} --help lists them", command.get_name(), word,
                       Suggest(word, candidates), command.get_name());
  }
  return "";
}

}  // namespace

std::string Complaint(const CLI::App& app, const CLI::Error& error, std::span<const char* const> words) {
  const std::vector<CLI::App*> commands = app.get_subcommands();
  if (commands.empty() && words.size() > 1 && words[1][0] != '-') return UnknownCommand(app, words[1]);
  if (!commands.empty() && dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr) {
    if (const std::string unknown = UnknownOption(*commands[0], words); !unknown.empty()) return unknown;
  }
  const std::string command = commands.empty() ? "" : " " + commands[0]->get_name();
  return fmt::format("error: {}\nassay{} --help says more", error.what(), command);
}

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
