#include <fmt/format.h>

#include <charconv>
#include <cstdint>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "backends/cuda/device/rates.h"
#include "tools/bench/benchmarks.h"
#include "tools/exit_code.h"

namespace assay {
namespace {

constexpr std::int64_t kBytes = std::int64_t{1} << 30;
constexpr std::int64_t kRows = 8192;

int Fail(const Error& error) {
  fmt::print(stderr, "{}\n", error.message);
  return ExitCode(error);
}

}  // namespace

int BenchDevice(BenchArguments arguments) {
  std::int64_t numbers[] = {kBytes, kRows};
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::string_view text = arguments[i];
    const bool is_number =
        i < std::size(numbers) &&
        std::from_chars(text.data(), text.data() + text.size(), numbers[i]).ptr == text.data() + text.size();
    if (is_number && numbers[i] > 0) continue;
    fmt::print(stderr, "device takes a number of bytes, and one of rows, found {}\n", text);
    return 2;
  }
  const auto device = cuda::Device::Open();
  if (!device) return Fail(device.error());
  const Result<cuda::DeviceRates> rates = cuda::MeasureRates(**device, numbers[0], numbers[1]);
  if (!rates) return Fail(rates.error());
  nlohmann::ordered_json line = {{"name", (*device)->name()}, {"copied_bytes", rates->copied_bytes}};
  line["dot_operations"] = rates->dot_operations ? nlohmann::ordered_json(*rates->dot_operations) : nullptr;
  fmt::print("{}\n", line.dump());
  return 0;
}

}  // namespace assay
