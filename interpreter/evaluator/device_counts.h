// Gives a module the devices that it names (ops/named_devices.h).
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "interpreter/hlo/module.h"

namespace assay {

// Modules are not given more devices than this without being asked to.
constexpr std::int64_t kMostNamedDevices = 1024;

// Where the module says one replica (one partition), and this is not what the caller wants, gives it those that it
// names, if it is legal with them. Says in words what names more devices than the module said and how many it has now;
// nothing when none are named.
std::optional<std::string> RunOnNamedDevices(HloModule& module, bool may_set_replicas = true,
                                             bool may_set_partitions = true);

}  // namespace assay
