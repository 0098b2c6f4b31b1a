// Which profiles a backend meets in all cases of a check.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "conformance/reports/check_report.h"

namespace assay {

// One of kProfileChain that some cases break, with the one of them that has the fewest elements.
struct BrokenProfile {
  std::string_view profile;
  int cases = 0;
  const CheckEntry* smallest = nullptr;
};

struct ProfileMet {
  // The strictest one that all goldens meet which the backend took; empty: there is none. An ERROR, a TIMEOUT and a
  // CRASH meet no profile.
  std::string_view profile;
  // The next stricter one; with no profile met, the widest; nothing where the strictest is met.
  std::optional<BrokenProfile> next;

  // "profile met: ieee; outside of exact, the next stricter one, are 3 cases, the smallest add/f32/x"
  std::string ToString() const;
  nlohmann::json ToJson() const;
};

// Nothing where no golden was judged.
std::optional<ProfileMet> FindProfileMet(const CheckReport& report);

}  // namespace assay
