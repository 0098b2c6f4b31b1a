#include "backends/pjrt/device/shadow/tally.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "backends/json/json_text.h"
#include "backends/json/printable.h"

namespace assay::pjrt {
namespace {

using nlohmann::json;

// The verdicts that always have a column. Other verdicts have one if they occur.
constexpr std::string_view kShownVerdicts[] = {"EXACT", "LEGAL", "SPEC-GAP", "WEAK", "SUSPECT", "FAIL"};
constexpr std::size_t kShownReasons = 10, kShownFailures = 20, kLongestReason = 300;

bool IsFailure(std::string_view verdict) {
  return verdict == "SUSPECT" || verdict == "FAIL" || verdict == "ERROR" || verdict == "TIMEOUT" || verdict == "CRASH";
}

// Returns the first line of a text, printable on a terminal.
std::string OneLine(std::string_view text) {
  return Printable(text.substr(0, text.find('\n')), Lines::kOne, kLongestReason);
}

}  // namespace

Status ShadowTally::Take(const json& line) {
  try {
    if (line.contains("run")) {
      const json& run = line.at("run");
      plugin_ = fmt::format("{} {}", run.at("plugin").get<std::string>(), run.at("version").get<std::string>());
      run.at("profile").get_to(profile_);
      run.at("share").get_to(share_);
    } else if (line.contains("verdict")) {
      TakeVerdict(line);
    } else if (line.contains("not_judged")) {
      NotJudged& same = not_judged_[line.at("not_judged").get<std::string>()];
      if (same.times == 0) line.at("program").get_to(same.program);
      same.times += line.value("times", std::int64_t{1});
    } else {
      programs_ += line.at("programs").get<std::int64_t>();
      executions_ += line.at("executions").get<std::int64_t>();
    }
  } catch (const json::exception& error) {
    return Error{ErrorCode::kInput, fmt::format("not a line of a shadow's journal: {}", error.what())};
  }
  return {};
}

void ShadowTally::TakeVerdict(const json& line) {
  const auto verdict = line.at("verdict").get<std::string>();
  ++verdicts_[verdict];
  seconds_ += line.at("seconds").get<double>();
  if (!IsFailure(verdict)) return;
  Failure failure = {fmt::format("{} {}, execution {}: {}", verdict, line.at("program").get<std::string>(),
                                 line.at("execution").get<std::int64_t>(), line.at("reason").get<std::string>()),
                     line.value("finding", "")};
  const auto same = std::ranges::find_if(
      failures_, [&](const Failure& other) { return !other.folder.empty() && other.folder == failure.folder; });
  if (same == failures_.end()) {
    failures_.push_back(std::move(failure));
  } else {
    ++same->times;
  }
}

std::int64_t ShadowTally::CountNotJudged() const {
  std::int64_t count = 0;
  for (const auto& [reason, found] : not_judged_) count += found.times;
  return count;
}

std::string ShadowTally::Table() const {
  std::map<std::string, std::int64_t> others = verdicts_;
  std::vector<std::pair<std::string, std::string>> cells = {{"programs", std::to_string(programs_)},
                                                            {"executions", std::to_string(executions_)}};
  for (const std::string_view verdict : kShownVerdicts) {
    const auto found = others.extract(std::string(verdict));
    cells.emplace_back(verdict, std::to_string(found.empty() ? 0 : found.mapped()));
  }
  for (const auto& [verdict, count] : others) cells.emplace_back(verdict, std::to_string(count));
  cells.emplace_back("not judged", std::to_string(CountNotJudged()));
  cells.emplace_back("time", fmt::format("{:.1f} s", seconds_));
  std::string names, values;
  for (const auto& [name, value] : cells) {
    const std::size_t width = std::max(name.size(), value.size());
    const std::string_view gap = names.empty() ? "" : "  ";
    names += fmt::format("{}{:>{}}", gap, name, width);
    values += fmt::format("{}{:>{}}", gap, value, width);
  }
  return names + "\n" + values + "\n";
}

std::string ShadowTally::Text() const {
  std::string text = fmt::format("assay: {} beside the reference, profile {}, share {}\n{}", OneLine(plugin_),
                                 OneLine(profile_), share_, Table());
  std::vector<std::pair<std::string, NotJudged>> reasons(not_judged_.begin(), not_judged_.end());
  std::ranges::stable_sort(reasons, std::ranges::greater(), [](const auto& reason) { return reason.second.times; });
  for (std::size_t i = 0; i < std::min(reasons.size(), kShownReasons); ++i) {
    text += fmt::format("not judged, {} times, as {}: {}\n", reasons[i].second.times,
                        OneLine(reasons[i].second.program), OneLine(reasons[i].first));
  }
  for (std::size_t i = 0; i < std::min(failures_.size(), kShownFailures); ++i) {
    const Failure& failure = failures_[i];
    text += OneLine(failure.text) + (failure.times > 1 ? fmt::format(" ({} times)", failure.times) : "") + "\n";
    if (!failure.folder.empty()) text += "  " + OneLine(failure.folder) + "\n";
  }
  if (failures_.size() > kShownFailures) {
    text += fmt::format("and {} more failures\n", failures_.size() - kShownFailures);
  }
  return text;
}

}  // namespace assay::pjrt
