#include "spec_tests/cuda/host_driver/recording.h"

#include <utility>

#include "spec_tests/cuda/host_driver/checks.h"

namespace host_driver {
namespace {

constexpr int kCaptureUnsupported = 900, kLaunchFailed = 719;

// Each thread of the host has a stream of its own.
thread_local bool is_recording = false, is_broken = false;
thread_local std::vector<Work> recorded;

}  // namespace

bool IsRecording() { return is_recording; }

void StartRecording() {
  is_recording = true;
  is_broken = false;
  recorded.clear();
}

std::vector<Work> EndRecording(bool& is_whole) {
  is_recording = false;
  is_whole = !is_broken;
  return std::exchange(recorded, {});
}

int Do(Work work) {
  if (!is_recording) return work();
  recorded.push_back(std::move(work));
  return 0;
}

int UnlessRecording() {
  if (!is_recording) return 0;
  is_broken = true;
  return kCaptureUnsupported;
}

}  // namespace host_driver

using namespace host_driver;

// Called by the library of matrix products: does or records the work, and checks each access. Returns 0 unless
// something is found.
extern "C" __attribute__((visibility("default"))) int host_do(const std::function<void()>& work) {
  return Do([work] {
    checks::StartLaunch(0, 0);
    work();
    return checks::EndLaunch() ? 0 : kLaunchFailed;
  });
}
extern "C" __attribute__((visibility("default"))) void host_look(std::uintptr_t address, std::size_t bytes,
                                                                 bool writes) {
  checks::Access(address, bytes, writes);
}
