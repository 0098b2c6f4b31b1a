#include "backends/pjrt/device/host_callbacks.h"

#include <atomic>
#include <cstring>
#include <string>

#include "interpreter/custom_calls/user_targets.h"
#include "interpreter/types/number_in_text.h"

namespace assay::pjrt {
namespace {

std::atomic<AssayCallback> the_callback = nullptr;

void CallHost(void* out, void** in, const char* opaque, std::size_t opaque_size, XlaCustomCallStatus* status) {
  constexpr std::size_t kLongestMessage = 16384;
  std::string message = "the program that loaded the plugin has no callbacks";
  message.resize(kLongestMessage);
  const AssayCallback callback = the_callback;
  const long number = NumberInText<long>({opaque, opaque_size}).value_or(-1);
  if (callback != nullptr && callback(number, in, out, message.data(), message.size()) == 0) return;
  message.back() = '\0';
  XlaCustomCallStatusSetFailure(status, message.c_str(), std::strlen(message.c_str()));
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
