// The random choice among lawful results. It depends on the seed alone.
#pragma once

#include <cstdint>
#include <random>

namespace assay {

// The probability of a flush that the profile allows.
inline constexpr double kFlushes = 0.4;

class Noise {
 public:
  explicit Noise(std::uint64_t seed) : engine_(seed) {}

  std::uint64_t Bits() { return engine_(); }
  // Returns a number in [0, 1).
  double Unit() { return static_cast<double>(engine_() >> 11) * 0x1p-53; }
  // Returns a number in [-1, 1).
  double Signed() { return 2 * Unit() - 1; }
  bool Chance(double probability) { return Unit() < probability; }
  // Returns a number in [0, n), for n > 0.
  std::int64_t Below(std::int64_t n) { return static_cast<std::int64_t>(engine_() % static_cast<std::uint64_t>(n)); }

  template <class List>
  void Shuffle(List& list) {
    for (std::size_t i = list.size(); i > 1; --i) std::swap(list[i - 1], list[Below(static_cast<std::int64_t>(i))]);
  }

 private:
  std::mt19937_64 engine_;
};

}  // namespace assay
