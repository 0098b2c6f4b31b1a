// What decides among lawful results: random numbers that depend on the seed alone.
#pragma once

#include <cstdint>
#include <random>

namespace assay {

// How often a profile's flush is used.
inline constexpr double kFlushes = 0.4;

class Noise {
 public:
  explicit Noise(std::uint64_t seed) : engine_(seed) {}

  std::uint64_t Bits() { return engine_(); }
  // In [0, 1).
  double Unit() { return static_cast<double>(engine_() >> 11) * 0x1p-53; }
  // In [-1, 1).
  double Signed() { return 2 * Unit() - 1; }
  bool Chance(double probability) { return Unit() < probability; }
  // In [0, n), n > 0.
  std::int64_t Below(std::int64_t n) { return static_cast<std::int64_t>(engine_() % static_cast<std::uint64_t>(n)); }

  template <class List>
  void Shuffle(List& list) {
    for (std::size_t i = list.size(); i > 1; --i) std::swap(list[i - 1], list[Below(static_cast<std::int64_t>(i))]);
  }

 private:
  std::mt19937_64 engine_;
};

}  // namespace assay
