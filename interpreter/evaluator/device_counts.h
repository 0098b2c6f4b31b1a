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
// them and the caller allows it. Returns a sentence that says what names them and how many there are now; nothing where
// no more are named.
std::optional<std::string> RunOnNamedDevices(HloModule& module, bool may_set_replicas = true,
                                             bool may_set_partitions = true);

}  // namespace assay
