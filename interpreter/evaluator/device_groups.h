// The devices that a collective connects, for code that does not run it.
#pragma once

#include <optional>
#include <vector>

#include "interpreter/hlo/device.h"

namespace assay {

// Returns the devices of a device's group, in the group's order, on the devices of the collective's module; empty if no
// group contains the device. Throws EvaluationError if a group names a device that the module does not have.
std::vector<DeviceId> GroupOf(const HloInstruction& collective, DeviceId device);

// Returns the device whose operand a device receives from a collective-permute; nothing if it receives zeros. Throws as
// GroupOf does.
std::optional<DeviceId> SourceOf(const HloInstruction& permute, DeviceId device);

}  // namespace assay
