// Faults of a whole backend that show in large results, or on other devices, alone: each is the reference, whose
// results are damaged at the end. A corpus of small arrays notices none of them.
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
  // Of an array of the result. It may stay as it is.
  void (*damage_array)(Literal& array) = nullptr;
  // Of the results of all devices.
  void (*damage_devices)(PerDevice<Literal>& results) = nullptr;
};

const std::vector<Damage>& AllDamages();

// The backend `mutant:ID` for one of these; null where there is none.
std::unique_ptr<Backend> OpenDamaged(std::string_view id);

}  // namespace assay
