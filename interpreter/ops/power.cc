#include "interpreter/ops/common/elementwise.h"

namespace assay {
namespace {

Kernel PowerKernel(const HloInstruction& instruction) {
  if (IsIntegralType(instruction.shape.element_type())) {
    return IntegerKernel<[](auto a, auto b) { return Power(a, b); }>(instruction);
  }
  return FunctionKernel<&kPow, &kComplexPow>(instruction);
}

}  // namespace

const Op op_power = {
    .name = "power",
    .meaning = "The first operand raised to the second.",
    .legality = {.arity = Exactly(2), .types = kIntegral | kFloats | kComplex, .infer = InferBinary},
    .evaluation = {.kernel = PowerKernel},
    .acceptance = {.rule = Acceptance::kUlp},
};

}  // namespace assay
