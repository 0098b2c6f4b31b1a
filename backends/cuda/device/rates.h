// What the device does at best, which kernels are measured against.
#pragma once

#include <cstdint>
#include <optional>

#include "backends/cuda/device/device.h"
#include "interpreter/types/result.h"

namespace assay::cuda {

// Medians of several times, by CUDA events.
struct DeviceRates {
  // Bytes that a copy on the device reads and writes in a second.
  double copied_bytes = 0;
  // Multiplications and additions that cuBLASLt does in a second, of square matrices of bf16 with a result of bf16;
  // nothing where the library is not there, or does not take such a product.
  std::optional<double> dot_operations;
};

// Copies `bytes`, and multiplies matrices of `size` rows. Errors: kLimit where the device has not so much memory;
// kBackend.
Result<DeviceRates> MeasureRates(Device& device, std::int64_t bytes, std::int64_t size);

}  // namespace assay::cuda
