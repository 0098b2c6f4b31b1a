// Custom calls that call functions of the program that loaded the plugin.
#pragma once

#include <cstddef>

#include "interpreter/types/result.h"

namespace assay::pjrt {

// The target of such calls. The backend_config is the number of the function.
inline constexpr const char* kCallbackTarget = "assay_callback";

// Registers the target. May be called more than once.
Status RegisterHostCallbacks();

}  // namespace assay::pjrt

extern "C" {
// Calls the function with a number. `operands` and `results` point to the elements of arrays, row-major; `results` are
// to be written. Returns null, or a message that stays valid until the next call on this thread.
using AssayCallback = const char* (*)(long number, void** operands, void** results);

// Sets the function that all calls of the target reach.
void AssaySetCallback(AssayCallback callback);
}
