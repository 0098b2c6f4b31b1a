#include "tools/bench/mutants.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "backends/files.h"
#include "backends/mutant/operators/operators.h"
#include "fuzz/measure/mutation_score.h"
#include "fuzz/measure/surviving_mutants.h"
#include "interpreter/types/join_text.h"

namespace assay {
namespace {

constexpr std::string_view kOptions[] = {"--operator", "--op",   "--profile", "--corpus", "--table",
                                         "--markdown", "--fill", "--draws",   "--seed"};

// The options. One that was not given has an empty value.
class Options {
 public:
  explicit Options(std::span<const std::string_view> arguments) {
    for (std::size_t i = 0; i < arguments.size(); i += 2) {
      if (std::ranges::count(kOptions, arguments[i]) == 0 || i + 1 == arguments.size()) {
        error_ = fmt::format("{} is none of the options {} with a value", arguments[i], JoinText(kOptions, ", "));
        return;
      }
      values_[arguments[i]] = arguments[i + 1];
    }
  }
  std::string_view Of(std::string_view name, std::string_view if_absent = "") const {
    const auto found = values_.find(name);
    return found == values_.end() ? if_absent : found->second;
  }
  const std::string& error() const { return error_; }

 private:
  std::map<std::string_view, std::string_view> values_;
  std::string error_;
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

std::int64_t NumberOf(std::string_view text) {
  std::int64_t number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

// Writes goldens of random instructions, without expected values, for the mutants that no case kills.
Status Fill(const std::vector<MutantScore>& scores, const std::string& folder, const Options& options,
            std::string_view profile) {
  std::map<std::string_view, std::vector<const Mutant*>> by_op;
  for (const MutantScore& score : scores) {
    if (score.status == MutantStatus::kSurvivor) by_op[score.mutant->op].push_back(score.mutant);
  }
  const std::int64_t count = NumberOf(options.Of("--draws", "40")), seed = NumberOf(options.Of("--seed", "1"));
  const std::string name = fmt::format("faults_drawn_{}", seed);
  const std::vector<std::pair<std::string_view, std::vector<const Mutant*>>> ops(by_op.begin(), by_op.end());
  std::vector<SurvivingMutants> holes(ops.size());
  ForEachOnAllCores(ops.size(), [&](std::size_t i) {
    holes[i] = FindSurvivingMutants(ops[i].first, ops[i].second, count, static_cast<std::uint64_t>(seed),
                                    BuiltInProfile(profile));
  });
  for (std::size_t i = 0; i < ops.size(); ++i) {
    for (const Hole& hole : holes[i].holes)
      fmt::print("hole: {}: case {}{}\n", hole.mutant->id, hole.probe + 1,
                 hole.mutant->equivalent.empty() ? "" : " no equivalence");
    for (const auto& [path, text] : GoldensOf(ops[i].first, holes[i], name)) {
      std::error_code error;
      std::filesystem::create_directories(fmt::format("{}/{}", folder, ops[i].first), error);
      ASSAY_CHECK_OK(WriteFileAtomically(fmt::format("{}/{}", folder, path), text));
    }
  }
  return {};
}

}  // namespace

int BenchMutants(std::span<const std::string_view> arguments) {
  const Options options(arguments);
  const auto fail = [](std::string_view message) {
    fmt::print(stderr, "{}\n", message);
    return 2;
  };
  if (!options.error().empty()) return fail(options.error());
  const std::string_view profile = options.Of("--profile", "exact");
  if (std::ranges::count(BuiltInProfileNames(), profile) == 0) return fail("no such profile");
  const Result<CaseLibrary> library = CaseLibrary::Read(std::string(options.Of("--corpus", "golden")));
  if (!library) return fail(library.error().message);
  std::vector<const Mutant*> mutants;
  for (const Mutant& mutant : OperatorMutants()) {
    const bool is_wanted = (options.Of("--operator").empty() || mutant.made_by == options.Of("--operator")) &&
                           (options.Of("--op").empty() || mutant.op == options.Of("--op"));
    if (is_wanted) mutants.push_back(&mutant);
  }
  const std::string table(options.Of("--table")), markdown(options.Of("--markdown"));
  const auto scores = ScoresOf(mutants, *library, {.profile = profile, .stops_at_first_kill = table.empty()});
  fmt::print("{}", TableOf(scores));
  bool survives = false;
  for (const MutantScore& score : scores) {
    if (score.status != MutantStatus::kSurvivor) continue;
    survives = true;
    fmt::print("survivor: {}: {} ({} cases run, {} changed, {} errors)\n", score.mutant->id, score.mutant->rule,
               score.applied, score.changed, score.errors);
  }
  for (const auto& [file, text] : {std::pair{table, KillTable(scores)}, {markdown, TableOf(scores)}}) {
    if (file.empty()) continue;
    if (const Status written = WriteFileAtomically(file, text); !written) return fail(written.error().message);
  }
  if (!options.Of("--fill").empty()) {
    const Status filled = Fill(scores, std::string(options.Of("--fill")), options, profile);
    if (!filled) return fail(filled.error().message);
  }
  return survives ? 1 : 0;
}

}  // namespace assay
