// Faults of a whole backend that show only in large results or on other devices. Each is the reference with damaged
// results. A corpus of small arrays notices none of them.
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "backends/backend.h"
#include "interpreter/types/literal.h"

namespace assay {

struct Damage {
  std::string_view id;
  std::string_view fault;  // in a sentence
  // Damages an array of the result, or leaves it unchanged.
  void (*damage_array)(Literal& array) = nullptr;
  // Damages the results of all devices.
  void (*damage_devices)(PerDevice<Literal>& results) = nullptr;
};

const std::vector<Damage>& AllDamages();

// Opens the backend `mutant:ID` of one of these faults; returns null for another id.
std::unique_ptr<Backend> OpenDamaged(std::string_view id);

}  // namespace assay
