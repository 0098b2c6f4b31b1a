#include "fuzz/measure/compiled_programs.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "interpreter/acceptance/profile.h"
#include "tools/bench/arguments.h"

namespace assay {
namespace {

constexpr double kTimeoutSeconds = 120;

using Counts = std::map<Verdict, int>;
using CountsOfRow = std::map<std::pair<std::string, std::size_t>, Counts>;  // by type and size

struct Options {
  std::int64_t seeds = 3;
  std::string program, backend;
  std::string profile = "xla", folder = "fuzz/measure/compiled_programs";
  bool verbose = false;
};

void Print(const RewriteRow& program, const CompiledProgramRun& run, const ModuleReport& report) {
  const ElementReport& worst = report.outputs.worst;
  fmt::print("{} {} {} {} {} {} seed {}: {}: got {}, want {}\n", VerdictName(report.verdict), program.name, run.profile,
             run.type, run.data, run.size, run.seed, report.reason, worst.got, worst.want);
}

// Judges all runs of a row by type and size. Prints errors, and returns the number of them.
int JudgeRow(const RewriteRow& program, const Options& options, CountsOfRow& counts) {
  int errors = 0;
  for (const CompiledProgramRun& run : RunsOf(program, static_cast<std::uint64_t>(options.seeds))) {
    const Result<ModuleReport> report = JudgeCompiled(program, run);
    if (!report) {
      fmt::print("{}\n", report.error().message);
      return 1;
    }
    const auto size = static_cast<std::size_t>(std::ranges::find(program.sizes, run.size) - program.sizes.begin());
    ++counts[{run.type, size}][report->verdict];
    const bool is_accused = program.kind == RewriteKind::kLawful && IsFailure(report->verdict);
    errors += is_accused ? 1 : 0;
    if (is_accused || options.verbose) Print(program, run, *report);
  }
  return errors;
}

constexpr std::string_view kHead =
    "source | EXACT | LEGAL | SPEC-GAP | WEAK | SUSPECT | FAIL |\n|---|---|---|---|---|---|---|---|\n";
constexpr Verdict kVerdicts[] = {Verdict::kExact, Verdict::kLegal,   Verdict::kSpecGap,
                                 Verdict::kWeak,  Verdict::kSuspect, Verdict::kFail};

// Returns the source of a row as a cell of a table.
std::string CellOf(std::string source) {
  for (std::size_t at = 0; (at = source.find('|', at)) != std::string::npos; at += 2) source.insert(at, 1, '\\');
  return source;
}

std::string RowOf(const Counts& counts) {
  std::string row;
  for (const Verdict verdict : kVerdicts) {
    const auto found = counts.find(verdict);
    row += fmt::format(" {} |", found == counts.end() ? 0 : found->second);
  }
  return row;
}

// Returns the smallest size from the largest on in all of whose runs the verdict is at least as bad; - if there is
// none.
std::string SmallestWith(const RewriteRow& program, const std::string& type, Verdict least, const CountsOfRow& counts) {
  std::string smallest = "-";
  for (std::size_t size = 0; size < program.sizes.size(); ++size) {
    const auto found = counts.find({type, size});
    if (found == counts.end() || found->second.empty() || found->second.begin()->first < least) break;
    smallest = program.sizes[size].empty() ? "yes" : program.sizes[size];
  }
  return smallest;
}

// Runs the programs as they were given on a backend, with every kind of data, and prints a row for each with the
// counts of verdicts. Returns the number of failures, and of runs that have no verdict of a value; 1 if there are none.
int JudgeBackend(const std::vector<RewriteRow>& programs, const Options& options, Backend& backend) {
  fmt::print("\n| program | {}", kHead);
  int failures = 0, rows = 0;
  for (const RewriteRow& program : programs) {
    if (!options.program.empty() && program.name != options.program) continue;
    RewriteRow row = program;
    row.profiles = {options.profile};
    row.sizes.resize(1);
    const auto data = CompiledProgramData();
    row.data.assign(data.begin(), data.end());
    Counts counts;
    for (const CompiledProgramRun& run : RunsOf(row, static_cast<std::uint64_t>(options.seeds))) {
      const Result<ModuleReport> report = JudgeGiven(row, run, backend);
      if (!report) {
        fmt::print("{}\n", report.error().message);
        ++failures;
        continue;
      }
      ++counts[report->verdict];
      // The table has no column for runs that a backend declines, or in which it fails.
      const bool is_told = IsFailure(report->verdict) || std::ranges::count(kVerdicts, report->verdict) == 0;
      failures += is_told ? 1 : 0;
      if (is_told || options.verbose) Print(row, run, *report);
    }
    fmt::print("| {} | {} |{}\n", row.name, CellOf(row.source), RowOf(counts));
    std::fflush(stdout);
    ++rows;
  }
  return rows == 0 ? 1 : failures;
}

// The rows of the three tables.
struct Tables {
  std::string lawful, beyond, faulty;
  Counts all;  // of lawful programs

