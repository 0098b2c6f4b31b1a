#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "fuzz/measure/accusations.h"
#include "fuzz/pattern_program.h"
#include "tools/bench/arguments.h"

namespace assay {
namespace {

struct Options {
  std::int64_t programs = 5000;
  std::int64_t seed = 1;
  std::int64_t skipped = 0;
  bool any = false, floats = false, faults = false;
  std::vector<std::string> profiles;
};

std::int64_t PrintAccusations(const Options& options, std::string_view profile, ProgramKind kind) {
  const ProgramCount count = CountProgramAccusations(BuiltInProfile(profile), options.programs,
                                                     static_cast<std::uint64_t>(options.seed), kind, options.skipped);
  fmt::print("{:<8} {:<10} {:>8} {:>10} {:>8} {:>8} {:>7} {:>11}\n", profile,
             kind == ProgramKind::kAny ? "any" : "floats", count.programs, count.elements, count.inexact, count.legal,
             count.weak, count.accusations);
  for (const std::string& accusation : count.told) fmt::print("  {}\n", accusation);
  return count.accusations;
}

void PrintFaults(const Options& options, std::string_view profile) {
  const std::int64_t programs = std::max<std::int64_t>(options.programs / 100, 1);
  std::int64_t changed = 0, failed = 0, weak = 0;
  for (const RewriteRow& fault : Miscompilations()) {
    const MiscompilationCount count =
        CountFound(fault, BuiltInProfile(profile), programs, static_cast<std::uint64_t>(options.seed));
    changed += count.changed;
    failed += count.failed;
    weak += count.weak;
    fmt::print("{:<8} {:<28} {:>8} {:>8} {:>8} {:>6}\n", profile, fault.name, count.programs, count.changed,
               count.failed, count.weak);
    if (!count.first_miss.empty()) fmt::print("  {}\n", count.first_miss);
  }
  fmt::print("{:<8} {:<28} {:>8} {:>8} {:>8} {:>6} {:.2f} %\n", profile, "all", "", changed, failed, weak,
             100.0 * static_cast<double>(failed) / static_cast<double>(std::max<std::int64_t>(changed, 1)));
}

}  // namespace

int BenchPrograms(BenchArguments arguments) {
  Options options;
  const bool is_read = ReadArguments("programs", arguments, [&](CLI::App& bench) {
    AddNumber(bench, "--programs", options.programs, "random programs of each kind, and a hundredth for faults", 1);
    AddNumber(bench, "--seed", options.seed, "of the programs", 1);
    AddNumber(bench, "--skip", options.skipped, "how many programs to leave out first", 1);
    AddFlag(bench, "--floats", options.floats, "chains of float operations");
    AddFlag(bench, "--any", options.any, "any programs");
    AddFlag(bench, "--faults", options.faults, "planted miscompilations; without a kind, all three");
    AddProfiles(bench, options.profiles);
  });
  if (!is_read) return 2;
  if (!options.any && !options.floats && !options.faults) options.any = options.floats = options.faults = true;
  std::int64_t accusations = 0;
  if (options.any || options.floats) {
    fmt::print(
        "lawful noise in programs: FAIL is a false accusation\n{:<8} {:<10} {:>8} {:>10} {:>8} {:>8} {:>7} {:>11}\n",
        "profile", "kind", "programs", "elements", "inexact", "LEGAL", "WEAK", "accusations");
  }
  for (const std::string& profile : options.profiles) {
    if (options.any) accusations += PrintAccusations(options, profile, ProgramKind::kAny);
    if (options.floats) accusations += PrintAccusations(options, profile, ProgramKind::kFloats);
  }
  if (options.faults) {
    fmt::print(
        "\nplanted miscompilations: what is changed and not FAIL is missed\n{:<8} {:<28} {:>8} {:>8} {:>8} {:>6}\n",
        "profile", "miscompilation", "programs", "changed", "FAIL", "WEAK");
    for (const std::string& profile : options.profiles) PrintFaults(options, profile);
  }
  return accusations > 0 ? 1 : 0;
}

}  // namespace assay
