// The counter-based generators of Salmon, Moraes, Dror and Shaw, "Parallel Random Numbers: As Easy as 1, 2, 3" (2011).
#pragma once

#include <array>
#include <cstdint>

namespace assay {

// Philox4x32 with 10 rounds.
std::array<std::uint32_t, 4> Philox4x32(std::array<std::uint32_t, 4> counter, std::array<std::uint32_t, 2> key);
// Threefry2x32 with 20 rounds.
std::array<std::uint32_t, 2> ThreeFry2x32(std::array<std::uint32_t, 2> counter, std::array<std::uint32_t, 2> key);

}  // namespace assay
