#include "tools/bench/arguments.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "interpreter/acceptance/profile.h"

namespace assay {
namespace {

std::vector<std::string> ProfileNames() {
  const auto known = BuiltInProfileNames();
  return {known.begin(), known.end()};
}

}  // namespace

bool ReadArguments(std::string_view benchmark, BenchArguments arguments, const std::function<void(CLI::App&)>& add) {
  CLI::App app("", fmt::format("bench {}", benchmark));
  add(app);
  // CLI11 takes the arguments from the last to the first.
  std::vector<std::string> words(arguments.rbegin(), arguments.rend());
  try {
    app.parse(std::move(words));
  } catch (const CLI::ParseError& error) {
    app.exit(error);
    return false;
  }
  return true;
}

void AddProfiles(CLI::App& command, std::vector<std::string>& profiles) {
  profiles = ProfileNames();
  command.add_option("profiles", profiles, "names of profiles; without any, all")->check(CLI::IsMember(profiles));
}

void AddBuiltInProfile(CLI::App& command, std::string& profile) {
  AddChoice(command, "--profile", profile, ProfileNames(), "the judge's");
}

}  // namespace assay
