#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <memory>
#include <sstream>

#include "conformance/reports/shell_word.h"
#include "conformance/running/ranks.h"
#include "fuzz/findings.h"
#include "fuzz/fuzzing.h"
#include "interpreter/types/join_text.h"
#include "tools/command.h"
#include "tools/command_line.h"
#include "tools/interrupt.h"
#include "tools/options.h"
#include "tools/report_text.h"

namespace assay {
namespace {

constexpr std::string_view kAnyKind = "any";

struct FuzzCommandOptions {
  std::string backend, profile, ops, out = "findings", from, oracle = "reference", kind{kAnyKind};
  std::int64_t seed = 1, count = 0, most = 0, suspect_rate = 0;
  double seconds = 0, budget = 20, case_timeout = 60;
  int jobs = 0;
  bool from_start = false, is_mpi = false;
  std::vector<std::string> fail_on;
  CommonOptions common;
};

// A changed loop may never end, so mutants get less time than drawn programs.
constexpr double kReferenceSeconds = 10, kReferenceSecondsOfMutants = 2;

Result<std::vector<const Op*>> ReadOps(const std::string& text) {
  std::vector<const Op*> ops;
  std::istringstream stream(text);
  for (std::string name; std::getline(stream, name, ',');) {
    const Op* op = FindOp(name);
    if (op == nullptr) return Error{ErrorCode::kUsage, fmt::format("--ops: no op is called {}", name)};
    ops.push_back(op);
  }
  return ops;
}

std::string Named(const std::map<Verdict, std::int64_t>& counts) {
  std::vector<std::string> named;
  for (const auto& [verdict, count] : counts) named.push_back(fmt::format("{} {}", count, VerdictName(verdict)));
  return JoinText(named, ", ");
}

std::string CountText(const FuzzCount& count) {
  return fmt::format("{} programs in {:.0f} s, {:.0f} a second: {}; {} ops, {} ops with types; {} findings",
                     count.programs, count.seconds,
                     count.seconds > 0 ? static_cast<double>(count.programs) / count.seconds : 0,
                     Named(count.by_verdict), count.coverage.ops(), count.coverage.types.size(), count.findings);
}

// Returns the most common reasons with their numbers: "25 UNIMPLEMENTED: sinh (sinh); 4 ...".
std::string CommonReasons(const std::map<std::string, std::int64_t>& counts, std::size_t most = 8) {
  std::vector<std::pair<std::string, std::int64_t>> sorted(counts.begin(), counts.end());
  std::ranges::stable_sort(sorted, std::greater(), [](const auto& one) { return one.second; });
  if (sorted.size() > most) sorted.resize(most);
  std::vector<std::string> named;
  for (const auto& [reason, count] : sorted) named.push_back(fmt::format("{} {}", count, ForTerminal(reason)));
  return JoinText(named, "; ");
}

void PrintDetails(const FuzzCount& count) {
  fmt::print("  {} differ in bits; {} show little, for their outputs have one distinct value each\n", count.differing,
             count.uniform);
  if (count.real_numbers > 0) {
    fmt::print("  of the real numbers that they give, {:.1f} % are NaN\n",
               100.0 * static_cast<double>(count.nans) / static_cast<double>(count.real_numbers));
  }
  if (!count.differing_much.empty()) {
    fmt::print("  differ by more than {} relative: {}\n", kMuch, Named(count.differing_much));
  }
  if (!count.mutations.empty()) {
    fmt::print("  mutations: {}; {} mutants were illegal, and others were drawn\n", CommonReasons(count.mutations, 100),
               count.refused_mutants);
  }
  fmt::print("  the backend accepted {:.1f} % of the programs\n", 100 * count.accepted_share());
  if (const std::set<std::string>& declined = count.declined_features; !declined.empty()) {
    fmt::print("  {} draws were replaced, because the backend declines: {}\n", count.drawn_again,
               Shortened(JoinText(std::vector<std::string>(declined.begin(), declined.end()), ", ")));
  }
  if (!count.declined_for.empty()) fmt::print("  declined most often: {}\n", CommonReasons(count.declined_for));
  if (!count.weak_because.empty()) fmt::print("  WEAK most often: {}\n", CommonReasons(count.weak_because));
  if (count.not_evaluated > 0) {
    fmt::print("  {} were not judged, for the reference has no value of them: {}\n", count.not_evaluated,
               CommonReasons(count.not_evaluated_because));
  }
  fmt::print("  covered: {} ops, {} ops with types, {} classes of attributes, {} with types, {} pairs of neighbours\n",
             count.coverage.ops(), count.coverage.types.size(), count.coverage.classes(),
             count.coverage.attributes.size(), count.coverage.neighbours.size());
  fmt::print("  the backend took {:.1f} s, the reference {:.1f} s\n", count.backend_seconds, count.reference_seconds);
  if (count.known + count.alike > 0) {
    fmt::print(
        "  {} more failures came down to findings that were there; {} looked like others, and were not reduced\n",
        count.known, count.alike);
  }
}

// A status line: rewritten in place on a terminal, otherwise printed once a minute.
class StatusLine {
 public:
  void Show(const FuzzCount& count) {
    if (count.seconds - last_ < (is_terminal_ ? 0.2 : 60)) return;
    last_ = count.seconds;
    fmt::print(stderr, "{}{}{}", is_terminal_ ? "\r\033[K" : "", CountText(count).substr(0, is_terminal_ ? 150 : 1000),
               is_terminal_ ? "" : "\n");
    std::fflush(stderr);
  }
  void Clear() const {
    if (is_terminal_) fmt::print(stderr, "\r\033[K");
  }

