#include "interpreter/ops/common/random_bits.h"

#include <algorithm>
#include <bit>

namespace assay {

std::array<std::uint32_t, 4> Philox4x32(std::array<std::uint32_t, 4> counter, std::array<std::uint32_t, 2> key) {
  for (int round = 0; round < 10; ++round) {
    const std::uint64_t product0 = std::uint64_t{0xD2511F53} * counter[0];
    const std::uint64_t product1 = std::uint64_t{0xCD9E8D57} * counter[2];
    counter = {static_cast<std::uint32_t>(product1 >> 32) ^ counter[1] ^ key[0], static_cast<std::uint32_t>(product1),
               static_cast<std::uint32_t>(product0 >> 32) ^ counter[3] ^ key[1], static_cast<std::uint32_t>(product0)};
    key[0] += 0x9E3779B9;  // golden ratio
    key[1] += 0xBB67AE85;  // sqrt(3) - 1
  }
  return counter;
}

std::array<std::uint32_t, 2> ThreeFry2x32(std::array<std::uint32_t, 2> counter, std::array<std::uint32_t, 2> key) {
  constexpr int kRotations[8] = {13, 15, 26, 6, 17, 29, 16, 24};
  const std::array<std::uint32_t, 3> schedule = {key[0], key[1], 0x1BD11BDA ^ key[0] ^ key[1]};
  std::uint32_t x0 = counter[0] + schedule[0], x1 = counter[1] + schedule[1];
  for (std::uint32_t group = 0; group < 5; ++group) {
    for (int round = 0; round < 4; ++round) {
      x0 += x1;
      x1 = std::rotl(x1, kRotations[group % 2 * 4 + round]) ^ x0;
    }
    x0 += schedule[(group + 1) % 3];
    x1 += schedule[(group + 2) % 3] + group + 1;
  }
  return {x0, x1};
}

std::array<std::uint32_t, 2> HalvesOf(std::uint64_t x) {
  return {static_cast<std::uint32_t>(x), static_cast<std::uint32_t>(x >> 32)};
}

std::array<std::uint32_t, 4> CounterOf(std::uint64_t low, std::uint64_t high, std::int64_t blocks) {
  const std::uint64_t moved = low + static_cast<std::uint64_t>(blocks);
  const auto lower = HalvesOf(moved), upper = HalvesOf(high + (moved < low ? 1 : 0));
  return {lower[0], lower[1], upper[0], upper[1]};
}

bool IsThreeFry(const HloInstruction& generator) { return generator.String("algorithm") == "rng_three_fry"; }

const Shape& BitsShape(const Shape& result) { return result.IsTuple() ? result.tuple_shapes(1) : result; }

std::int64_t SplitDimension(std::span<const std::int64_t> dimensions) {
  const auto even = std::ranges::find_if(dimensions, [](std::int64_t size) { return size % 2 == 0; });
  return (even != dimensions.end() ? even : std::ranges::max_element(dimensions)) - dimensions.begin();
}

}  // namespace assay
