// Roots of unity as doubles and as double words.
#pragma once

#include <cstdint>
#include <type_traits>
#include <vector>

#include "interpreter/numerics/lanes.h"

namespace assay {

// What a root's parts are to numbers of each kind.
template <class Number>
struct RootOf {
  using Type = double;
};
template <class Number>
struct RootOf<lanes::WordOf<Number>> {
  using Type = lanes::WordOf<double>;
};

// e^(sign 2 pi i k / n) for all k, as products of two of some 2 sqrt(n) that MPFR has computed. Those of the k that are
// multiples of the first factor's step are MPFR's own: the multiples of a quarter turn are exact.
class RootTable {
 public:
  RootTable(std::int64_t n, bool inverse, bool in_words);

  // e^(sign 2 pi i k / n), for numbers of that kind.
  template <class Number>
  lanes::ComplexOf<typename RootOf<Number>::Type> Get(std::int64_t k) const {
    const lanes::ComplexOf<double> high = high_[k];
    if constexpr (std::is_same_v<typename RootOf<Number>::Type, double>) {
      return high;
    } else {
      const lanes::ComplexOf<double> low = low_.empty() ? lanes::ComplexOf<double>{0, 0} : low_[k];
      return {{high.real, low.real}, {high.imaginary, low.imaginary}};
    }
  }

  std::int64_t size() const { return n_; }

 private:
  std::int64_t n_;
  std::vector<lanes::ComplexOf<double>> high_, low_;
};

}  // namespace assay
