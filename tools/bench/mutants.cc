#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "backends/files.h"
#include "backends/mutant/operators/operators.h"
#include "fuzz/measure/mutation_score.h"
#include "fuzz/measure/surviving_mutants.h"
#include "interpreter/types/join_text.h"
#include "tools/bench/arguments.h"

namespace assay {
namespace {

struct Options {
  std::string made_by, op;  // of the mutants; empty: any
  std::string profile = "exact", corpus = "golden", table, markdown, folder;
  std::int64_t draws = 40, seed = 1;
};

using Counts = std::array<int, static_cast<int>(MutantStatus::kSurvivor) + 1>;  // by MutantStatus

std::string TableOf(const std::vector<MutantScore>& scores) {
  std::map<std::string_view, Counts> by_operator;
  Counts all = {};
  for (const MutantScore& score : scores) {
    ++by_operator[score.mutant->made_by][static_cast<int>(score.status)];
    ++all[static_cast<int>(score.status)];
  }
  std::string text = "| operator | mutants | applicable | killed | open | equivalent | beyond | weak | survivors |\n";
  text += "|---|---|---|---|---|---|---|---|---|\n";
  const auto add = [&](std::string_view name, const Counts& counts) {
    const auto of = [&](MutantStatus fate) { return counts[static_cast<int>(fate)]; };
    int mutants = 0;
    for (const int count : counts) mutants += count;
    text += fmt::format("| {} | {} | {} | {} | {} | {} | {} | {} | {} |\n", name, mutants,
                        mutants - of(MutantStatus::kNotApplicable), of(MutantStatus::kKilled), of(MutantStatus::kOpen),
                        of(MutantStatus::kEquivalent), of(MutantStatus::kBeyond), of(MutantStatus::kWeak),
                        of(MutantStatus::kSurvivor));
  };
  for (const auto& [name, counts] : by_operator) add(name, counts);
  add("all", all);
  return text;
}

std::string KillTable(const std::vector<MutantScore>& scores) {
  std::string text;
  for (const MutantScore& score : scores) {
    text += fmt::format("{}\t{}\t{}\n", score.mutant->id, StatusName(score.status),
                        score.killers.empty() ? score.why : JoinText(score.killers, " "));
  }
  return text;
}

// Writes goldens of random instructions, without expected values, for the mutants that no case kills.
Status Fill(const std::vector<MutantScore>& scores, const Options& options) {
  std::map<std::string_view, std::vector<const Mutant*>> by_op;
  for (const MutantScore& score : scores) {
    if (score.status == MutantStatus::kSurvivor) by_op[score.mutant->op].push_back(score.mutant);
  }
  const std::string name = fmt::format("faults_drawn_{}", options.seed);
  const std::vector<std::pair<std::string_view, std::vector<const Mutant*>>> ops(by_op.begin(), by_op.end());
  std::vector<SurvivingMutants> holes(ops.size());
  ForEachOnAllCores(ops.size(), [&](std::size_t i) {
    holes[i] = FindSurvivingMutants(ops[i].first, ops[i].second, options.draws,
                                    static_cast<std::uint64_t>(options.seed), BuiltInProfile(options.profile));
  });
  for (std::size_t i = 0; i < ops.size(); ++i) {
    for (const Hole& hole : holes[i].holes)
      fmt::print("hole: {}: case {}{}\n", hole.mutant->id, hole.probe + 1,
                 hole.mutant->equivalent.empty() ? "" : " no equivalence");
    for (const auto& [path, text] : GoldensOf(ops[i].first, holes[i], name)) {
      std::error_code error;
      std::filesystem::create_directories(fmt::format("{}/{}", options.folder, ops[i].first), error);
      ASSAY_CHECK_OK(WriteFileAtomically(fmt::format("{}/{}", options.folder, path), text));
    }
  }
  return {};
}

bool ReadOptions(BenchArguments arguments, Options& options) {
  return ReadArguments("mutants", arguments, [&](CLI::App& bench) {
    AddText(bench, "--operator", options.made_by, "the only one");
    AddText(bench, "--op", options.op, "the only one that is broken");
    AddBuiltInProfile(bench, options.profile);
    AddText(bench, "--corpus", options.corpus, "the folder of the goldens");
    AddText(bench, "--table", options.table, "a file for every case that kills each mutant, one mutant a line");
    AddText(bench, "--markdown", options.markdown, "a file for the table");
    AddText(bench, "--fill", options.folder, "a folder for goldens of random instructions that kill the survivors");
    AddNumber(bench, "--draws", options.draws, "random instructions of each element type of an op", 1);
    AddNumber(bench, "--seed", options.seed, "of these", 1);
  });
}

}  // namespace

int BenchMutants(BenchArguments arguments) {
  Options options;
  if (!ReadOptions(arguments, options)) return 2;
  const auto fail = [](std::string_view message) {
    fmt::print(stderr, "{}\n", message);
    return 2;
  };
  const Result<CaseLibrary> library = CaseLibrary::Read(options.corpus);
  if (!library) return fail(library.error().message);
  std::vector<const Mutant*> mutants;
  for (const Mutant& mutant : OperatorMutants()) {
    const bool is_wanted = (options.made_by.empty() || mutant.made_by == options.made_by) &&
                           (options.op.empty() || mutant.op == options.op);
    if (is_wanted) mutants.push_back(&mutant);
  }
  const auto scores =
      ScoresOf(mutants, *library, {.profile = options.profile, .stops_at_first_kill = options.table.empty()});
  fmt::print("{}", TableOf(scores));
  bool survives = false;
  for (const MutantScore& score : scores) {
    if (score.status != MutantStatus::kSurvivor) continue;
    survives = true;
    fmt::print("survivor: {}: {} ({} cases run, {} changed, {} errors)\n", score.mutant->id, score.mutant->rule,
               score.applied, score.changed, score.errors);
  }
  for (const auto& [file, text] : {std::pair{options.table, KillTable(scores)}, {options.markdown, TableOf(scores)}}) {
    if (file.empty()) continue;
    if (const Status written = WriteFileAtomically(file, text); !written) return fail(written.error().message);
  }
  if (!options.folder.empty()) {
    if (const Status filled = Fill(scores, options); !filled) return fail(filled.error().message);
  }
  return survives ? 1 : 0;
}

}  // namespace assay
