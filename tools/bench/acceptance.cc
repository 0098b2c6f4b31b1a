#include "tools/bench/acceptance.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "fuzz/measure/accusations.h"
#include "fuzz/measure/misses.h"
#include "fuzz/measure/mutation_score.h"
#include "interpreter/types/join_text.h"
#include "interpreter/types/number_in_text.h"

namespace assay {
namespace {

struct Options {
  std::int64_t elements = 2'000'000;
  std::int64_t random_cases = 20;
  std::int64_t seed = 1;
  std::string corpus = "golden";
  bool is_json = false;
  std::vector<std::string_view> profiles;
  std::string error;
};

Options ReadOptions(std::span<const std::string_view> arguments) {
  Options options;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::string_view argument = arguments[i];
    const auto known = BuiltInProfileNames();
    if (argument == "--json") {
      options.is_json = true;
    } else if (argument == "--corpus" && i + 1 < arguments.size()) {
      options.corpus = arguments[++i];
    } else if (argument == "--elements" || argument == "--seed" || argument == "--random") {
      std::int64_t& number = argument == "--seed"     ? options.seed
                             : argument == "--random" ? options.random_cases
                                                      : options.elements;
      const std::string_view text = i + 1 < arguments.size() ? arguments[++i] : "";
      number = NumberInText<std::int64_t>(text).value_or(0);
      if (number < 1) options.error = fmt::format("{} needs a number above 0", argument);
    } else if (std::ranges::count(known, argument) > 0) {
      options.profiles.push_back(argument);
    } else {
      options.error =
          fmt::format("{} is neither an option nor one of the profiles {}", argument, JoinText(known, ", "));
    }
  }
  if (options.profiles.empty()) options.profiles = BuiltInProfileNames();
  return options;
}

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

// The results of all mutants under one profile.
struct MissSummary {
  int killed = 0, applicable = 0;
  std::vector<std::string> hidden, missed, missed_by_corpus, wrongly_killed;
};

using Kills = std::map<const Mutant*, std::map<std::string, MutantCount>>;

MissSummary SummaryOf(const Kills& kills, const std::string& profile) {
  MissSummary summary;
  for (const Mutant& mutant : AllMutants()) {
    const MutantCount& count = kills.at(&mutant).at(profile);
    if (mutant.is_control) {
      if (count.changed > 0) summary.wrongly_killed.emplace_back(mutant.id);
      continue;
    }
    if (!mutant.beyond_goldens.empty()) continue;
    if (!count.is_killed() && !count.is_missed(mutant)) {
      summary.hidden.push_back(fmt::format("{} ({})", mutant.id, count.hidden));
      continue;
    }
    ++summary.applicable;
    summary.killed += count.is_killed() ? 1 : 0;
    if (count.is_missed(mutant)) {
      summary.missed.emplace_back(mutant.id);
    } else if (!count.is_killed_by_corpus()) {
      summary.missed_by_corpus.emplace_back(mutant.id);
    }
  }
  return summary;
}

std::string_view OutcomeText(const Mutant& mutant, const MutantCount& count) {
  if (count.is_killed()) return "killed";
  if (mutant.is_control) return "control";
  if (!mutant.beyond_goldens.empty()) return "beyond";
  return count.is_missed(mutant) ? "MISSED" : "hidden";
}

void Print(const Kills& kills, std::span<const std::string_view> profiles) {
  fmt::print("\n{:<36} {:<22}", "mutant", "op");
  for (const std::string_view profile : profiles) fmt::print(" {:>7}", profile);
  fmt::print("\n");
  for (const Mutant& mutant : AllMutants()) {
    const auto& counts = kills.at(&mutant);
    fmt::print("{:<36} {:<22}", mutant.id, mutant.op);
    for (const std::string_view profile : profiles) {
      fmt::print(" {:>7}", OutcomeText(mutant, counts.at(std::string(profile))));
    }
    fmt::print("\n");
  }
  for (const std::string_view profile : profiles) {
    const MissSummary summary = SummaryOf(kills, std::string(profile));
    fmt::print("\n{}: {} of {} applicable mutants killed\n", profile, summary.killed, summary.applicable);
    for (const std::string& id : summary.missed) fmt::print("  missed: {}\n", id);
    for (const std::string& id : summary.missed_by_corpus) fmt::print("  random instructions alone kill: {}\n", id);
    for (const std::string& id : summary.wrongly_killed) fmt::print("  no fault, and yet a difference: {}\n", id);
    for (const std::string& id : summary.hidden) fmt::print("  rightly hidden: {}\n", id);
  }
}

nlohmann::json ToJson(const Kills& kills, const std::string& profile) {
  nlohmann::json mutants;
  for (const Mutant& mutant : AllMutants()) {
    const MutantCount& count = kills.at(&mutant).at(profile);
    mutants[std::string(mutant.id)] = {{"op", mutant.op},
                                       {"rule", mutant.rule},
                                       {"control", mutant.is_control},
                                       {"beyond_goldens", mutant.beyond_goldens},
                                       {"missed", count.is_missed(mutant)},
                                       {"hidden", count.hidden},
                                       {"killer", count.killer}};
  }
  return mutants;
}

Result<Kills> KillMutants(const Options& options) {
  ASSAY_TRY(const CaseLibrary library, CaseLibrary::Read(options.corpus));
  const std::vector<Mutant>& mutants = AllMutants();
  std::vector<std::map<std::string, MutantCount>> counts(mutants.size());
  ForEachOnAllCores(mutants.size(), [&](std::size_t i) {
    const Mutant& mutant = mutants[i];
    counts[i] =
        CountKills(mutant, library.Of(mutant.op, options.random_cases, static_cast<std::uint64_t>(options.seed)),
                   options.profiles);
  });
  Kills kills;
  for (std::size_t i = 0; i < mutants.size(); ++i) kills[&mutants[i]] = std::move(counts[i]);
  return kills;
}

}  // namespace

int BenchAcceptance(std::span<const std::string_view> arguments) {
  const Options options = ReadOptions(arguments);
  if (!options.error.empty()) {
    fmt::print(stderr, "{}\n", options.error);
    return 2;
  }
  nlohmann::json report;
  std::int64_t accusations = 0;
  if (!options.is_json) fmt::print("lawful noise judged: FAIL is a false accusation\n");
  for (const std::string_view profile : options.profiles) {
    const auto counts =
        CountAccusations(BuiltInProfile(profile), options.elements, static_cast<std::uint64_t>(options.seed));
    for (const auto& [family, count] : counts) accusations += count.accusations;
    if (!options.is_json) Print(profile, counts);
    std::fflush(stdout);  // a later part may take long
    report[std::string(profile)]["accusations"] = ToJson(counts);
  }
  const Result<Kills> kills = KillMutants(options);
  if (!kills) {
    fmt::print(stderr, "{}\n", kills.error().message);
    return 2;
  }
  bool is_missed = false;
  for (const std::string_view name : options.profiles) {
    const std::string profile(name);
    report[profile]["mutants"] = ToJson(*kills, profile);
    const MissSummary summary = SummaryOf(*kills, profile);
    is_missed |= !summary.missed.empty() || !summary.wrongly_killed.empty();
  }
  if (!options.is_json) Print(*kills, options.profiles);
  if (options.is_json) fmt::print("{}\n", report.dump(1));
  return accusations > 0 || is_missed ? 1 : 0;
}

}  // namespace assay
