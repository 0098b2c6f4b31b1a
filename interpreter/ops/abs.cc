#include <algorithm>
#include <cmath>

#include "interpreter/ops/common/elementwise.h"
#include "interpreter/ops/common/images.h"
#include "interpreter/ops/plain/element_wise.h"

namespace assay {

namespace {

Reals Magnitude(const HloInstruction& instruction, std::span<const Reals> x) {
  if (IsComplexType(instruction.operand(0).shape.element_type())) return {0, AnyOf(F64).high, true};
  const PrimitiveType type = instruction.shape.element_type();
  if (IsIntegralType(type) && x[0].low <= AnyOf(type).low) return AnyOf(type);  // the least has no magnitude
  const double low = std::fabs(x[0].low), high = std::fabs(x[0].high);
  return {x[0].ContainsZero() ? 0 : std::min(low, high), std::max(low, high), x[0].may_be_nan};
}

}  // namespace

const Op op_abs = {
    .name = "abs",
    .meaning = "The magnitude of each element; for complex elements the modulus.",
    .legality = {.arity = Exactly(1), .types = kSignedIntegral | kFloats | kComplex, .infer = InferComponent},
    .evaluation = {.kernel = plain::ElementWise<[](auto a) { return Abs(a); }, kArrays>},
    .acceptance = {.complex_rule = Acceptance::kUlp, .image = ByElement<Magnitude>},
};

}  // namespace assay
