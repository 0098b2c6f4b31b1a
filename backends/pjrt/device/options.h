// The options of a client.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "backends/pjrt/abi/types.h"
#include "interpreter/types/result.h"

namespace assay::pjrt {

struct ClientOptions {
  int num_devices = 1;
  // The backend that evaluates: "reference", "simd" or "lawful:PROFILE:SEED".
  std::string engine = "reference";
  std::int64_t memory_limit = 0;  // bytes of the arrays of one execution; 0: that of the process
  double time_limit = 0;          // seconds of one execution; 0: none

  // Reads num_devices, engine (reference, simd), profile (exact, or lawful:PROFILE[:SEED]), memory_limit (bytes) and
  // time_limit (seconds). Numbers may be strings. Options of JAX's distributed runtime are ignored. Errors are kUsage.
  static Result<ClientOptions> Read(std::span<const PJRT_NamedValue> values);
};

}  // namespace assay::pjrt
