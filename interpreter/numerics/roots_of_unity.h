// Roots of unity as doubles and as double words.
#pragma once

#include <cstdint>
#include <type_traits>
#include <vector>

#include "interpreter/numerics/lanes.h"

namespace assay {

// The type of a root's parts for numbers of type Number.
template <class Number>
struct RootOf {
  using Type = double;
};
template <class Number>
struct RootOf<lanes::WordOf<Number>> {
  using Type = lanes::WordOf<double>;
};

// A table of e^(sign 2 pi i k / n) for all k, as products of two of some 2 sqrt(n) roots from MPFR. If k is a multiple
// of the first factor's step, the root is MPFR's own: multiples of a quarter turn are exact.
class RootTable {
 public:
  RootTable(std::int64_t n, bool inverse, bool in_words);

  // Returns e^(sign 2 pi i k / n), for numbers of that type.
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
