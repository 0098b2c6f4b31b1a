#include "backends/cuda/kernels/text.h"

namespace assay::cuda {

// Blocks of counter-based generators (Salmon, Moraes, Dror and Shaw, Parallel random numbers: as easy as 1, 2, 3,
// 2011).
const std::string_view kTextOfRandomBits = R"(
struct random_words { u32 words[4]; };

inline random_words philox(u64 low, u64 high, u64 key) {
  u32 a = (u32)low, b = (u32)(low >> 32), c = (u32)high, d = (u32)(high >> 32);
  u32 key0 = (u32)key, key1 = (u32)(key >> 32);
  for (int round = 0; round < 10; ++round) {
    const u64 product0 = 0xd2511f53ull * a, product1 = 0xcd9e8d57ull * c;
    a = (u32)(product1 >> 32) ^ b ^ key0;
    c = (u32)(product0 >> 32) ^ d ^ key1;
    b = (u32)product1;
    d = (u32)product0;
    key0 += 0x9e3779b9u;
    key1 += 0xbb67ae85u;
  }
  return random_words{{a, b, c, d}};
}

inline u32 turned_left(u32 x, int places) { return x << places | x >> (32 - places); }
inline random_words three_fry(u64 counter, u64 key) {
  const int places[8] = {13, 15, 26, 6, 17, 29, 16, 24};
  const u32 schedule[3] = {(u32)key, (u32)(key >> 32), 0x1bd11bdau ^ (u32)key ^ (u32)(key >> 32)};
  u32 a = (u32)counter + schedule[0], b = (u32)(counter >> 32) + schedule[1];
#pragma unroll
  for (int group = 0; group < 5; ++group) {
#pragma unroll
    for (int round = 0; round < 4; ++round) {
      a += b;
      b = turned_left(b, places[group % 2 * 4 + round]) ^ a;
    }
    a += schedule[(group + 1) % 3];
    b += schedule[(group + 2) % 3] + group + 1;
  }
  return random_words{{a, b, 0, 0}};
}
)";

}  // namespace assay::cuda
