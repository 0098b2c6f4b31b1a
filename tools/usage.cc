#include "tools/usage.h"

#include <fmt/format.h>

#include <span>
#include <string_view>
#include <vector>

#include "interpreter/hlo/suggest.h"

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

}  // namespace assay
