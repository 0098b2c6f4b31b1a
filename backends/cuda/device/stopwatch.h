// How long work takes on the device, by CUDA events before and behind each piece of it.
#pragma once

#include <vector>

#include "backends/cuda/libraries/driver.h"

namespace assay::cuda {

class Stopwatch {
 public:
  explicit Stopwatch(const Driver& driver) : driver_(driver) {}
  ~Stopwatch();
  Stopwatch(const Stopwatch&) = delete;
  Stopwatch& operator=(const Stopwatch&) = delete;

  // Before a piece of work, and behind it.
  Status Mark(CUstream stream);
  // Of all pieces together. Waits until they are done.
  Result<double> Seconds() const;

 private:
  const Driver& driver_;
  std::vector<CUevent> events_;
};

}  // namespace assay::cuda
