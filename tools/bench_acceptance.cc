#include "tools/bench_acceptance.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tools/accusations.h"

namespace assay {
namespace {

struct Options {
  std::int64_t elements = 2'000'000;
  std::int64_t seed = 1;
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
    } else if (argument == "--elements" || argument == "--seed") {
      std::int64_t& number = argument == "--seed" ? options.seed : options.elements;
      const std::string_view text = i + 1 < arguments.size() ? arguments[++i] : "";
      const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
      if (error != std::errc() || end != text.data() + text.size() || number < 1) {
        options.error = fmt::format("{} needs a number above 0", argument);
      }
    } else if (std::ranges::count(known, argument) > 0) {
      options.profiles.push_back(argument);
    } else {
      options.error =
          fmt::format("{} is neither an option nor one of the profiles {}", argument, fmt::join(known, ", "));
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
    report[std::string(profile)]["accusations"] = ToJson(counts);
  }
  if (options.is_json) fmt::print("{}\n", report.dump(1));
  return accusations > 0 ? 1 : 0;
}

}  // namespace assay
