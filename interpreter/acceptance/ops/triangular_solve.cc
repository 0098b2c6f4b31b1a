#include "interpreter/acceptance/ops/common/matrix_properties.h"
#include "interpreter/acceptance/ops/records.h"
#include "interpreter/ops/common/triangular_equation.h"

namespace assay {
namespace {

PropertyReport Judge(const HloInstruction& solve, std::span<const Literal> operands, const Literal& want,
                     const Literal& got) {
  return SolutionProperties(EquationOf(solve), operands, want, got);
}

}  // namespace

const OpAcceptance acceptance_triangular_solve = {
    .op = &op_triangular_solve, .rule = Acceptance::kProperties, .facts = Judge};

}  // namespace assay
