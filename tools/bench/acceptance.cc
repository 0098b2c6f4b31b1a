#include <fmt/format.h>

#include <cstdio>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "fuzz/measure/accusations.h"
#include "fuzz/measure/misses.h"
#include "fuzz/measure/mutation_score.h"
#include "tools/bench/arguments.h"

namespace assay {
namespace {

// The number of mutants of each operator that run, besides all handwritten ones.
constexpr std::size_t kOfEachOperator = 2;

struct Options {
  std::int64_t elements = 2'000'000;
  std::int64_t random_cases = 20;
  std::int64_t seed = 1;
  std::string corpus = "golden";
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

// The results of all mutants under one profile.
struct MissSummary {
  int killed = 0, applicable = 0;
  std::vector<std::string> hidden, missed, missed_by_corpus, wrongly_killed;
};

// The counts of a mutant by profile.
struct Kills {
  const Mutant* mutant = nullptr;
  std::map<std::string, MutantCount> counts;
};

MissSummary SummaryOf(const std::vector<Kills>& all, const std::string& profile) {
  MissSummary summary;
  for (const auto& [mutant, counts] : all) {
    const MutantCount& count = counts.at(profile);
    if (mutant->is_control) {
      if (count.changed > 0) summary.wrongly_killed.push_back(mutant->id);
      continue;
    }
    if (!mutant->beyond_goldens.empty() || count.is_unchanged(*mutant)) continue;
    if (!count.is_killed() && !count.is_missed(*mutant)) {
      summary.hidden.push_back(fmt::format("{} ({})", mutant->id, count.hidden));
      continue;
    }
    ++summary.applicable;
    summary.killed += count.is_killed() ? 1 : 0;
    if (count.is_missed(*mutant)) {
      summary.missed.push_back(mutant->id);
    } else if (!count.is_killed_by_corpus()) {
      summary.missed_by_corpus.push_back(mutant->id);
    }
  }
  return summary;
}

std::string_view OutcomeText(const Mutant& mutant, const MutantCount& count) {
  if (count.is_killed()) return "killed";
  if (mutant.is_control) return "control";
  if (!mutant.beyond_goldens.empty()) return "beyond";
  if (count.is_unchanged(mutant)) return "equal";
  return count.is_missed(mutant) ? "MISSED" : "hidden";
}

void Print(const std::vector<Kills>& all, std::span<const std::string> profiles) {
  fmt::print("\n{:<36} {:<22} {}\n", "mutant", "op", fmt::join(profiles, " "));
  for (const auto& [mutant, counts] : all) {
    fmt::print("{:<36} {:<22}", mutant->id, mutant->op);
    for (const std::string& profile : profiles) fmt::print(" {:>7}", OutcomeText(*mutant, counts.at(profile)));
    fmt::print("\n");
  }
  for (const std::string& profile : profiles) {
    const MissSummary summary = SummaryOf(all, profile);
    fmt::print("\n{}: {} of {} applicable mutants killed\n", profile, summary.killed, summary.applicable);
    const auto list = [](std::string_view what, const std::vector<std::string>& ids) {
      for (const std::string& id : ids) fmt::print("  {}: {}\n", what, id);
    };
    list("missed", summary.missed);
    list("random instructions alone kill", summary.missed_by_corpus);
    list("no fault, and yet a difference", summary.wrongly_killed);
    list("rightly hidden", summary.hidden);
  }
}

nlohmann::json ToJson(const std::vector<Kills>& all, const std::string& profile) {
  nlohmann::json mutants;
  for (const auto& [mutant, counts] : all) {
    const MutantCount& count = counts.at(profile);
    mutants[mutant->id] = {{"op", mutant->op},
                           {"rule", mutant->rule},
                           {"control", mutant->is_control},
                           {"beyond_goldens", mutant->beyond_goldens},
                           {"missed", count.is_missed(*mutant)},
                           {"hidden", count.hidden},
                           {"killer", count.killer}};
  }
  return mutants;
}

Result<std::vector<Kills>> KillMutants(const Options& options) {
  ASSAY_TRY(const CaseLibrary library, CaseLibrary::Read(options.corpus));
  const std::vector<const Mutant*> mutants = SampleOfMutants(kOfEachOperator);
  const std::vector<std::string_view> profiles(options.profiles.begin(), options.profiles.end());
  std::vector<Kills> kills(mutants.size());
  ForEachOnAllCores(mutants.size(), [&](std::size_t i) {
    const auto cases = library.Of(mutants[i]->op, options.random_cases, static_cast<std::uint64_t>(options.seed));
    kills[i] = {mutants[i], CountKills(*mutants[i], cases, profiles)};
  });
  return kills;
}

}  // namespace

int BenchAcceptance(BenchArguments arguments) {
  Options options;
  const bool is_read = ReadArguments("acceptance", arguments, [&](CLI::App& bench) {
    AddNumber(bench, "--elements", options.elements, "of lawful noise for each profile", 1);
    AddNumber(bench, "--random", options.random_cases, "random instructions for each mutant", 1);
    AddNumber(bench, "--seed", options.seed, "of both", 1);
    AddText(bench, "--corpus", options.corpus, "the folder of the goldens");
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
    report[profile]["accusations"] = ToJson(counts);
  }
  const Result<std::vector<Kills>> kills = KillMutants(options);
  if (!kills) {
    fmt::print(stderr, "{}\n", kills.error().message);
    return 2;
  }
  bool is_missed = false;
  for (const std::string& profile : options.profiles) {
    report[profile]["mutants"] = ToJson(*kills, profile);
    const MissSummary summary = SummaryOf(*kills, profile);
    is_missed |= !summary.missed.empty() || !summary.wrongly_killed.empty();
  }
  if (!options.is_json) Print(*kills, options.profiles);
  if (options.is_json) fmt::print("{}\n", report.dump(1));
  return accusations > 0 || is_missed ? 1 : 0;
}

}  // namespace assay
