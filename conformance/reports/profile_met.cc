#include "conformance/reports/profile_met.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>
#include <vector>

#include "interpreter/types/join_text.h"

namespace assay {
namespace {

bool IsJudged(const CheckEntry& entry) {
  const Outcome& outcome = entry.outcome;
  return !outcome.is_model() && !outcome.unjudged && outcome.verdict() != Verdict::kUnsupported;
}

bool IsProven(const CheckEntry& entry) {
  const Verdict verdict = entry.outcome.verdict();
  return IsJudged(entry) && verdict != Verdict::kWeak && verdict != Verdict::kSuspect;
}

// Returns the number of profiles in the chain that are too strict.
std::ptrdiff_t TooStrict(const CheckEntry& entry) {
  return std::ranges::find(kProfileChain, entry.outcome.narrowest_profile) - std::begin(kProfileChain);
}

// Returns the options that chose the cases of a run.
std::string ChosenBy(const nlohmann::json& run) {
  std::vector<std::string> options;
  if (const std::string filter = run.value("filter", ""); !filter.empty()) options.push_back("--filter " + filter);
  for (const auto& tag : run.value("tags", std::vector<std::string>())) {
    options.push_back(tag == "quick.txt" ? "--quick" : "--tag " + tag);
  }
  if (const std::string shard = run.value("shard", "1/1"); shard != "1/1") options.push_back("--shard " + shard);
  return JoinText(options, " ");
}

// Returns the reason why a check that breaks no profile makes no claim; empty if it makes one.
std::string WithoutAClaim(const ProfileMet& met, bool is_whole) {
  if (!is_whole) return "the check ended before all cases had run";
  if (met.proven > 0 && met.proven >= kLeastCoverage * met.cases) return "";
  return fmt::format(
      "{} of {} cases prove something, and a claim needs half of them; --filter chooses cases for a "
      "narrower claim",
      met.proven, met.cases);
}

BrokenProfile FindBroken(const CheckReport& report, std::ptrdiff_t too_strict) {
  BrokenProfile broken = {.profile = kProfileChain[too_strict - 1]};
  for (const CheckEntry& entry : report.entries()) {
    if (!IsJudged(entry) || TooStrict(entry) < too_strict) continue;
    ++broken.cases;
    const bool is_smaller =
        broken.smallest == nullptr || entry.outcome.judgement.elements < broken.smallest->outcome.judgement.elements;
    if (is_smaller) broken.smallest = &entry;
  }
  return broken;
}

}  // namespace

std::string ProfileMet::ToString() const {
  if (!without_a_claim.empty()) return "profile met: not claimed: " + without_a_claim;
  std::string text = "profile met: none";
  if (!profile.empty()) {
    text = fmt::format("profile met: {}, on {} of {} cases{}", profile, proven, cases,
                       chosen_by.empty() ? "" : fmt::format(" ({})", chosen_by));
  }
  if (!next) return text;
  return fmt::format("{}; outside of {}, the {}, {} {} case{}, the smallest {}", text, next->profile,
                     profile.empty() ? "widest" : "next stricter one", next->cases == 1 ? "is" : "are", next->cases,
                     next->cases == 1 ? "" : "s", next->smallest->outcome.name);
}

nlohmann::json ProfileMet::ToJson() const {
  nlohmann::json json = {{"profile", profile.empty() ? nlohmann::json() : nlohmann::json(profile)},
                         {"cases", cases},
                         {"proven", proven},
                         {"text", ToString()}};
  if (next) {
    json["next"] = {{"profile", next->profile}, {"cases", next->cases}, {"smallest", next->smallest->outcome.name}};
  }
  return json;
}

std::optional<ProfileMet> FindProfileMet(const CheckReport& report, const nlohmann::json& run, bool is_whole) {
  ProfileMet met;
  met.chosen_by = ChosenBy(run);
  std::ptrdiff_t too_strict = 0;
  for (const CheckEntry& entry : report.entries()) {
    met.cases += entry.outcome.is_model() ? 0 : 1;
    met.proven += IsProven(entry) ? 1 : 0;
    if (IsJudged(entry)) too_strict = std::max(too_strict, TooStrict(entry));
  }
  if (met.cases == 0) return std::nullopt;
  const bool breaks_all = too_strict == std::ssize(kProfileChain);
  if (!breaks_all) met.without_a_claim = WithoutAClaim(met, is_whole);
  if (!met.without_a_claim.empty()) return met;
  if (!breaks_all) met.profile = kProfileChain[too_strict];
  if (too_strict > 0) met.next = FindBroken(report, too_strict);
  return met;
}

}  // namespace assay
