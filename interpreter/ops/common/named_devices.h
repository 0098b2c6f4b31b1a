// How many devices a module means to run on. Its header may say one, or nothing, while its collectives name more.
#pragma once

#include <cstdint>
#include <string>

#include "interpreter/hlo/module.h"

namespace assay {

struct NamedDevices {
  std::int64_t replicas = 1;
  std::int64_t partitions = 1;
  std::string why;  // "replica_groups of gather (line 5) name 4 devices"; empty when nothing names a second one
};

// The least grid, not below the module's own, that has a device for each id in groups and source-target pairs, and as
// many in a group as the shapes of a gather, a scatter or an exchange say. Flattened ids that need more than the others
// count as replicas. The module must have passed the verifier.
NamedDevices DevicesNamedBy(const HloModule& module);

}  // namespace assay
