#include <cmath>

#include "interpreter/ops/common/elementwise.h"
#include "interpreter/ops/common/images.h"
#include "interpreter/ops/plain/element_wise.h"

namespace assay {
namespace {

// That of -0 is -inf, and sets do not know the sign of a zero.
Reals ReciprocalRoot(const HloInstruction&, std::span<const Reals> x) {
  if (x[0].IsEmpty()) return Reals::Nan();
  if (x[0].ContainsZero()) return {-INFINITY, INFINITY, x[0].may_be_nan || x[0].low < 0};
  if (x[0].high < 0) return Reals::Nan();
  return Outward({1 / std::sqrt(x[0].high), 1 / std::sqrt(x[0].low), x[0].may_be_nan});
}

ElementSet Image(const HloInstruction& instruction, std::span<const ValueSet> operands, const Literal& value,
                 SetEvaluation&) {
  if (IsComplexType(value.element_type())) return Anything(value, &instruction).open;
  return MapElements(instruction, operands, value, ReciprocalRoot);
}

}  // namespace

const Op op_rsqrt = {
    .name = "rsqrt",
    .meaning = "The reciprocal of the square root.",
    .syntax = {.accepts_result_accuracy = true},
    .legality = {.arity = Exactly(1), .types = kFloats | kComplex, .infer = InferUnary},
    .evaluation = {.kernel = plain::ElementWise<[](auto a) { return Rsqrt(a); }, kFloats | kComplex>},
    .acceptance = {.rule = Acceptance::kUlp, .image = Image},
};

}  // namespace assay
