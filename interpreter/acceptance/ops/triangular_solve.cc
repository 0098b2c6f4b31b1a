#include "interpreter/acceptance/ops/common/matrix_properties.h"
#include "interpreter/acceptance/ops/records.h"
#include "interpreter/ops/common/triangular_equation.h"

namespace assay {
namespace {

PropertyReport Judge(const HloInstruction& solve, std::span<const Literal> operands, const Literal& want,
                     const Literal& got) {
  return SolutionProperties(EquationOf(solve), operands, want, got);
}

// True if the diagonal of a matrix should be one, and is not. Implements SpecificationGap::breaks_assumption.
bool HasOtherDiagonal(const HloInstruction& solve, std::span<const Literal> operands) {
  if (!EquationOf(solve).unit_diagonal) return false;
  const Literal numbers = NumbersOf(operands[0]);
  const int components = ComponentCount(operands[0].element_type());
  const std::int64_t n = operands[0].shape().dimensions().back();
  for (std::int64_t i = 0; i < operands[0].element_count(); ++i) {
    const auto number = ComponentsIn(numbers).subspan(i * components, components);
    const bool is_one = number.front() == 1 && (components == 1 || number.back() == 0);
    if (i / n % n == i % n && !is_one) return true;
  }
  return false;
}

}  // namespace

const OpAcceptance acceptance_triangular_solve = {.op = &op_triangular_solve,
                                                  .rule = Acceptance::kProperties,
                                                  .facts = Judge,
                                                  .gap = {.breaks_assumption = HasOtherDiagonal}};

}  // namespace assay
