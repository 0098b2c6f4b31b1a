// SplitMix64 (Steele, Lea and Flood, "Fast splittable pseudorandom number generators", 2014), by place.
#pragma once

#include <cstdint>

namespace assay {

// The number that stands at `place`, counted from 0, in the sequence of `seed`. Neighbouring seeds and places give
// unrelated bits.
constexpr std::uint64_t SplitMix64(std::uint64_t seed, std::uint64_t place) {
  std::uint64_t z = seed + (place + 1) * 0x9E3779B97F4A7C15;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
  return z ^ (z >> 31);
}

}  // namespace assay
