#include <algorithm>
#include <cmath>
#include <numbers>

#include "interpreter/acceptance/ops/common/complex_images.h"
#include "interpreter/acceptance/ops/common/images.h"
#include "interpreter/acceptance/ops/records.h"

namespace assay {
namespace {

// Grows between two poles. Beyond 2^20 the poles are not located well enough.
Reals Tangent(const HloInstruction&, std::span<const Reals> x) {
  constexpr double kLargest = 0x1p20, kSlack = 0x1p-20;
  if (x[0].IsEmpty()) return Reals::Nan();
  const double first = x[0].low / std::numbers::pi + 0.5, last = x[0].high / std::numbers::pi + 0.5;
  const bool is_located = std::max(std::fabs(first), std::fabs(last)) < kLargest;
  if (!is_located || std::floor(first - kSlack) != std::floor(last + kSlack)) return {};
  return Outward(Outward({std::tan(x[0].low), std::tan(x[0].high), x[0].may_be_nan}));
}

}  // namespace

const OpAcceptance acceptance_tan = {.op = &op_tan,
                                     .rule = Acceptance::kUlp,
                                     .image = RealOrComplex<ByElement<Tangent>, ComplexTan>,
                                     .traits = Trait::kJumps};

}  // namespace assay
