// The peak rates of the device, against which kernels are measured.
#pragma once

#include <cstdint>
#include <optional>

#include "backends/cuda/device/device.h"
#include "interpreter/types/result.h"

namespace assay::cuda {

// The rates of a device: medians of several measurements by CUDA events.
struct DeviceRates {
  // Bytes per second that a copy on the device reads and writes.
  double copied_bytes = 0;
  // Multiplications and additions per second of cuBLASLt, for square matrices of bf16 with a result of bf16. nullopt if
  // the library is missing or does not support this product.
  std::optional<double> dot_operations;
};

// Measures a copy of `bytes` and a product of matrices with `size` rows. Fails with kLimit if the device lacks the
// memory, or with kBackend.
Result<DeviceRates> MeasureRates(Device& device, std::int64_t bytes, std::int64_t size);

}  // namespace assay::cuda
