// The peak rates of a CUDA device, for tools/bench/modules.py.
#pragma once

#include <span>
#include <string_view>

namespace assay {

// `bench device [BYTES [ROWS]]` prints a line of JSON: the device's name, the bytes a second that a copy of BYTES
// (2^30) reads and writes, and the operations a second of a product of bf16 matrices with ROWS (8192) rows, null
// without cuBLASLt. Returns 3 and prints the reason in one line if there is no device.
int BenchDevice(std::span<const std::string_view> arguments);

}  // namespace assay
