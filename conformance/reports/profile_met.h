// The claim of a check: the strictest profile that a backend meets, and the number of cases that the claim rests on.
// Every page, file and command that makes the claim prints ProfileMet::ToString().
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "conformance/reports/check_report.h"

namespace assay {

// A claim needs a verdict that proves something in this share of the cases of a check.
inline constexpr double kLeastCoverage = 0.5;

// A profile of kProfileChain that some cases do not meet, and the smallest such case by its number of elements.
struct BrokenProfile {
  std::string_view profile;
  int cases = 0;
  const CheckEntry* smallest = nullptr;
};

struct ProfileMet {
  // The strictest profile that all judged goldens meet; empty: there is none, or no claim is made. An ERROR, a TIMEOUT
  // and a CRASH meet no profile.
  std::string_view profile;
  // The next stricter profile, or the widest one if no profile is met; nothing if the strictest is met.
  std::optional<BrokenProfile> next;
  int cases = 0;                // goldens of the check
  int proven = 0;               // of these: neither UNSUPPORTED nor WEAK nor SUSPECT nor UNJUDGED
  std::string chosen_by;        // "--filter add/"; empty: the check has the whole corpus
  std::string without_a_claim;  // the reason why no claim is made; empty: the claim is made

  // "profile met: ieee, on 18 of 20 cases; outside of exact, the next stricter one, are 3 cases, the smallest
  // add/f32/x"
  std::string ToString() const;
  nlohmann::json ToJson() const;
};

// `run` has the fields of results.json that describe the run; `is_whole` is false if some of its cases have not run.
// Returns nothing if the report has no golden.
std::optional<ProfileMet> FindProfileMet(const CheckReport& report, const nlohmann::json& run, bool is_whole);

}  // namespace assay