 private:
  bool is_terminal_ = isatty(STDERR_FILENO) != 0;
  double last_ = 0;
};

// Prints the counts of a run, and writes the page of its findings.
Status Conclude(const FuzzCount& count, const FindingsFolder& folder) {
  fmt::print("{}\n", CountText(count));
  PrintDetails(count);
  ASSAY_CHECK_OK(WriteFindingsPage(folder));
  fmt::print("{0}: assay findings {1}; a page: {0}/index.html\n", folder.path(), ShellWord(folder.path()));
  return {};
}

// Names the files that cannot be read, unless none can.
Result<std::vector<NamedSubject>> ReadModules(const std::string& path) {
  ASSAY_TRY(GivenPrograms given, ReadGivenPrograms(path));
  if (!given.unread.empty()) {
    fmt::print(stderr, "note: {} of {} modules cannot be read:\n", given.unread.size(),
               given.unread.size() + given.programs.size());
    for (const Error& error : given.unread) fmt::print(stderr, "  {}\n", ForTerminal(error.message));
  }
  return std::move(given.programs);
}

Result<FuzzOptions> ReadFuzzOptions(const FuzzCommandOptions& given) {
  FuzzOptions options;
  ASSAY_TRY(options.constraints.ops, ReadOps(given.ops));
  if (given.kind != kAnyKind) {
    if (!given.ops.empty() || !given.from.empty()) {
      return Error{ErrorCode::kUsage, "--kind cannot be combined with --ops or --from, which draw programs otherwise"};
    }
    options.constraints.kind = given.kind;
  }
  options.constraints.seed = static_cast<std::uint64_t>(given.seed);
  options.backend = given.backend;
  options.profile = given.profile;
  ASSAY_TRY(options.compare.profile, FindProfile(given.profile, given.backend));
  options.compare.limits = given.common.limits();
  if (given.common.time_limit == 0) {
    options.compare.limits.seconds = given.from.empty() ? kReferenceSeconds : kReferenceSecondsOfMutants;
  }
  ASSAY_TRY(options.fail_on, ReadFailOn(given.fail_on));
  options.count = given.count;
  options.seconds = given.seconds;
  options.budget = given.budget;
  options.most_findings = given.most;
  options.modules_from = given.from;
  if (!given.from.empty()) {
    ASSAY_TRY(options.modules, ReadModules(given.from));
  }
  options.oracle = given.oracle == "rewrites" ? Oracle::kRewrites : Oracle::kReference;
  if (given.is_mpi) {
    ASSAY_TRY(const Rank rank, Rank::FromEnvironment());
    options.shard = {rank.number + 1, rank.count};
  }
  return options;
}

bool HasFailed(const FuzzCount& before, const FuzzCount& after, std::int64_t suspect_rate) {
  const std::int64_t failures = after.failures() - before.failures(), suspects = after.suspects() - before.suspects();
  return failures > suspects || (suspects > 0 && after.HasMoreSuspects(static_cast<double>(suspect_rate)));
}

Result<int> RunFuzz(const FuzzCommandOptions& given) {
  ASSAY_TRY(FindingsFolder folder, FindingsFolder::Open(given.out));
  ASSAY_TRY(FuzzOptions options, ReadFuzzOptions(given));
  FuzzProgress progress;
  RunState& state = progress.state;
  if (!given.from_start) {
    ASSAY_TRY(state, folder.StateOf(RunName(options)));
    ASSAY_TRY(options.learnt, folder.LearntOf(RunName(options), state.next));
  }
  if (state.next > 0) fmt::print(stderr, "note: continues at program {}\n", state.next);
  const FuzzCount before = state.count;
  ASSAY_TRY(BackendPool pool, BackendPool::Open(given.backend, Jobs(given.jobs), given.case_timeout));
  StatusLine line;
  const ShutdownHook shutdown_hook(progress.guard, [&](std::string_view signal) {
    line.Clear();
    fmt::print("ended by {}\n", signal);
    if (const Status concluded = Conclude(state.count, folder); !concluded) Fail(concluded.error());
    FlushOutput();
  });
  ASSAY_CHECK_OK(Fuzz(pool, options, folder, progress, [&](const FuzzCount& now) { line.Show(now); }));
  line.Clear();
  ASSAY_CHECK_OK(Conclude(state.count, folder));
  return HasFailed(before, state.count, given.suspect_rate) ? 1 : 0;
}

Result<int> RunAll(const FuzzCommandOptions& options) {
  ASSAY_CHECK_OK(options.common.Prepare());
  return RunFuzz(options);
}

void AddFuzzOptions(CLI::App& command, FuzzCommandOptions& options) {
  AddBackend(command, options.backend, "the backend to test");
  AddProfile(command, options.profile);
  AddText(command, "--ops", options.ops, "only modules of these ops, each about every eighth instruction: add,dot");
  std::vector<std::string> kinds(ProgramKinds().begin(), ProgramKinds().end());
  kinds.emplace_back(kAnyKind);
  AddChoice(command, "--kind", options.kind, kinds, "only programs of this kind");
  AddText(command, "--from", options.from,
          "mutate and join the modules of this folder and its subfolders, or this module, instead of drawing");
  AddChoice(command, "--oracle", options.oracle, {"reference", "rewrites"},
            "the source of expected results: the reference, or the backend itself on rewritten programs");
  AddNumber(command, "--seed", options.seed, "seed of the programs", 0);
  AddNumber(command, "--count", options.count, "number of programs (default: no limit)", 1);
  AddSeconds(command, "--time", options.seconds,
             "seconds after which no more programs are begun (default: any number)");
  AddNumber(command, "--most-findings", options.most, "stop after so many new findings (default: any number)", 1);
  AddTexts(command, "--fail-on", options.fail_on, "verdicts that count as failures too: WEAK, UNSUPPORTED, SPEC-GAP");
  AddNumber(command, "--suspect-rate", options.suspect_rate,
            "SUSPECT in so many of 100,000 programs fails nothing, for lawful noise (0)", 0);
  AddSeconds(command, "--budget", options.budget,
             "seconds for making one failing program smaller, and as many for finding the pass at fault (20)");
  AddText(command, "--out", options.out, "the folder of findings (findings)");
  AddFlag(command, "--from-start", options.from_start, "do not continue an earlier run of this seed");
  AddFlag(command, "--mpi", options.is_mpi,
          "share the programs of the seed among the processes that mpirun or srun has started");
  AddJobs(command, options.jobs);
  AddTimeout(command, options.case_timeout, "one request");
  AddLimits(command, options.common);
}

}  // namespace

const Command command_fuzz = {
    .name = "fuzz",
    .help = "run random programs on a backend, and keep what fails, reduced",
    .example = "assay fuzz --backend xla-cpu --time 600 --out findings",
    .bind = BindCommand<FuzzCommandOptions, AddFuzzOptions, RunAll>,
};

}  // namespace assay
