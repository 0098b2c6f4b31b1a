#include "conformance/exporting/sha256.h"

#include <fmt/format.h>

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>

namespace assay {
namespace {

using DigestWords = std::array<std::uint32_t, 8>;
constexpr std::size_t kDigestBlock = 64;  // bytes

// FIPS 180-4, 4.2.2 and 5.3.3: the first 32 bits of the fractions of the roots of the first primes.
struct Constants {
  Constants() {
    std::size_t count = 0;
    for (int n = 2; count < rounds.size(); ++n) {
      bool is_prime = true;
      for (int d = 2; d * d <= n; ++d) is_prime &= n % d != 0;
      if (!is_prime) continue;
      if (count < start.size()) start[count] = FractionOf(std::sqrt(static_cast<long double>(n)));
      rounds[count++] = FractionOf(std::cbrt(static_cast<long double>(n)));
    }
  }
  static std::uint32_t FractionOf(long double root) {
    return static_cast<std::uint32_t>((root - std::floor(root)) * 0x1p32L);
  }

  DigestWords start = {};
  std::array<std::uint32_t, 64> rounds = {};
};

// FIPS 180-4, 6.2.2.
void AddBlock(const unsigned char* block, const Constants& constants, DigestWords& digest) {
  std::array<std::uint32_t, 64> w = {};
  for (std::size_t i = 0; i < 16; ++i) {
    for (std::size_t j = 0; j < 4; ++j) w[i] = w[i] << 8 | block[4 * i + j];
  }
  for (std::size_t i = 16; i < 64; ++i) {
    const std::uint32_t a = w[i - 15], b = w[i - 2];
    w[i] = w[i - 16] + w[i - 7] + (std::rotr(a, 7) ^ std::rotr(a, 18) ^ a >> 3) +
           (std::rotr(b, 17) ^ std::rotr(b, 19) ^ b >> 10);
  }
  DigestWords s = digest;
  for (std::size_t i = 0; i < 64; ++i) {
    const std::uint32_t e = s[4], a = s[0];
    const std::uint32_t t1 = s[7] + (std::rotr(e, 6) ^ std::rotr(e, 11) ^ std::rotr(e, 25)) +
                             ((e & s[5]) ^ (~e & s[6])) + constants.rounds[i] + w[i];
    const std::uint32_t t2 =
        (std::rotr(a, 2) ^ std::rotr(a, 13) ^ std::rotr(a, 22)) + ((a & s[1]) ^ (a & s[2]) ^ (s[1] & s[2]));
    s = {t1 + t2, s[0], s[1], s[2], s[3] + t1, s[4], s[5], s[6]};
  }
  for (std::size_t i = 0; i < s.size(); ++i) digest[i] += s[i];
}

}  // namespace

std::string Sha256(std::string_view bytes) {
  static const Constants constants;
  DigestWords digest = constants.start;
  const auto* data = reinterpret_cast<const unsigned char*>(bytes.data());
  const std::size_t whole = bytes.size() / kDigestBlock * kDigestBlock;
  for (std::size_t at = 0; at < whole; at += kDigestBlock) AddBlock(data + at, constants, digest);
  // The last blocks: the remaining bytes, a one bit, zeros, and the number of bits.
  std::array<unsigned char, 2 * kDigestBlock> end = {};
  const std::size_t rest = bytes.size() - whole;
  if (rest > 0) std::memcpy(end.data(), data + whole, rest);
  end[rest] = 0x80;
  const std::size_t size = rest + 9 <= kDigestBlock ? kDigestBlock : 2 * kDigestBlock;
  for (std::size_t i = 0; i < 8; ++i) {
    end[size - 1 - i] = static_cast<unsigned char>(std::uint64_t{bytes.size()} * 8 >> 8 * i);
  }
  for (std::size_t at = 0; at < size; at += kDigestBlock) AddBlock(end.data() + at, constants, digest);
  std::string text;
  for (const std::uint32_t word : digest) text += fmt::format("{:08x}", word);
  return text;
}

}  // namespace assay
