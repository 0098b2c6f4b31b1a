// The counter-based generators of Salmon, Moraes, Dror and Shaw, "Parallel Random Numbers: As Easy as 1, 2, 3" (2011).
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "interpreter/hlo/module.h"

namespace assay {

// Philox4x32 with 10 rounds.
std::array<std::uint32_t, 4> Philox4x32(std::array<std::uint32_t, 4> counter, std::array<std::uint32_t, 2> key);
// Threefry2x32 with 20 rounds.
std::array<std::uint32_t, 2> ThreeFry2x32(std::array<std::uint32_t, 2> counter, std::array<std::uint32_t, 2> key);

// Returns the words of a number, the low one first.
std::array<std::uint32_t, 2> HalvesOf(std::uint64_t x);
// Returns the words of the counter low + high * 2^64, advanced by `blocks`.
std::array<std::uint32_t, 4> CounterOf(std::uint64_t low, std::uint64_t high, std::int64_t blocks);

// True if the algorithm of a rng-bit-generator is Threefry; otherwise it is Philox, the default on XLA:CPU, too.
bool IsThreeFry(const HloInstruction& generator);
// Returns the shape of the bits in a generator's result.
const Shape& BitsShape(const Shape& result);
// Returns the dimension along which the two words of a block of Threefry are neighbours: the first of even size, or
// else the first of the largest.
std::int64_t SplitDimension(std::span<const std::int64_t> dimensions);

}  // namespace assay
