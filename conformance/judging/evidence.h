// A golden that failed, as a report shows it: what was run, on what, what was wanted and what came. Text for a reader:
// long modules and large arrays are cut. `assay repro` has all of it.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <vector>

#include "interpreter/hlo/module.h"
#include "interpreter/types/literal.h"

namespace assay {

// So much of a module's text, and of an array's elements, is shown.
inline constexpr std::size_t kModuleBytesShown = 4000;
inline constexpr std::int64_t kElementsShown = 64;

struct Evidence {
  std::string module;
  std::vector<std::string> inputs;  // those of device 0, then of device 1, and so on
  std::string want;
  std::string got;  // empty: nothing came

  nlohmann::json ToJson() const;
  // Throws nlohmann::json::exception where something is missing or of another kind.
  static Evidence FromJson(const nlohmann::json& json);
};

// `got` may be null.
Evidence EvidenceOf(const HloModule& module, std::span<const Literal> arguments, const Literal& want,
                    const Literal* got);

}  // namespace assay
