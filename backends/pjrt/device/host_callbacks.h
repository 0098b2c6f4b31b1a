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
// Calls the function with a number. `operands` are pointers to the elements of arrays, row-major. `results` points to
// the elements of a single result, else to such pointers; all elements are to be written. Returns 0, or another number
// after it has written a message, which ends with a zero byte, to the place for it.
using AssayCallback = int (*)(long number, void** operands, void* results, char* message, std::size_t message_size);

// Sets the function that all calls of the target reach.
void AssaySetCallback(AssayCallback callback);
}
