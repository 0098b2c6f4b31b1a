#include <fmt/format.h>

#include <cstdint>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "backends/cuda/device/rates.h"
#include "tools/bench/arguments.h"
#include "tools/exit_code.h"

namespace assay {
namespace {

int Fail(const Error& error) {
  fmt::print(stderr, "{}\n", error.message);
  return ExitCode(error);
}

}  // namespace

int BenchDevice(BenchArguments arguments) {
  std::int64_t bytes = std::int64_t{1} << 30, rows = 8192;
  const bool is_read = ReadArguments("device", arguments, [&](CLI::App& bench) {
    AddNumber(bench, "bytes", bytes, "that are copied", 1);
    AddNumber(bench, "rows", rows, "of the bf16 matrices", 1);
  });
  if (!is_read) return 2;
  const auto device = cuda::Device::Open();
  if (!device) return Fail(device.error());
  const Result<cuda::DeviceRates> rates = cuda::MeasureRates(**device, bytes, rows);
  if (!rates) return Fail(rates.error());
  nlohmann::ordered_json line = {{"name", (*device)->name()}, {"copied_bytes", rates->copied_bytes}};
  line["dot_operations"] = rates->dot_operations ? nlohmann::ordered_json(*rates->dot_operations) : nullptr;
  fmt::print("{}\n", line.dump());
  return 0;
}

}  // namespace assay
