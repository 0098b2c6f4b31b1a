// A module and its arguments as one module without parameters.
#pragma once

#include <memory>

#include "interpreter/hlo/module.h"
#include "interpreter/types/per_device.h"
#include "interpreter/types/result.h"

namespace assay {

// Returns the module's entry, called on constants. Integers are constants; floats are integers with the same bits and a
// bitcast-convert, so that text preserves every NaN and -0. Each device selects its own row of a constant by replica-id
// and partition-id. There is one row more than devices, so no compiler can fold the program away, and an opt-barrier
// separates the constants from the call. Aliases of the entry's buffers are dropped. Fails with kUnsupported for
// parameters that cannot be constants: opaque values and buffers. Tokens are created.
Result<std::unique_ptr<HloModule>> SelfContained(const HloModule& module, const DeviceValues& arguments);

}  // namespace assay
