#include "plugin/host_callbacks.h"

#include <atomic>
#include <cstdlib>
#include <cstring>
#include <string>

#include "interpreter/custom_calls/user_targets.h"

namespace assay::pjrt {
namespace {

std::atomic<AssayCallback> the_callback = nullptr;

void CallHost(void* out, void** in, const char* opaque, std::size_t opaque_size, XlaCustomCallStatus* status) {
  const AssayCallback callback = the_callback;
  const char* message = "the program that loaded the plugin has no callbacks";
  if (callback != nullptr) {
    // The result is a tuple: pointers to its arrays.
    message = callback(std::atol(std::string(opaque, opaque_size).c_str()), in, static_cast<void**>(out));
  }
  if (message != nullptr) XlaCustomCallStatusSetFailure(status, message, std::strlen(message));
}

}  // namespace

Status RegisterHostCallbacks() {
  static const Status status = RegisterCustomCall(kCallbackTarget, CallHost);
  return status;
}

}  // namespace assay::pjrt

extern "C" __attribute__((visibility("default"))) void AssaySetCallback(AssayCallback callback) {
  assay::pjrt::the_callback = callback;
}
