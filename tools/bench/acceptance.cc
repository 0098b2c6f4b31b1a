#include <fmt/format.h>

#include <cstdio>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "fuzz/measure/accusations.h"
#include "tools/bench/arguments.h"

namespace assay {
namespace {

struct Options {
  std::int64_t elements = 2'000'000;
  std::int64_t seed = 1;
  bool is_json = false;
  std::vector<std::string> profiles;
};

nlohmann::json ToJson(const std::map<std::string, AccusationCount>& counts) {
  nlohmann::json families;
  for (const auto& [family, count] : counts) {
    families[family] = {{"instructions", count.instructions}, {"elements", count.elements},
                        {"inexact", count.inexact},           {"weak", count.weak},
                        {"accusations", count.accusations},   {"largest_share", count.largest_share}};
    if (count.accusations > 0) families[family]["first_accusation"] = count.first_accusation;
  }
  return families;
}

void Print(std::string_view profile, const std::map<std::string, AccusationCount>& counts) {
  fmt::print("\n{:<22} {:>11} {:>11} {:>8} {:>6} {:>12} {:>14}\n", profile, "elements", "inexact", "pieces", "WEAK",
             "accusations", "largest share");
  for (const auto& [family, count] : counts) {
    fmt::print("{:<22} {:>11} {:>11} {:>8} {:>6} {:>12} {:>14.3f}\n", family, count.elements, count.inexact,
               count.instructions, count.weak, count.accusations, count.largest_share);
  }
  for (const auto& [family, count] : counts) {
    if (count.accusations > 0) fmt::print("  {}: {}\n", family, count.first_accusation);
  }
}

}  // namespace

int BenchAcceptance(BenchArguments arguments) {
  Options options;
  const bool is_read = ReadArguments("acceptance", arguments, [&](CLI::App& bench) {
    AddNumber(bench, "--elements", options.elements, "of lawful noise for each profile", 1);
    AddNumber(bench, "--seed", options.seed, "of the noise", 1);
    AddFlag(bench, "--json", options.is_json, "print JSON");
    AddProfiles(bench, options.profiles);
  });
  if (!is_read) return 2;
  nlohmann::json report;
  std::int64_t accusations = 0;
  if (!options.is_json) fmt::print("lawful noise judged: FAIL is a false accusation\n");
  for (const std::string& profile : options.profiles) {
    const auto counts =
        CountAccusations(BuiltInProfile(profile), options.elements, static_cast<std::uint64_t>(options.seed));
    for (const auto& [family, count] : counts) accusations += count.accusations;
    if (!options.is_json) Print(profile, counts);
    std::fflush(stdout);  // a later part may take long
    report[profile] = ToJson(counts);
  }
  if (options.is_json) fmt::print("{}\n", report.dump(1));
  return accusations > 0 ? 1 : 0;
}

}  // namespace assay
