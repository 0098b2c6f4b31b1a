#include "backends/cuda/device/rates.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <functional>
#include <memory>
#include <mutex>
#include <vector>

namespace assay::cuda {
namespace {

constexpr int kFirst = 2;  // warm-up runs
constexpr int kTimes = 9;

// Returns the median of the times.
Result<double> SecondsOf(Device& device, const std::function<Status()>& enqueue) {
  std::array<double, kTimes> seconds{};
  for (int i = -kFirst; i < kTimes; ++i) {
    device.StartTiming();
    const Status status = enqueue();
    ASSAY_TRY(const double time, device.EndTiming());
    ASSAY_CHECK_OK(status);
    if (i >= 0) seconds[static_cast<std::size_t>(i)] = time;
  }
  std::ranges::nth_element(seconds, seconds.begin() + kTimes / 2);
  return seconds[kTimes / 2];
}

}  // namespace

Result<DeviceRates> MeasureRates(Device& device, std::int64_t bytes, std::int64_t size) {
  const std::lock_guard lock(device.mutex());
  ASSAY_CHECK_OK(device.Enter());
  DeviceRates rates;
  {
    ASSAY_TRY(const std::shared_ptr<Buffer> from, device.Allocate(bytes));
    ASSAY_TRY(const std::shared_ptr<Buffer> to, device.Allocate(bytes));
    ASSAY_TRY(const double seconds, SecondsOf(device, [&] { return device.CopyOnDevice(*from, *to, bytes); }));
    rates.copied_bytes = 2 * static_cast<double>(bytes) / seconds;
  }
  const Matmul product = {.operand_type = BF16, .result_type = BF16, .m = size, .n = size, .k = size};
  if (!device.TakesMatmul(product)) return rates;
  // All numbers are 0x3f3f, 0.746, because the previous contents of the memory might be NaNs.
  const std::int64_t matrix = 2 * size * size;
  std::array<std::shared_ptr<Buffer>, 3> matrices;
  const std::vector<std::byte> numbers(static_cast<std::size_t>(matrix), std::byte{0x3f});
  for (std::shared_ptr<Buffer>& one : matrices) {
    ASSAY_TRY(one, device.Allocate(matrix));
    ASSAY_CHECK_OK(device.CopyToDevice(numbers.data(), *one, matrix));
  }
  ASSAY_TRY(const double seconds, SecondsOf(device, [&] {
              return device.Multiply(product, matrices[0]->address(), matrices[1]->address(), matrices[2]->address());
            }));
  const auto rows = static_cast<double>(size);
  rates.dot_operations = 2 * rows * rows * rows / seconds;
  return rates;
}

}  // namespace assay::cuda