  void Add(const RewriteRow& program, const CountsOfRow& counts);
  void Print() const;
};

void Tables::Add(const RewriteRow& program, const CountsOfRow& counts) {
  if (program.kind == RewriteKind::kFaulty) {
    for (const std::string& type : program.types) {
      faulty += fmt::format("| {} | {} | {} | {} | {} |\n", program.name, CellOf(program.source), type,
                            SmallestWith(program, type, Verdict::kFail, counts),
                            SmallestWith(program, type, Verdict::kSuspect, counts));
    }
    return;
  }
  Counts sum;
  for (const auto& [key, own] : counts) {
    for (const auto& [verdict, count] : own) sum[verdict] += count;
  }
  const bool is_lawful = program.kind == RewriteKind::kLawful;
  (is_lawful ? lawful : beyond) += fmt::format("| {} | {} |{}\n", program.name, CellOf(program.source), RowOf(sum));
  for (const auto& [verdict, count] : sum) all[verdict] += is_lawful ? count : 0;
}

void Tables::Print() const {
  fmt::print("\n| lawful program | {}{}| all | |{}\n", kHead, lawful, RowOf(all));
  fmt::print("\n| allowed by no document | {}{}", kHead, beyond);
  fmt::print(
      "\n| fault | kind | type | smallest that is FAIL | smallest that is SUSPECT or FAIL |\n|---|---|---|---|---|\n{}",
      faulty);
}

}  // namespace

int BenchCompiledPrograms(BenchArguments arguments) {
  Options options;
  const bool is_read = ReadArguments("compiled-programs", arguments, [&](CLI::App& bench) {
    AddText(bench, "--folder", options.folder, "of the programs");
    AddNumber(bench, "--seeds", options.seeds, "of the data", 0);
    AddText(bench, "--program", options.program, "the only one");
    AddText(bench, "--backend", options.backend, "run the programs as they are given on this backend");
    AddBuiltInProfile(bench, options.profile);
    AddFlag(bench, "--verbose", options.verbose, "print the verdict of every run");
  });
  if (!is_read) return 2;
  const auto programs = ReadCompiledPrograms(options.folder);
  if (!programs) {
    fmt::print(stderr, "{}\n", programs.error().message);
    return 2;
  }
  if (!options.backend.empty()) {
    const auto backend = OpenBackend(options.backend, kTimeoutSeconds);
    if (!backend) {
      fmt::print(stderr, "{}\n", backend.error().message);
      return 2;
    }
    return JudgeBackend(*programs, options, **backend) > 0 ? 1 : 0;
  }
  int errors = 0, rows = 0;
  Tables tables;
  for (const RewriteRow& program : *programs) {
    if (!options.program.empty() && program.name != options.program) continue;
    CountsOfRow counts;
    errors += JudgeRow(program, options, counts);
    tables.Add(program, counts);
    ++rows;
  }
  tables.Print();
  return errors > 0 || rows == 0 ? 1 : 0;
}

}  // namespace assay
