// The instruction sets of this machine for which simd has kernels.
#pragma once

#include <cstdint>

#include "backends/simd/targets.h"
#include "spec_tests/catch.h"
// clang-format off
#include <hwy/highway.h>
// clang-format on

namespace assay::simd {

// Calls `body` once for each instruction set.
template <class Body>
void OnEveryTarget(const Body& body) {
  for (const std::int64_t target : hwy::SupportedAndGeneratedTargets()) {
    INFO(hwy::TargetName(target));
    hwy::SetSupportedTargetsForTest(target);
    hwy::GetChosenTarget().Update(hwy::SupportedTargets());
    body();
  }
  hwy::SetSupportedTargetsForTest(0);
  hwy::GetChosenTarget().Update(hwy::SupportedTargets());
}

}  // namespace assay::simd
