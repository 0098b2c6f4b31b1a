// The functions that libraries apply to each element of a product.
#pragma once

#include "interpreter/types/literal.h"

namespace assay {

struct Activation {
  enum class Kind {
    kNone,
    kRelu,
    kRelu6,
    kLeakyRelu,  // x > 0 ? x : alpha x
    kElu,        // x > 0 ? x : e^x - 1
    kSigmoid,
    kTanh,
    kGelu,       // x / 2 (1 + tanh(sqrt(2 / pi) (x + 0.044715 x^3))): the approximation
    kGeluExact,  // x / 2 (1 + erf(x / sqrt(2)))
    kSilu,       // x / (1 + e^-x)
    kLinear,     // alpha x + beta
  };
  Kind kind = Kind::kNone;
  double alpha = 0;
  double beta = 0;

  // Applies the function to each element of an f64 array.
  Literal Of(const Literal& x) const;
  // Returns the largest magnitude of the function's slope.
  double Slope() const;
  // Returns the number of roundings in the usual forms of the function, each relative to |x| or to the function's
  // value. 0 for functions that only select one of several numbers.
  double Roundings() const;
};

}  // namespace assay
