// The module, inputs, expected and actual results of a failed golden, as text in a report. Long modules and large
// arrays are cut; `assay repro` writes them whole.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <vector>

#include "interpreter/hlo/module.h"
#include "interpreter/types/literal.h"

namespace assay {

// The limits on the bytes of a module and the elements of an array that are shown.
inline constexpr std::size_t kModuleBytesShown = 4000;
inline constexpr std::int64_t kElementsShown = 64;

struct Evidence {
  std::string module;
  std::vector<std::string> inputs;  // those of device 0, then of device 1, and so on
  std::string want;
  std::string got;  // empty: the backend returned nothing

  nlohmann::json ToJson() const;
  // Throws nlohmann::json::exception if a field is absent or has another type.
  static Evidence FromJson(const nlohmann::json& json);
};

// `got` may be null.
Evidence EvidenceOf(const HloModule& module, std::span<const Literal> arguments, const Literal& want,
                    const Literal* got);

}  // namespace assay
