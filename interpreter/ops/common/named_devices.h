// The devices that a module is meant to run on. Its header may name one or none, although its collectives name more.
#pragma once

#include <cstdint>
#include <string>

#include "interpreter/hlo/module.h"

namespace assay {

struct NamedDevices {
  std::int64_t replicas = 1;
  std::int64_t partitions = 1;
  std::string why;  // "replica_groups of gather (line 5) name 4 devices"; empty if only one device is named
};

// Returns the smallest grid, not below the module's own, that has a device for each id in groups and source-target
// pairs, and groups as large as the shapes of gathers, scatters and exchanges imply. Flattened ids that need more than
// the others count as replicas. The module must have passed the verifier.
NamedDevices DevicesNamedBy(const HloModule& module);

}  // namespace assay
