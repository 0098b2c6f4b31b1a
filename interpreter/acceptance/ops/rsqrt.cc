#include <cmath>

#include "interpreter/acceptance/ops/common/complex_images.h"
#include "interpreter/acceptance/ops/common/images.h"
#include "interpreter/acceptance/ops/records.h"

namespace assay {
namespace {

// The result for -0 is -inf. Sets do not know the sign of a zero.
Reals ReciprocalRoot(const HloInstruction&, std::span<const Reals> x) {
  if (x[0].IsEmpty()) return Reals::Nan();
  if (x[0].ContainsZero()) return {-INFINITY, INFINITY, x[0].may_be_nan || x[0].low < 0};
  if (x[0].high < 0) return Reals::Nan();
  return Outward({1 / std::sqrt(x[0].high), 1 / std::sqrt(x[0].low), x[0].may_be_nan});
}

}  // namespace

const OpAcceptance acceptance_rsqrt = {.op = &op_rsqrt,
                                       .rule = Acceptance::kUlp,
                                       .image = RealOrComplex<ByElement<ReciprocalRoot>, ComplexReciprocalRoot>,
                                       .traits = Trait::kJumps};

}  // namespace assay
