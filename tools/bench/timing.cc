#include "tools/bench/timing.h"

#include <chrono>

namespace assay {

double SecondsOf(const std::function<void()>& work, int runs) {
  const auto start = std::chrono::steady_clock::now();
  for (int i = 0; i < runs; ++i) work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() / runs;
}

}  // namespace assay
