// Finds the strictest profile that a backend meets in all cases of a check.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "conformance/reports/check_report.h"

namespace assay {

// A profile of kProfileChain that some cases do not meet, and the smallest such case by its number of elements.
struct BrokenProfile {
  std::string_view profile;
  int cases = 0;
  const CheckEntry* smallest = nullptr;
};

struct ProfileMet {
  // The strictest profile that all judged goldens meet; empty: there is none. An ERROR, a TIMEOUT and a CRASH meet no
  // profile.
  std::string_view profile;
  // The next stricter profile, or the widest one if no profile is met; nothing if the strictest is met.
  std::optional<BrokenProfile> next;

  // "profile met: ieee; outside of exact, the next stricter one, are 3 cases, the smallest add/f32/x"
  std::string ToString() const;
  nlohmann::json ToJson() const;
};

// Returns nothing if no golden was judged.
std::optional<ProfileMet> FindProfileMet(const CheckReport& report);

}  // namespace assay
