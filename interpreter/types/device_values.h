// What each device of a module has: its arguments, say.
#pragma once

#include <cstdint>
#include <vector>

#include "interpreter/types/literal.h"

namespace assay {

// A list for each device, in the order of the flattened ids, replica * num_partitions + partition.
using DeviceValues = std::vector<std::vector<Literal>>;

// An instruction that devices execute together is judged, and written down, as one: its operands are those of all
// devices, one list after the other; its result is the tuple of theirs where there are several.
std::vector<Literal> Flat(const DeviceValues& values);
DeviceValues ByDevice(std::int64_t device_count, std::vector<Literal> flat);  // as many for each
Literal OfAllDevices(std::vector<Literal> results);

}  // namespace assay
