// A module and its arguments as one module without parameters.
#pragma once

#include <memory>

#include "interpreter/hlo/module.h"
#include "interpreter/types/per_device.h"
#include "interpreter/types/result.h"

namespace assay {

// The module's entry, called on constants: integers as they are, floats as the integers of their bits, turned by
// bitcast-convert, so that every NaN and -0 survives a text. Each device takes its own row of a constant by replica-id
// and partition-id; there is a row more than devices, so no compiler can fold the program away, and an
// optimization-barrier keeps the two apart. Aliases of the entry's buffers stay behind. kUnsupported for parameters
// that no constant can be: tokens are made, but opaque values and buffers cannot be.
Result<std::unique_ptr<HloModule>> SelfContained(const HloModule& module, const DeviceValues& arguments);

}  // namespace assay
