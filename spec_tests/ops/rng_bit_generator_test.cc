// rng-bit-generator (XLA, Operation Semantics: RngBitGenerator).
#include <array>
#include <cstdint>

#include "interpreter/ops/common/random_bits.h"
#include "spec_tests/catch.h"

namespace assay::testing {
namespace {

// The known answers published by the authors of the generators.
TEST_CASE("Philox4x32 and Threefry2x32: known answers") {
  constexpr std::uint32_t kAll = 0xffffffff;
  CHECK(Philox4x32({0, 0, 0, 0}, {0, 0}) ==
        std::array<std::uint32_t, 4>{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8});
  CHECK(Philox4x32({kAll, kAll, kAll, kAll}, {kAll, kAll}) ==
        std::array<std::uint32_t, 4>{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd});
  CHECK(ThreeFry2x32({0, 0}, {0, 0}) == std::array<std::uint32_t, 2>{0x6b200159, 0x99ba4efe});
  CHECK(ThreeFry2x32({kAll, kAll}, {kAll, kAll}) == std::array<std::uint32_t, 2>{0x1cb996fc, 0xbb002be7});
}

}  // namespace
}  // namespace assay::testing
