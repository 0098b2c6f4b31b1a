#include "spec_tests/cuda/host_driver/recording.h"

#include <utility>

namespace host_driver {
namespace {

constexpr int kCaptureUnsupported = 900;

bool is_recording = false, is_broken = false;
std::vector<Work> recorded;

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

// For the library of matrix products: does the work, or records it.
extern "C" __attribute__((visibility("default"))) void host_do(const std::function<void()>& work) {
  host_driver::Do([work] {
    work();
    return 0;
  });
}
