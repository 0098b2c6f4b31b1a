// What a CUDA device does at best, for tools/bench/modules.py.
#pragma once

#include <span>
#include <string_view>

namespace assay {

// `bench device [BYTES [ROWS]]` prints a line of JSON: the device's name, the bytes that a copy of so many (2^30) reads
// and writes in a second, and the operations a second of a product of bf16 matrices of so many rows (8192), null
// without cuBLASLt. The exit code is 3 where there is no device, with one line of what is missing.
int BenchDevice(std::span<const std::string_view> arguments);

}  // namespace assay
