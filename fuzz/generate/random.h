// The source of all random choices, the same for a seed on every platform. No draw uses a distribution of the standard
// library, nor its logarithms and sines, whose last bits differ between libraries. No call has two draws as arguments,
// whose order differs between compilers.
#pragma once

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <numeric>
#include <ranges>
#include <utility>
#include <vector>

#include "interpreter/types/split_mix.h"

namespace assay::generate {

class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}

  std::uint64_t Bits() { return SplitMix(state_ += kSplitMixStep); }

  // Draws from [0, n); n must be positive.
  std::int64_t Below(std::int64_t n) {
    __extension__ using Wide = unsigned __int128;
    return static_cast<std::int64_t>(static_cast<Wide>(Bits()) * static_cast<std::uint64_t>(n) >> 64);
  }
  // Draws from [least, most].
  std::int64_t Between(std::int64_t least, std::int64_t most) { return least + Below(most - least + 1); }
  bool OneIn(std::int64_t n) { return Below(n) == 0; }
  bool Flip() { return OneIn(2); }

  // Draws a multiple of 2^-53 from [0, 1).
  double Unit() { return static_cast<double>(Bits() >> 11) * 0x1p-53; }
  // Draws a nearly normal number with mean 0 and deviation 1: the sum of twelve numbers of [0, 1), less 6.
  double Normal() {
    double sum = -6;
    for (int i = 0; i < 12; ++i) sum += Unit();
    return sum;
  }

  // Draws an element of a list that is not empty.
  template <class T>
  T OneOf(std::initializer_list<T> list) {
    return *(list.begin() + Below(static_cast<std::int64_t>(list.size())));
  }
  template <std::ranges::random_access_range Range>
  auto OneOf(const Range& range) {
    return std::ranges::begin(range)[Below(static_cast<std::int64_t>(std::ranges::size(range)))];
  }

  template <class T>
  void Shuffle(std::vector<T>& list) {
    for (std::size_t i = list.size(); i > 1; --i) {
      std::swap(list[i - 1], list[static_cast<std::size_t>(Below(static_cast<std::int64_t>(i)))]);
    }
  }
  // Draws a permutation of 0, 1, ..., n - 1.
  std::vector<std::int64_t> Permutation(std::int64_t n) {
    std::vector<std::int64_t> list(n);
    std::iota(list.begin(), list.end(), 0);
    Shuffle(list);
    return list;
  }
  // Draws `count` different numbers below n, in random order.
  std::vector<std::int64_t> Some(std::int64_t count, std::int64_t n) {
    std::vector<std::int64_t> list = Permutation(n);
    list.resize(count);
    return list;
  }
  // Draws `count` different numbers below n, ascending.
  std::vector<std::int64_t> SortedSome(std::int64_t count, std::int64_t n) {
    std::vector<std::int64_t> list = Some(count, n);
    std::ranges::sort(list);
    return list;
  }

 private:
  std::uint64_t state_;
};

}  // namespace assay::generate
