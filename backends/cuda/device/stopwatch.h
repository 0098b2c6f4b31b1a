// A stopwatch of work on the device, by CUDA events before and after each piece.
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

  // Records an event; called before and after a piece of work.
  Status Mark(CUstream stream);
  // Returns the time of all pieces. Waits until they are done.
  Result<double> Seconds() const;

 private:
  const Driver& driver_;
  std::vector<CUevent> events_;
};

}  // namespace assay::cuda
