#include "conformance/reports/profile_met.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>

namespace assay {
namespace {

bool IsJudged(const CheckEntry& entry) {
  const Outcome& outcome = entry.outcome;
  return !outcome.is_model() && !outcome.unjudged && outcome.verdict() != Verdict::kUnsupported;
}

// Returns the number of profiles in the chain that are too strict.
std::ptrdiff_t TooStrict(const CheckEntry& entry) {
  return std::ranges::find(kProfileChain, entry.outcome.narrowest_profile) - std::begin(kProfileChain);
}

}  // namespace

std::string ProfileMet::ToString() const {
  const std::string text = fmt::format("profile met: {}", profile.empty() ? "none" : profile);
  if (!next) return text;
  return fmt::format("{}; outside of {}, the {}, {} {} case{}, the smallest {}", text, next->profile,
                     profile.empty() ? "widest" : "next stricter one", next->cases == 1 ? "is" : "are", next->cases,
                     next->cases == 1 ? "" : "s", next->smallest->outcome.name);
}

nlohmann::json ProfileMet::ToJson() const {
  nlohmann::json json = {{"profile", profile.empty() ? nlohmann::json() : nlohmann::json(profile)}};
  if (next) {
    json["next"] = {{"profile", next->profile}, {"cases", next->cases}, {"smallest", next->smallest->outcome.name}};
  }
  return json;
}

std::optional<ProfileMet> FindProfileMet(const CheckReport& report) {
  std::ptrdiff_t too_strict = -1;
  for (const CheckEntry& entry : report.entries()) {
    if (IsJudged(entry)) too_strict = std::max(too_strict, TooStrict(entry));
  }
  if (too_strict < 0) return std::nullopt;
  ProfileMet met;
  if (too_strict < std::ssize(kProfileChain)) met.profile = kProfileChain[too_strict];
  if (too_strict == 0) return met;
  BrokenProfile next = {.profile = kProfileChain[too_strict - 1]};
  for (const CheckEntry& entry : report.entries()) {
    if (!IsJudged(entry) || TooStrict(entry) < too_strict) continue;
    ++next.cases;
    const bool is_smaller =
        next.smallest == nullptr || entry.outcome.judgement.elements < next.smallest->outcome.judgement.elements;
    if (is_smaller) next.smallest = &entry;
  }
  met.next = next;
  return met;
}

}  // namespace assay
