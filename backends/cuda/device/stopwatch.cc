#include "backends/cuda/device/stopwatch.h"

namespace assay::cuda {

Stopwatch::~Stopwatch() {
  for (const CUevent event : events_) driver_.EventDestroy(event);
}

Status Stopwatch::Mark(CUstream stream) {
  CUevent event = nullptr;
  ASSAY_CUDA_CALL(driver_, EventCreate, &event, 0);
  events_.push_back(event);
  ASSAY_CUDA_CALL(driver_, EventRecord, event, stream);
  return {};
}

Result<double> Stopwatch::Seconds() const {
  double milliseconds = 0;
  for (std::size_t i = 0; i + 1 < events_.size(); i += 2) {
    float some = 0;
    ASSAY_CUDA_CALL(driver_, EventSynchronize, events_[i + 1]);
    ASSAY_CUDA_CALL(driver_, EventElapsedTime, &some, events_[i], events_[i + 1]);
    milliseconds += some;
  }
  return milliseconds / 1000;
}

}  // namespace assay::cuda
