// Gives a module the devices that it names (ops/named_devices.h).
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "interpreter/hlo/module.h"

namespace assay {

// Modules are not given more devices than this without being asked to.
constexpr std::int64_t kMostNamedDevices = 1024;

// A module that says one replica (one partition) gets as many as its groups, pairs and shapes name, if it is legal with
// them and the caller allows it. Before that, the shard_maps of JAX are spelled out (hlo/shard_maps.h). Returns a
// sentence that says what names the devices and how many there are now; nothing where no more are named. Where a
// shard_map cannot be spelled out, the sentence says why: evaluating it is an error.
std::optional<std::string> RunOnNamedDevices(HloModule& module, bool may_set_replicas = true,
                                             bool may_set_partitions = true);

}  // namespace assay
