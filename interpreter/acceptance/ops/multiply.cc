#include <algorithm>
#include <cmath>

#include "interpreter/acceptance/ops/common/complex_images.h"
#include "interpreter/acceptance/ops/common/images.h"
#include "interpreter/acceptance/ops/records.h"

namespace assay {
namespace {

bool MayBeInfinite(const Reals& x) { return std::isinf(x.low) || std::isinf(x.high); }
bool MayBeFinite(const Reals& x) { return x.low != x.high || std::isfinite(x.low); }

// Returns the hull of the products of the ends. Infinity times zero is NaN.
Reals Product(const HloInstruction& instruction, std::span<const Reals> x) {
  if (x[0].IsEmpty() || x[1].IsEmpty()) return Reals::Nan();
  Reals image = Reals::Nan();
  image.may_be_nan = x[0].may_be_nan || x[1].may_be_nan;
  for (const double a : {x[0].low, x[0].high}) {
    for (const double b : {x[1].low, x[1].high}) {
      if (!std::isnan(a * b)) image = {std::min(image.low, a * b), std::max(image.high, a * b), image.may_be_nan};
    }
  }
  for (const int k : {0, 1}) {
    if (!x[k].ContainsZero()) continue;
    image.may_be_nan |= MayBeInfinite(x[1 - k]);
    if (MayBeFinite(x[1 - k])) image = Hull(image, {0, 0, image.may_be_nan});
  }
  if (IsFloatingPointType(instruction.shape.element_type())) return Outward(image);
  return Wrapped(instruction.shape.element_type(), image);
}

}  // namespace

const OpAcceptance acceptance_multiply = {.op = &op_multiply,
                                          .complex_rule = Acceptance::kUlp,
                                          .folded = Acceptance::kProduct,
                                          .image = RealOrComplex<ByElement<Product>, ComplexProduct>};

}  // namespace assay
