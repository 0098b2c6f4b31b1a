// Sets the device counts of a module from the devices that it names (ops/named_devices.h).
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "interpreter/hlo/module.h"

namespace assay {

// The most devices that a module receives unless the user asks for more.
constexpr std::int64_t kMostNamedDevices = 1024;

// Sets a replica count (partition count) of one to the number that the module's groups, pairs and shapes name, if the
// module is legal with it and the caller allows it. First expands the shard_maps of JAX (hlo/shard_maps.h). Returns a
// sentence with the construct that names the devices and their number now; nothing if no more devices are named. If a
// shard_map cannot be expanded, the sentence has the reason, and evaluating the shard_map is an error.
std::optional<std::string> RunOnNamedDevices(HloModule& module, bool may_set_replicas = true,
                                             bool may_set_partitions = true);

}  // namespace assay
