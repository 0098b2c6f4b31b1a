// SplitMix64 (Steele, Lea, Flood, "Fast splittable pseudorandom number generators", 2014): pseudorandom numbers, the
// same on every platform.
#pragma once

#include <cstdint>

namespace assay {

// The step between states of a sequence: number i of a seed is SplitMix(seed + (i + 1) * kSplitMixStep).
inline constexpr std::uint64_t kSplitMixStep = 0x9E3779B97F4A7C15;

constexpr std::uint64_t SplitMix(std::uint64_t z) {
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
  return z ^ (z >> 31);
}

}  // namespace assay
