#include "tools/bench/programs.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "fuzz/measure/program_accusations.h"
#include "fuzz/miscompilations.h"
#include "interpreter/types/join_text.h"
#include "interpreter/types/number_in_text.h"

namespace assay {
namespace {

struct Options {
  std::int64_t programs = 5000;
  std::int64_t seed = 1;
  std::int64_t skipped = 0;
  bool is_all = true;
  bool any = false, floats = false, faults = false;
  std::vector<std::string_view> profiles;
  std::string error;
};

Options ReadOptions(std::span<const std::string_view> arguments) {
  Options options;
  const auto known = BuiltInProfileNames();
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::string_view argument = arguments[i];
    if (argument == "--any" || argument == "--floats" || argument == "--faults") {
      (argument == "--any" ? options.any : argument == "--faults" ? options.faults : options.floats) = true;
      options.is_all = false;
    } else if (argument == "--programs" || argument == "--seed" || argument == "--skip") {
      std::int64_t& number = argument == "--seed"   ? options.seed
                             : argument == "--skip" ? options.skipped
                                                    : options.programs;
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
  if (options.profiles.empty()) options.profiles = known;
  return options;
}

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
  for (const Miscompilation* fault : AllMiscompilations()) {
    const MiscompilationCount count =
        CountFound(*fault, BuiltInProfile(profile), programs, static_cast<std::uint64_t>(options.seed));
    changed += count.changed;
    failed += count.failed;
    weak += count.weak;
    fmt::print("{:<8} {:<28} {:>8} {:>8} {:>8} {:>6}\n", profile, fault->name, count.programs, count.changed,
               count.failed, count.weak);
    if (!count.first_miss.empty()) fmt::print("  {}\n", count.first_miss);
  }
  fmt::print("{:<8} {:<28} {:>8} {:>8} {:>8} {:>6} {:.2f} %\n", profile, "all", "", changed, failed, weak,
             100.0 * static_cast<double>(failed) / static_cast<double>(std::max<std::int64_t>(changed, 1)));
}

}  // namespace

int BenchPrograms(std::span<const std::string_view> arguments) {
  const Options options = ReadOptions(arguments);
  if (!options.error.empty()) {
    fmt::print(stderr, "{}\n", options.error);
    return 2;
  }
  std::int64_t accusations = 0;
  if (options.is_all || options.any || options.floats) {
    fmt::print(
        "lawful noise in programs: FAIL is a false accusation\n{:<8} {:<10} {:>8} {:>10} {:>8} {:>8} {:>7} {:>11}\n",
        "profile", "kind", "programs", "elements", "inexact", "LEGAL", "WEAK", "accusations");
  }
  for (const std::string_view profile : options.profiles) {
    if (options.is_all || options.any) accusations += PrintAccusations(options, profile, ProgramKind::kAny);
    if (options.is_all || options.floats) accusations += PrintAccusations(options, profile, ProgramKind::kFloats);
  }
  if (options.is_all || options.faults) {
    fmt::print(
        "\nplanted miscompilations: what is changed and not FAIL is missed\n{:<8} {:<28} {:>8} {:>8} {:>8} {:>6}\n",
        "profile", "miscompilation", "programs", "changed", "FAIL", "WEAK");
    for (const std::string_view profile : options.profiles) PrintFaults(options, profile);
  }
  return accusations > 0 ? 1 : 0;
}

}  // namespace assay
