#include "interpreter/custom_calls/activation.h"

#include <cmath>
#include <numbers>

#include "interpreter/custom_calls/stand_in.h"
#include "interpreter/ops/record.h"

namespace assay {
namespace {

// Returns x where it is positive, else `otherwise`. NaN is not positive, and both functions propagate it.
Literal WherePositive(const Literal& x, const Literal& otherwise) {
  return Elementwise(op_select, {Elementwise(op_compare, {x, Number(0)}, {{"direction", "GT"}}), x, otherwise});
}

// Returns x / 2 (1 + f).
Literal GatedBy(const Literal& x, const Literal& f) { return Times(Times(x, Number(0.5)), Plus(f, Number(1))); }

}  // namespace

Literal Activation::Of(const Literal& x) const {
  switch (kind) {
    case Kind::kNone:
      return x;
    case Kind::kRelu:
      return Elementwise(op_maximum, {x, Number(0)});
    case Kind::kRelu6:
      return Elementwise(op_clamp, {Number(0), x, Number(6)});
    case Kind::kLeakyRelu:
      return WherePositive(x, Times(x, Number(alpha)));
    case Kind::kElu:
      return WherePositive(x, Elementwise(op_exponential_minus_one, {x}));
    case Kind::kSigmoid:
      return Elementwise(op_logistic, {x});
    case Kind::kTanh:
      return Elementwise(op_tanh, {x});
    case Kind::kGelu: {
      const Literal inner = Plus(x, Times(Times(x, Times(x, x)), Number(0.044715)));
      return GatedBy(x, Elementwise(op_tanh, {Times(inner, Number(std::sqrt(2 * std::numbers::inv_pi)))}));
    }
    case Kind::kGeluExact:
      return GatedBy(x, Elementwise(op_erf, {Times(x, Number(1 / std::numbers::sqrt2))}));
    case Kind::kSilu:
      return Times(x, Elementwise(op_logistic, {x}));
    case Kind::kLinear:
      return Plus(Times(x, Number(alpha)), Number(beta));
  }
  return x;
}

double Activation::Slope() const {
  switch (kind) {
    case Kind::kSigmoid:
      return 0.25;
    case Kind::kLeakyRelu:
      return std::fmax(1, std::fabs(alpha));
    case Kind::kLinear:
      return std::fabs(alpha);
    case Kind::kGelu:
    case Kind::kGeluExact:
    case Kind::kSilu:
      return 1.13;  // gelu's slope, at sqrt(2); silu's is 1.0998
    default:
      return 1;
  }
}

double Activation::Roundings() const {
  switch (kind) {
    case Kind::kNone:
    case Kind::kRelu:
    case Kind::kRelu6:
      return 0;
    case Kind::kLeakyRelu:
      return 1;
    case Kind::kLinear:
      return 2;
    case Kind::kElu:
    case Kind::kSigmoid:
    case Kind::kTanh:
      return 4;  // functions whose error is a few units in the last place
    default:
      return 16;  // the argument's roundings, times its slope, the function's, and the products
  }
}

}  // namespace assay
